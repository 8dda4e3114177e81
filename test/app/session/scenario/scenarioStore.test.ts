import { beforeEach, describe, expect, test } from 'vitest'
import { editOrRefuse, open, redo, refuse, scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { addLink, removeLink, setSeed, setStage, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

const session = createSession()

const steps = () => scenarioStore(session).getState().past.length
const scenario = () => scenarioStore(session).getState().scenario

beforeEach(() => {
  const preset = presetOf('rush-hour')
  if (preset === undefined) throw new Error('no such preset')
  open(session, preset.scenario)
})

describe('undo', () => {
  test('an edit that changes nothing is no step, and what could be done again still can', () => {
    editOrRefuse(session, (before) => setWorkers(before, 5))
    undo(session)
    const before = steps()
    const { id, name, service } = scenario().stages[0]
    expect(editOrRefuse(session, (now) => setStage(now, id, { name, service: { ...service } }))).toBe(true)
    expect(editOrRefuse(session, (now) => setSeed(now, now.seed))).toBe(true)
    expect(steps()).toBe(before)
    redo(session)
    expect(scenario().workers).toBe(5)
  })

  test('a value that is confirmed as it stands takes away what was wrong with the one typed before', () => {
    refuse(session, [{ path: 'workers', message: 'found 0; allowed: a whole number from 1 to 256' }])
    editOrRefuse(session, (before) => setWorkers(before, before.workers))
    expect(scenarioStore(session).getState().problems).toEqual([])
  })

  test('edits of one thing in quick succession are one step, of two things two', () => {
    const before = steps()
    editOrRefuse(session, (now) => setSeed(now, 1), 'seed')
    editOrRefuse(session, (now) => setSeed(now, 12), 'seed')
    editOrRefuse(session, (now) => setWorkers(now, 3), 'workers')
    expect(steps()).toBe(before + 2)
  })
})

describe('a draft that cannot be played yet', () => {
  const drawn = () => scenarioStore(session).getState()

  test('stays on the canvas with its problems, while the last valid scenario can still be played', () => {
    const before = scenario()
    expect(editOrRefuse(session, (now) => removeLink(now, ['source', 'A']))).toBe(true)
    expect(drawn().scenario).toBe(before)
    expect(drawn().draft.links).not.toContainEqual(['source', 'A'])
    expect(drawn().draftProblems[0].message).toContain('the source leads nowhere')
    // What else is edited meanwhile is kept, and takes force with the link that makes it a pipeline.
    editOrRefuse(session, (now) => setWorkers(now, 7))
    editOrRefuse(session, (now) => addLink(now, 'source', 'A'))
    expect(drawn().draftProblems).toEqual([])
    expect(drawn().scenario).toBe(drawn().draft)
    expect(scenario().workers).toBe(7)
  })

  test('is undone and done again like anything else', () => {
    const before = scenario()
    editOrRefuse(session, (now) => removeLink(now, ['source', 'A']))
    undo(session)
    expect(drawn()).toMatchObject({ scenario: before, draft: before, draftProblems: [] })
    redo(session)
    expect(drawn().draftProblems).toHaveLength(1)
    expect(drawn().scenario).toBe(before)
  })

  test('takes no edit that is wrong by itself', () => {
    editOrRefuse(session, (now) => removeLink(now, ['source', 'A']))
    const { draft } = drawn()
    expect(editOrRefuse(session, (now) => setWorkers(now, 0))).toBe(false)
    expect(drawn().draft).toBe(draft)
    expect(drawn().problems[0].path).toBe('workers')
  })
})
