import { availableParallelism } from 'node:os'
import { resourceUsage } from 'node:process'
import {
  CHAINS,
  DEFAULT_RUNS,
  type FinderMeasure,
  findWorst,
  playFinderTask,
} from '../../src/features/finder/finder.ts'
import type { PolicyKind } from '../../src/scenario/model/scenario.ts'

const contests: readonly (readonly [worse: PolicyKind, than: PolicyKind, measure: FinderMeasure, wanted: number])[] = [
  ['leastScore', 'sinkFirst', 'meanFlowTime', 2.5],
  ['jefferson', 'leastScore', 'makespan', 2],
  ['leastScore', 'jefferson', 'makespan', 2.5],
  ['onePerStage', 'leastScore', 'makespan', 7],
]

/** How much worse a policy is in the scenarios that the finder finds with its usual number of trials, and its time on one thread. */
export default async function ({ quick }: { quick: boolean }) {
  const rows = []
  for (const [worse, than, measure, wanted] of contests) {
    const before = resourceUsage().userCPUTime
    const found = await findWorst(
      { worse, than, measure, seed: 1, runs: quick ? 200 : DEFAULT_RUNS, around: null },
      { play: playFinderTask },
    )
    const seconds = (resourceUsage().userCPUTime - before) / 1e6
    const threads = Math.min(CHAINS, availableParallelism())
    const figures = {
      ratio: found?.ratio ?? null,
      'at least': wanted,
      trials: found?.runs ?? 0,
      'processor s': seconds,
      's a thread': seconds / threads,
    }
    rows.push({ name: `${worse} against ${than}, ${measure}`, figures })
  }
  return rows
}
