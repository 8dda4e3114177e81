import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  editOrShowProblems,
  open,
  redo,
  scenarioStore,
  showProblems,
  undo,
} from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { addLink, removeLink, setOptions, setStage, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

const session = createSession()

const steps = () => scenarioStore(session).getState().past.length
const scenario = () => scenarioStore(session).getState().scenario

beforeEach(() => {
  const preset = presetOf('rush-hour')
  if (preset === undefined) throw new Error('no such preset')
  open(session, preset.scenario)
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('undo', () => {
  test('an edit that changes nothing adds no step and keeps redo', () => {
    editOrShowProblems(session, (before) => setWorkers(before, 5))
    undo(session)
    const before = steps()
    const { id, name, service } = scenario().stages[0]
    expect(editOrShowProblems(session, (now) => setStage(now, id, { name, service: { ...service } }))).toBe(true)
    expect(editOrShowProblems(session, (now) => setOptions(now, { seed: now.seed }))).toBe(true)
    expect(steps()).toBe(before)
    redo(session)
    expect(scenario().workers).toBe(5)
  })

  test('confirming the current value removes the problem of an earlier value', () => {
    showProblems(session, [{ path: 'workers', message: 'found 0; allowed: a whole number from 1 to 10,000' }])
    editOrShowProblems(session, (before) => setWorkers(before, before.workers))
    expect(scenarioStore(session).getState().problems).toEqual([])
  })

  test('quick edits of one value are one step, of two values two, and an edit after a pause is another', () => {
    let time = 0
    vi.spyOn(performance, 'now').mockImplementation(() => time)
    const before = steps()
    const typed = (seed: number, after: number) => {
      time += after
      editOrShowProblems(session, (now) => setOptions(now, { seed }), 'seed')
    }
    typed(1, 5000)
    typed(12, 799)
    typed(123, 799)
    expect(steps()).toBe(before + 1)
    editOrShowProblems(session, (now) => setWorkers(now, 3), 'workers')
    expect(steps()).toBe(before + 2)
    typed(1234, 5000)
    typed(12_345, 800)
    expect(steps()).toBe(before + 4)
  })
})

describe('a draft that cannot be played yet', () => {
  const drawn = () => scenarioStore(session).getState()

  test('stays on the canvas with its problems, while the last valid scenario can still be played', () => {
    const before = scenario()
    expect(editOrShowProblems(session, (now) => removeLink(now, ['source', 'A']))).toBe(true)
    expect(drawn().scenario).toBe(before)
    expect(drawn().draft.links).not.toContainEqual(['source', 'A'])
    expect(drawn().draftProblems[0].message).toContain('the source leads nowhere')
    // Other edits are kept, and take effect with the link that makes the draft valid.
    editOrShowProblems(session, (now) => setWorkers(now, 7))
    editOrShowProblems(session, (now) => addLink(now, 'source', 'A'))
    expect(drawn().draftProblems).toEqual([])
    expect(drawn().scenario).toBe(drawn().draft)
    expect(scenario().workers).toBe(7)
  })

  test('can be undone and redone like any edit', () => {
    const before = scenario()
    editOrShowProblems(session, (now) => removeLink(now, ['source', 'A']))
    undo(session)
    expect(drawn()).toMatchObject({ scenario: before, draft: before, draftProblems: [] })
    redo(session)
    expect(drawn().draftProblems).toHaveLength(1)
    expect(drawn().scenario).toBe(before)
  })

  test('refuses an edit that is invalid by itself', () => {
    editOrShowProblems(session, (now) => removeLink(now, ['source', 'A']))
    const { draft } = drawn()
    expect(editOrShowProblems(session, (now) => setWorkers(now, 0))).toBe(false)
    expect(drawn().draft).toBe(draft)
    expect(drawn().problems[0].path).toBe('workers')
  })
})
