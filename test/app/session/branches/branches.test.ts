import { beforeEach, describe, expect, test } from 'vitest'
import { placedProblems } from '../../../../src/app/draw/editing/draftProblems.ts'
import {
  branchRunStore,
  forkHere,
  removeBranch,
  runOf,
  turnTo,
} from '../../../../src/app/session/branches/branchRuns.ts'
import { beginBranch, nameBranch, showBranch } from '../../../../src/app/session/branches/branchStore.ts'
import { branchNames, differencesOf } from '../../../../src/app/session/branches/branchWords.ts'
import { openScenario, showRun } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { type Run, runStore } from '../../../../src/app/session/run/runStore.ts'
import {
  editOrShowProblems,
  redo,
  scenarioAsText,
  scenarioStore,
  scenarioToSave,
  undo,
} from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { createChart } from '../../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { originalOf } from '../../../../src/scenario/edit/branches.ts'
import { setOptions, setStage, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { catchUp } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const session = createSession()

const original = valid({
  version: 1,
  source: { kind: 'batch', jobs: 20 },
  stages: [
    { id: 'A', name: 'Read', service: { kind: 'constant', mean: 1000 } },
    { id: 'B', name: 'Write', service: { kind: 'constant', mean: 2000 } },
  ],
  workers: 4,
})
const now = () => scenarioStore(session).getState()

async function runIt(scenario: Scenario): Promise<Run> {
  const trace = await playSimulation(scenario, 0)
  catchUp(trace)
  return { scenario, trace, chart: createChart(trace), startedAt: 0 }
}

beforeEach(async () => {
  openScenario(session, original)
  await showRun(session, await runIt(now().scenario), 5000)
})

describe('a run that is forked', () => {
  test('keeps its past when its number of workers is changed and changed back', async () => {
    const staffed = valid({
      ...original,
      later: [{ at: 3000, policy: { kind: 'fixed', allocation: { A: 1, B: 3 } } }],
      workerEvents: [{ at: 2000, kind: 'leave', worker: 3 }],
    })
    openScenario(session, staffed)
    await showRun(session, await runIt(now().scenario), 5000)
    await forkHere(session)
    for (const workers of [2, 4, 1, 3]) editOrShowProblems(session, (draft) => setWorkers(draft, workers))
    expect(now().draftProblems).toEqual([])
    expect(now().draft).toMatchObject({ workers: 3, later: [{ at: 3000, policy: { allocation: { A: 1, B: 2 } } }] })
    editOrShowProblems(session, (draft) => setWorkers(draft, 4))
    expect(now().draft).toEqual(staffed)
    expect(now().whole.branches[0].workers).toBe(undefined)
  })

  test('begins a branch at the playhead; edits go to the branch, and the original does not change', async () => {
    await forkHere(session)
    expect(now()).toMatchObject({
      shown: 0,
      draftProblems: [],
      whole: {
        branches: [
          {
            at: 5000,
            stages: [
              { id: 'A', from: 13 },
              { id: 'B', from: 4 },
            ],
          },
        ],
      },
    })
    // Nothing differs yet.
    expect(now().scenario).toEqual(original)
    editOrShowProblems(session, (draft) => setWorkers(draft, 6))
    editOrShowProblems(session, (draft) => setStage(draft, 'B', { service: { kind: 'constant', mean: 500 } }))
    expect(now().draft).toMatchObject({ workers: 6, branches: [] })
    expect(now().scenario).toMatchObject({
      workers: 4,
      workerEvents: [
        { at: 5000, kind: 'join' },
        { at: 5000, kind: 'join' },
      ],
    })
    expect(now().scenario.stages[1].changes).toEqual([{ from: 4, service: { kind: 'constant', mean: 500 } }])
    expect(originalOf(now().whole)).toEqual(original)
    expect(differencesOf(now().whole, 0)).toEqual(['6 workers', 'Write differs'])
  })

  test('shows what cannot change midway as a problem of the draft, and the last valid branch can still be played', async () => {
    await forkHere(session)
    const { scenario } = now()
    expect(editOrShowProblems(session, (draft) => setOptions(draft, { seed: 99 }))).toBe(true)
    expect(now().draftProblems).toMatchObject([
      { path: 'seed', message: expect.stringContaining('The random seed cannot change during the run') },
    ])
    expect(now().draft.seed).toBe(99)
    // The random seed has no place on the canvas.
    expect(placedProblems(now().draft, now().draftProblems).size).toBe(0)
    expect(now().scenario).toBe(scenario)
    undo(session)
    expect(now().draftProblems).toEqual([])
  })

  test('contains the edits made since the run', async () => {
    editOrShowProblems(session, (draft) => setWorkers(draft, 5))
    await forkHere(session)
    expect(now().whole).toMatchObject({ workers: 4, branches: [{ workers: 5 }] })
    expect(now().draft.workers).toBe(5)
  })

  test('cannot be forked at time 0, or if it is the run of a branch', async () => {
    playback(session).time = 0
    await forkHere(session)
    expect(now().problems[0].message).toContain('Nothing has happened yet')
    playback(session).time = 5000
    await forkHere(session)
    editOrShowProblems(session, (draft) => setWorkers(draft, 6))
    await showRun(session, await runIt(now().scenario), 6000)
    await forkHere(session)
    expect(now().problems[0].message).toContain('one of a branch')
    expect(now().whole.branches).toHaveLength(1)
  })
})

describe('branches', () => {
  test('are shown with their own runs; a branch without a run shows the run of the original', async () => {
    const { run } = runStore(session).getState()
    await forkHere(session)
    editOrShowProblems(session, (draft) => setWorkers(draft, 6))
    const other = await runIt(now().scenario)
    await showRun(session, other, 7000)
    expect(branchRunStore(session).getState().runs.size).toBe(2)
    await turnTo(session, null)
    expect(runStore(session).getState().run).toBe(run)
    expect(playback(session).time).toBe(7000)
    expect(now()).toMatchObject({ shown: null, draft: { workers: 4 } })
    await turnTo(session, 0)
    expect(runStore(session).getState().run).toBe(other)
    editOrShowProblems(session, (draft) => setWorkers(draft, 7))
    await turnTo(session, null)
    await turnTo(session, 0)
    expect(runStore(session).getState().run).toBe(run)
    expect(playback(session).time).toBe(5000)
    // Its run was one of six workers.
    expect(runOf(session, now().scenario)).toBeNull()
  })

  test('are removed when another scenario opens, and undo restores them', async () => {
    await forkHere(session)
    const { run } = runStore(session).getState()
    editOrShowProblems(session, (draft) => setWorkers(draft, 6))
    await showRun(session, await runIt(now().scenario), 7000)
    await removeBranch(session, 0)
    expect(now()).toMatchObject({ shown: null, whole: { branches: [] } })
    expect(runStore(session).getState().run).toBe(run)
    undo(session)
    expect(now()).toMatchObject({ shown: 0, whole: { branches: [{ at: 5000 }] } })
    redo(session)
    expect(now().whole.branches).toEqual([])
    undo(session)
    openScenario(session, original)
    expect(now()).toMatchObject({ shown: null, whole: { branches: [] } })
    expect(branchRunStore(session).getState().runs.size).toBe(0)
  })

  test('are named by their title, or by their differences', async () => {
    await forkHere(session)
    expect(branchNames(now().whole)[0]).toBe('Branch 1')
    editOrShowProblems(session, (draft) => setWorkers(draft, 2))
    expect(branchNames(now().whole)[0]).toBe('2 workers')
    nameBranch(session, 'Half of us')
    expect(branchNames(now().whole)[0]).toBe('Half of us')
    editOrShowProblems(session, (draft) => setWorkers(draft, 3))
    expect(now().whole.branches[0].title).toBe('Half of us')
    nameBranch(session, 'x'.repeat(81))
    expect(now().problems[0].path).toBe('branches[0].title')
    nameBranch(session, '')
    expect(branchNames(now().whole)[0]).toBe('3 workers')
    const { whole } = now()
    expect(branchNames({ ...whole, branches: [...whole.branches, ...whole.branches] })).toEqual([
      '3 workers',
      '3 workers (2)',
    ])
  })

  test('take the title and stage positions of their original, and drop a stage that it no longer has', async () => {
    await forkHere(session)
    editOrShowProblems(session, (draft) => ({
      ...setStage(draft, 'A', { name: 'Fetch', position: { x: 1, y: 2 } }),
      title: 'Other',
    }))
    expect(now().draftProblems).toEqual([])
    expect(now().whole).toMatchObject({ title: 'Other', stages: [{ name: 'Fetch', position: { x: 1, y: 2 } }, {}] })
    showBranch(session, null)
    expect(
      editOrShowProblems(session, (draft) => ({
        ...draft,
        stages: draft.stages.slice(1),
        links: [
          ['source', 'B'],
          ['B', 'sink'],
        ],
      })),
    ).toBe(true)
    expect(now().whole.branches[0].stages).toEqual([{ id: 'B', from: 4 }])
  })

  test('are in the text of the original and in the stored canvas; the text of a branch is the scenario under edit', async () => {
    await forkHere(session)
    editOrShowProblems(session, (draft) => setWorkers(draft, 6))
    expect(scenarioAsText(now())).toBe(now().draft)
    expect(scenarioToSave(now())).toBe(now().whole)
    showBranch(session, null)
    expect(scenarioAsText(now())).toBe(now().whole)
    expect(scenarioToSave(now()).branches).toHaveLength(1)
    editOrShowProblems(session, () => original)
    expect(now().whole.branches).toEqual([])
    beginBranch(session, original, 9, [0, 0])
    editOrShowProblems(session, (draft) => ({ ...draft, branches: [{ at: 4, title: '' }] }))
    expect(now().draftProblems[0]).toMatchObject({ path: 'branches', message: 'a branch has no branches of its own' })
  })
})
