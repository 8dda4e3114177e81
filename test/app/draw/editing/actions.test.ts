import { beforeEach, describe, expect, test } from 'vitest'
import {
  addParallelStage,
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
import { canvasStore, selectNode } from '../../../../src/app/draw/editing/canvasStore.ts'
import { placedProblems } from '../../../../src/app/draw/editing/draftProblems.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { emptyScenario } from '../../../../src/app/session/scenario/emptyScenario.ts'
import { keepSaved, storedDraft } from '../../../../src/app/session/scenario/savedCanvas.ts'
import {
  editOrShowProblems,
  restoreDraft,
  scenarioStore,
  undo,
} from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { setFanOut, setStage } from '../../../../src/scenario/edit/edits.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { type MadeUpAddress, madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { type PageHere, pageHere } from '../../../fixtures/pageHere.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

threadsHere()

let page: PageHere
let address: MadeUpAddress
let session: Session
const state = () => scenarioStore(session).getState()
const links = () => state().draft.links.map((each) => each.join('>'))
const announcement = () => canvasStore(session).getState().announcement
const faults = () => state().draftProblems.map(({ message }) => message)
const names = () => stagesInTabOrder(session).map((id) => stageName(session, id))

const workedExample = presetOf('worked-example')?.scenario ?? expect.fail('no preset')
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

  test('fans out by the button beside a stage: each press adds a branch, and selects the new stage and its name', () => {
    selectNode(session, 'A')
    addParallelStage(session, 'A')
    expect([links(), announcement()]).toEqual([['source>A', 'A>B', 'B>sink'], 'Stage B added after Stage A.'])
    expect([state().selected, canvasStore(session).getState().renaming]).toEqual(['B', 'B'])
    addParallelStage(session, 'A')
    expect(links()).toEqual(['source>A', 'A>B', 'A>C', 'B>sink', 'C>sink'])
    addStageAfter(session, 'C')
    link(session, 'B', 'D')
    // A further branch joins where the last one does, even if other links lead there.
    addParallelStage(session, 'A')
    expect(links()).toEqual(['source>A', 'A>B', 'A>C', 'A>E', 'B>D', 'C>D', 'E>D', 'D>sink'])
    expect(state()).toMatchObject({ draftProblems: [], selected: 'E' })
    // Only the given stage leads to the new one: C does not, although it feeds the stage beside.
    addParallelStage(session, 'B')
    expect(links()).toEqual(['source>A', 'A>B', 'A>C', 'A>E', 'B>D', 'B>F', 'C>D', 'E>D', 'D>sink', 'F>sink'])
    expect(state()).toMatchObject({ draftProblems: [] })
    undo(session)
    undo(session)
    expect(links()).toEqual(fork)
  })

  test('shows each problem at its place, and cannot be played before it is fixed', async () => {
    addStageAfter(session, 'A')
    addStageAt(session, { x: 40, y: 300 }, new Map(), null)
    const at = () => placedProblems(state().draft, state().draftProblems)
    expect(at().get('C')).toMatch(/^is not reached.*is a dead end/)
    expect(faults().join()).toContain('stage "C" is not reached: link the source or a stage to it')
    expect(announcement()).toBe('Stage C added beside the others. 2 things to fix.')
    link(session, 'A', 'C')
    expect(at().get('C')).toMatch(/^is a dead end/)
    link(session, 'C', 'B')
    expect(links()).toEqual(['source>A', 'A>C', 'A>B', 'C>B', 'B>sink'])
    expect(faults()).toEqual([])

    link(session, 'B', 'A')
    expect(at().get('B A')).toContain('cycle')
    await start(session)
    expect(state().problems[0].message).toContain('Fix or undo what is marked')
    expect(runStore(session).getState().phase).toBe('idle')
    undo(session)
    expect(state()).toMatchObject({ draftProblems: [], problems: [] })
  })

  test('is restored after a reload with its problems, and undo works', async () => {
    openScenario(
      session,
      valid({
        version: 1,
        title: 'Two',
        source: { kind: 'batch', jobs: 4 },
        stages: [{ id: 'A' }, { id: 'B' }],
        workers: 2,
      }),
    )
    const end = keepSaved(session)
    link(session, 'B', 'A')
    address.leave()
    end()
    session = createSession()
    openScenario(session, workedExample)
    const stored = storedDraft()
    if (stored === null || 'problems' in stored) throw new Error('nothing is stored')
    restoreDraft(session, stored)
    expect(links()).toEqual(['source>A', 'A>B', 'B>A'])
    expect(faults().join()).toContain('cycle')
    undo(session)
    expect(faults()).toEqual([])
  })

  test('has its stages named, moved, slowed down and removed, each in one step; then a neighbour gets the focus', () => {
    addStageAfter(session, 'A')
    addStageAfter(session, 'A')
    expect(names()).toEqual(['Stage A', 'Stage C', 'Stage B'])
    startRename(session, 'C')
    endRename(session, 'C', 'Polish')
    expect([names(), announcement()]).toEqual([['Stage A', 'Polish', 'Stage B'], 'Renamed Polish.'])
    shiftStage(session, 'C', 1)
    expect([names(), announcement()]).toEqual([['Stage A', 'Stage B', 'Polish'], 'Polish is now 3 of 3.'])
    shiftStage(session, 'C', 1)
    expect(announcement()).toBe('Polish is last already.')
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

  test('gets a stage at the end of the line from the toolbar, and can be played with it', async () => {
    openScenario(session, workedExample)
    addStageAfter(session, 'sink')
    expect(names()).toEqual(['A', 'B', 'Stage C'])
    const { trace } = await playOut(session)
    expect(trace.scenario.stages.map(({ name }) => name)).toEqual(['A', 'B', 'Stage C'])
    expect(trace.ending).toBe('drained')
  })

  test('keeps its only stage, and says why', () => {
    removeStages(session, ['A'])
    expect(state().problems).toEqual([
      { path: 'stages', message: 'Stage A is the only stage; a pipeline has at least one' },
    ])
    expect(announcement()).toBe('Stage A cannot be removed: a pipeline has at least one stage.')
    expect(names()).toEqual(['Stage A'])
    addStageAfter(session, 'A')
    removeStages(session, ['A', 'B'])
    expect(state().problems[0].message).toBe('these are all the stages; a pipeline has at least one')
  })

  test('may not let copies of one job meet where they are merged: that is reported at the stage', () => {
    const stages = [{ id: 'A' }, { id: 'B' }, { id: 'C' }, { id: 'D', join: 'all' }]
    openScenario(session, valid({ version: 1, stages, links: fork.map((each) => each.split('>')), workers: 2 }))
    editOrShowProblems(session, (draft) => setFanOut(draft, 'A', { route: { B: 3, C: 1 } }))
    expect(faults()).toEqual([])
    expect(editOrShowProblems(session, (draft) => setFanOut(draft, 'A', { route: { B: 0, C: 1 } }))).toBe(false)
    expect(state().problems[0].path).toBe('stages[0].fanOut.route.B')
    expect(state().draft.stages[0].fanOut).toEqual({ route: { B: 3, C: 1 } })
    editOrShowProblems(session, (draft) => setFanOut(draft, 'A', 'copy'))
    editOrShowProblems(session, (draft) => setStage(draft, 'D', { join: 'merge' }))
    expect(placedProblems(state().draft, state().draftProblems).get('D')).toContain('copies of one job may come here')
  })
})
