import { beforeEach, describe, expect, test } from 'vitest'
import { placedProblems } from '../../../../src/app/draw/editing/draftProblems.ts'
import { branchRunStore, forkHere, removeBranch, runOf, turnTo } from '../../../../src/app/session/branches/branchRuns.ts'
import { beginBranch, nameBranch, showBranch } from '../../../../src/app/session/branches/branchStore.ts'
import { branchNames, differencesOf } from '../../../../src/app/session/branches/branchWords.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { openScenario, type Run, runStore, showRun } from '../../../../src/app/session/run/runStore.ts'
import { editOrRefuse, redo, scenarioAsText, scenarioStore, scenarioToSave, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { createEstimateHistory } from '../../../../src/measures/decisions/estimateHistory.ts'
import { createChart } from '../../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { trunkOf } from '../../../../src/scenario/edit/branches.ts'
import { setSeed, setStage, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { catchUp } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const session = createSession()

const trunk = valid({
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
  return { scenario, trace, chart: createChart(trace), estimateHistory: createEstimateHistory(trace), startedAt: 0 }
}

beforeEach(async () => {
  openScenario(session, trunk)
  await showRun(session, await runIt(now().scenario), 5000)
})

describe('a run that is forked', () => {
  test('begins a branch at the playhead, which is edited as any scenario; the trunk stays as it is', async () => {
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
    // Nothing is otherwise yet.
    expect(now().scenario).toEqual(trunk)
    editOrRefuse(session, (draft) => setWorkers(draft, 6))
    editOrRefuse(session, (draft) => setStage(draft, 'B', { service: { kind: 'constant', mean: 500 } }))
    expect(now().draft).toMatchObject({ workers: 6, branches: [] })
    expect(now().scenario).toMatchObject({
      workers: 4,
      workerEvents: [
        { at: 5000, kind: 'join' },
        { at: 5000, kind: 'join' },
      ],
    })
    expect(now().scenario.stages[1].changes).toEqual([{ from: 4, service: { kind: 'constant', mean: 500 } }])
    expect(trunkOf(now().whole)).toEqual(trunk)
    expect(differencesOf(now().whole, 0)).toEqual(['6 workers', 'Write otherwise'])
  })

  test('shows what cannot change midway as a problem of the draft, and the last valid branch can still be played', async () => {
    await forkHere(session)
    const { scenario } = now()
    expect(editOrRefuse(session, (draft) => setSeed(draft, 99))).toBe(true)
    expect(now().draftProblems).toMatchObject([{ path: 'seed', message: expect.stringContaining('The luck cannot change under way') }])
    expect(now().draft.seed).toBe(99)
    // The luck has no place on the canvas.
    expect(placedProblems(now().draft, now().draftProblems).size).toBe(0)
    expect(now().scenario).toBe(scenario)
    undo(session)
    expect(now().draftProblems).toEqual([])
  })

  test('takes over what had been edited since it was run', async () => {
    editOrRefuse(session, (draft) => setWorkers(draft, 5))
    await forkHere(session)
    expect(now().whole).toMatchObject({ workers: 4, branches: [{ workers: 5 }] })
    expect(now().draft.workers).toBe(5)
  })

  test('is not forked where nothing has happened yet, nor if it is one of a branch', async () => {
    playback(session).time = 0
    await forkHere(session)
    expect(now().problems[0].message).toContain('Nothing has happened yet')
    playback(session).time = 5000
    await forkHere(session)
    editOrRefuse(session, (draft) => setWorkers(draft, 6))
    await showRun(session, await runIt(now().scenario), 6000)
    await forkHere(session)
    expect(now().problems[0].message).toContain('one of a branch')
    expect(now().whole.branches).toHaveLength(1)
  })

  test('has five branches at most', async () => {
    for (let i = 0; i < 6; i++) {
      await forkHere(session)
      showBranch(session, null)
    }
    expect(now().whole.branches).toHaveLength(5)
  })
})

describe('branches', () => {
  test('are turned to with their runs, which are kept; one that was not played begins with the picture of the trunk', async () => {
    const { run } = runStore(session).getState()
    await forkHere(session)
    editOrRefuse(session, (draft) => setWorkers(draft, 6))
    const other = await runIt(now().scenario)
    await showRun(session, other, 7000)
    expect(branchRunStore(session).getState().runs.size).toBe(2)
    await turnTo(session, null)
    expect(runStore(session).getState().run).toBe(run)
    expect(playback(session).time).toBe(7000)
    expect(now()).toMatchObject({ shown: null, draft: { workers: 4 } })
    await turnTo(session, 0)
    expect(runStore(session).getState().run).toBe(other)
    editOrRefuse(session, (draft) => setWorkers(draft, 7))
    await turnTo(session, null)
    await turnTo(session, 0)
    expect(runStore(session).getState().run).toBe(run)
    expect(playback(session).time).toBe(5000)
    // Its run was one of six workers.
    expect(runOf(session, now().scenario)).toBeNull()
  })

  test('go with another scenario, and come back with undo', async () => {
    await forkHere(session)
    const { run } = runStore(session).getState()
    editOrRefuse(session, (draft) => setWorkers(draft, 6))
    await showRun(session, await runIt(now().scenario), 7000)
    await removeBranch(session, 0)
    expect(now()).toMatchObject({ shown: null, whole: { branches: [] } })
    expect(runStore(session).getState().run).toBe(run)
    undo(session)
    expect(now()).toMatchObject({ shown: 0, whole: { branches: [{ at: 5000 }] } })
    redo(session)
    expect(now().whole.branches).toEqual([])
    undo(session)
    openScenario(session, trunk)
    expect(now()).toMatchObject({ shown: null, whole: { branches: [] } })
    expect(branchRunStore(session).getState().runs.size).toBe(0)
  })

  test('have names: a title, or what they do otherwise', async () => {
    await forkHere(session)
    expect(branchNames(now().whole)[0]).toBe('Branch 1')
    editOrRefuse(session, (draft) => setWorkers(draft, 2))
    expect(branchNames(now().whole)[0]).toBe('2 workers')
    nameBranch(session, 'Half of us')
    expect(branchNames(now().whole)[0]).toBe('Half of us')
    editOrRefuse(session, (draft) => setWorkers(draft, 3))
    expect(now().whole.branches[0].title).toBe('Half of us')
    nameBranch(session, 'x'.repeat(81))
    expect(now().problems[0].path).toBe('branches[0].title')
    nameBranch(session, '')
    expect(branchNames(now().whole)[0]).toBe('3 workers')
    const { whole } = now()
    expect(branchNames({ ...whole, branches: [...whole.branches, ...whole.branches] })).toEqual(['3 workers', '3 workers (2)'])
  })

  test('hear of what their trunk is called and where its stages stand, and forget a stage that it has no more', async () => {
    await forkHere(session)
    editOrRefuse(session, (draft) => ({ ...setStage(draft, 'A', { name: 'Fetch', position: { x: 1, y: 2 } }), title: 'Other' }))
    expect(now().draftProblems).toEqual([])
    expect(now().whole).toMatchObject({ title: 'Other', stages: [{ name: 'Fetch', position: { x: 1, y: 2 } }, {}] })
    showBranch(session, null)
    expect(
      editOrRefuse(session, (draft) => ({
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

  test('leave what is played the same, as long as it is', async () => {
    const { scenario } = now()
    await forkHere(session)
    expect(now().scenario).toBe(scenario)
    editOrRefuse(session, (draft) => setWorkers(draft, 6))
    showBranch(session, null)
    expect(trunkOf(now().whole)).toEqual(now().scenario)
    editOrRefuse(session, (draft) => ({ ...draft, branches: draft.branches.map((branch) => ({ ...branch, title: 'x' })) }))
    const before = now().scenario
    editOrRefuse(session, (draft) => ({ ...draft, branches: [] }))
    expect(now().scenario).toEqual(before)
  })

  test('are in the text of the trunk and in what is kept for another visit; of a branch the text says what is edited', async () => {
    await forkHere(session)
    editOrRefuse(session, (draft) => setWorkers(draft, 6))
    expect(scenarioAsText(now())).toBe(now().draft)
    expect(scenarioToSave(now())).toBe(now().whole)
    showBranch(session, null)
    expect(scenarioAsText(now())).toBe(now().whole)
    expect(scenarioToSave(now()).branches).toHaveLength(1)
    editOrRefuse(session, () => trunk)
    expect(now().whole.branches).toEqual([])
    beginBranch(session, trunk, 9, [0, 0])
    editOrRefuse(session, (draft) => ({ ...draft, branches: [{ at: 4, title: '' }] }))
    expect(now().draftProblems[0]).toMatchObject({ path: 'branches', message: 'a branch has no branches of its own' })
  })
})
