import { beforeEach, describe, expect, test } from 'vitest'
import {
  addStageAfter,
  addStageAt,
  addStageBesideOther,
  endRename,
  link,
  removeStages,
  shiftStage,
  stageName,
  stagesInTabOrder,
  startRename,
  unlinkStages,
} from '../../../../src/app/draw/editing/actions.ts'
import { canvasStore } from '../../../../src/app/draw/editing/canvasStore.ts'
import { placedProblems } from '../../../../src/app/draw/editing/draftProblems.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { emptyScenario } from '../../../../src/app/session/scenario/emptyScenario.ts'
import { editOrShowProblems, scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { setStage } from '../../../../src/scenario/edit/edits.ts'
import { type MadeUpAddress, madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { type PageHere, pageHere } from '../../../fixtures/pageHere.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'

threadsHere()

let page: PageHere
let address: MadeUpAddress
let session: Session
const state = () => scenarioStore(session).getState()
const links = () => state().draft.links.map((each) => each.join('>'))
const announcement = () => canvasStore(session).getState().announcement
const faults = () => state().draftProblems.map(({ message }) => message)
const names = () => stagesInTabOrder(session).map((id) => stageName(session, id))

const fork = ['source>A', 'A>B', 'A>C', 'B>D', 'C>D', 'D>sink']

beforeEach(() => {
  page = pageHere()
  address = madeUpAddress()
  session = createSession(address)
  openScenario(session, emptyScenario())
})

describe('a pipeline that is drawn', () => {
  test('forks and joins again, each new stage gets the focus, and undo reverts every step', () => {
    addStageAfter(session, 'A')
    addStageBesideOther(session, 'B')
    addStageAfter(session, 'C')
    link(session, 'B', 'D')
    expect(links()).toEqual(fork)
    expect(page.focused).toEqual(['B', 'C', 'D'])
    expect(announcement()).toBe('Stage B now leads to Stage D.')
    expect(state()).toMatchObject({ draftProblems: [], selected: 'D' })
    // The join waits for both parts: that follows from the drawing.
    expect(state().draft.stages[3].join).toBe('all')
    unlinkStages(session, ['B', 'D'])
    expect(links()).toEqual(['source>A', 'A>B', 'A>C', 'B>sink', 'C>D', 'D>sink'])
    undo(session)
    expect(links()).toEqual(fork)
    for (let step = 0; step < 4; step++) undo(session)
    expect(links()).toEqual(['source>A', 'A>sink'])
  })

  test('shows each problem at its place, and cannot be played before it is fixed', async () => {
    addStageAfter(session, 'A')
    addStageAt(session, { x: 40, y: 300 }, new Map(), null)
    const at = () => placedProblems(state().draft, state().draftProblems)
    expect(at().get('C')).toMatch(/^is not reached.*is a dead end/)
    expect(faults().join()).toContain('stage "C" is not reached')
    expect(announcement()).toBe('Stage C added. 2 things to fix.')
    link(session, 'A', 'C')
    expect(at().get('C')).toMatch(/^is a dead end/)
    link(session, 'C', 'B')
    expect(links()).toEqual(['source>A', 'A>C', 'A>B', 'C>B', 'B>sink'])
    expect(faults()).toEqual([])

    link(session, 'B', 'A')
    expect(at().get('B A')).toContain('cycle')
    await start(session)
    expect(state().problems[0].message).toContain('Fix the marked problems')
    expect(runStore(session).getState().phase).toBe('idle')
    undo(session)
    expect(state()).toMatchObject({ draftProblems: [], problems: [] })
  })

  test('has its stages named, moved, slowed down and removed, each in one step; then a neighbour gets the focus', () => {
    addStageAfter(session, 'A')
    addStageAfter(session, 'A')
    expect(names()).toEqual(['Stage A', 'Stage C', 'Stage B'])
    startRename(session, 'C')
    endRename(session, 'C', 'Polish')
    expect(names()).toEqual(['Stage A', 'Polish', 'Stage B'])
    shiftStage(session, 'C', 1)
    expect([names(), announcement()]).toEqual([['Stage A', 'Stage B', 'Polish'], 'Polish is now 3 of 3.'])
    shiftStage(session, 'C', 1)
    expect(announcement().trim()).toBe('Polish is now 3 of 3.')
    editOrShowProblems(session, (draft) => setStage(draft, 'C', { service: { kind: 'constant', mean: 40_000 } }))
    removeStages(session, ['A'])
    expect([names(), announcement(), page.focused.at(-1)]).toEqual([['Stage B', 'Polish'], 'Stage A removed.', 'B'])
    for (const before of [
      'Stage A, Stage B, Polish',
      'Stage A, Stage B, Polish',
      'Stage A, Polish, Stage B',
      'Stage A, Stage C, Stage B',
    ]) {
      undo(session)
      expect(names().join(', ')).toBe(before)
    }
  })

  test('keeps its only stage, and says why', () => {
    removeStages(session, ['A'])
    expect(state().problems).toEqual([{ path: '', message: 'a pipeline has at least one stage' }])
    expect(announcement()).toBe('a pipeline has at least one stage')
    expect(names()).toEqual(['Stage A'])
    addStageAfter(session, 'A')
    removeStages(session, ['A', 'B'])
    expect(state().problems[0].message).toBe('a pipeline has at least one stage')
  })
})
