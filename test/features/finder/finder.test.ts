import { describe, expect, test } from 'vitest'
import {
  type FinderQuestion,
  type FinderTask,
  findWorst,
  playContest,
  playFinderTask,
} from '../../../src/features/finder/finder.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import { leastTotalTimeCode } from '../../../src/scenario/model/policies.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'
import { inFull, repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const RUNS = inFull ? 500 : 120
const question = (more: Partial<FinderQuestion> = {}): FinderQuestion => ({
  ...{ worse: 'leastScore', than: 'sinkFirst', measure: 'meanFlowTime', seed: 7, runs: RUNS, around: null },
  ...more,
})
const here = { play: playFinderTask }

describe('the finder', () => {
  test.each([
    ['leastScore', 'sinkFirst', 'meanFlowTime'],
    ['onePerStage', 'leastScore', 'p99FlowTime'],
  ] as const)(
    'finds where %s does worse than %s in %s, within its bounds, as its own scenario plays again',
    async (worse, than, measure) => {
      const found = await findWorst(question({ worse, than, measure }), here)
      if (found === null) throw new Error('nothing was found')
      const { scenario, ratio, runs } = found
      expect(ratio).toBeGreaterThan(1.05)
      expect(runs).toBeLessThanOrEqual(RUNS)
      expect(scenario.stages.length).toBeLessThanOrEqual(8)
      expect(scenario.workers).toBeLessThanOrEqual(16)
      expect(countJobs(scenario.source)).toBeLessThanOrEqual(48)
      expect(scenario.policy.kind).toBe(worse)
      const again = scenarioWith(compact(scenario))
      expect(again).toEqual(scenario)
      const both = await playContest({ worse, than, measure }, again)
      const [one, other] = both?.map(metricsOf) ?? []
      expect([one.completed, other.completed]).toEqual([one.jobs, one.jobs])
      expect(one[measure] / other[measure]).toBe(ratio)
    },
  )

  test('finds the same for code that equals a built-in policy', async () => {
    const code = { kind: 'code', name: 'Mine', source: leastTotalTimeCode, lend: true } as const
    const runs = repeats(120)
    const built = await findWorst(question({ runs }), here)
    const own = await findWorst(question({ worse: 'code', code, runs }), here)
    expect(own).toEqual({ ...built, scenario: { ...built?.scenario, policy: code } })
  })

  test('finds the same with the same seed, in any order of answers, and something else with another seed', async () => {
    const own = await findWorst(question(), here)
    // Later tasks are played first, and answered after a while.
    const waiting: (() => void)[] = []
    const late = async (task: FinderTask) => {
      const turn = new Promise<void>((go) => waiting.unshift(go))
      setTimeout(() => waiting.shift()?.())
      await turn
      return playFinderTask(task)
    }
    expect(await findWorst(question(), { play: late })).toEqual(own)
    expect(await findWorst(question({ seed: 8 }), here)).not.toEqual(own)
  })

  test('simplifies its result and loses at most a hundredth', async () => {
    let before = { ratio: 0, size: 0 }
    const sizeOf = (text: object) => JSON.stringify(text).length
    const play = (task: FinderTask) => {
      if (task.kind === 'shrink') before = { ratio: task.found.ratio, size: sizeOf(compact(task.found.scenario)) }
      return playFinderTask(task)
    }
    const found = await findWorst(question({ runs: 2 * RUNS }), { play })
    expect(found?.ratio).toBeGreaterThanOrEqual(before.ratio * 0.99)
    expect(found === null ? Infinity : sizeOf(compact(found.scenario))).toBeLessThan(before.size * 0.8)
  })

  test('around a scenario changes its numbers, arrivals and faults, and never adds a stage', async () => {
    const links = [
      ['source', 'A'],
      ['A', 'B'],
      ['A', 'C'],
      ['B', 'sink'],
      ['C', 'sink'],
    ] as const
    const around = scenarioWith({
      stages: ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'exponential', mean: 4000 } })),
      links,
      source: { kind: 'poisson', rate: 500, jobs: 5000 },
      workers: 4,
      workerEvents: [{ at: 5000, kind: 'leave', worker: 1 }],
    })
    const found = await findWorst(question({ around, runs: RUNS }), here)
    if (found === null) throw new Error('nothing was found')
    expect(found.ratio).toBeGreaterThan(1)
    expect(found.scenario.stages.map(({ id }) => id).every((id) => ['A', 'B', 'C'].includes(id))).toBe(true)
    expect(countJobs(found.scenario.source)).toBeLessThanOrEqual(48)
  })
})
