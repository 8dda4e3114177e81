import { createStore } from 'zustand/vanilla'
import { isWhole } from '../../../measures/figures/comparison.ts'
import { type Standing, standingsOf } from '../../../measures/figures/confidence.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { MAX_SEED } from '../../../scenario/model/limits.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { part } from '../../session/session.ts'
import { study } from '../../session/study/study.ts'
import { type Entrant, entrantsKey } from './entrants.ts'

/** How many other seeds a comparison may be checked with. */
export const seedCounts = [10, 20, 50, 100] as const
/** More services take minutes. */
const MAX_SERVICES = 200_000_000

/** What the same comparison came to with other seeds. */
export interface SeedCheck {
  readonly seeds: number
  /** By the key of the entrant. */
  readonly standings: ReadonlyMap<string, CheckedEntrant>
}

export interface CheckedEntrant {
  /** In how many runs not every job got through: such an entrant has no standing. */
  readonly unfinished: number
  readonly makespan: Standing | null
  readonly meanFlowTime: Standing | null
}

interface CheckQuestion {
  readonly entrants: readonly Entrant[]
  readonly seeds: number
}

export const checkingStore = part(() => createStore<{ readonly seeds: number }>(() => ({ seeds: 20 })))

/** Plays every entrant with the same other seeds, on all cores. A result stays valid when another number of seeds is chosen. */
export const checkingStudy = study<CheckQuestion, SeedCheck>({
  key: ({ entrants }) => entrantsKey(entrants),
  async work({ entrants, seeds }, { signal, progress }) {
    const metrics = entrants.map((): Metrics[] => [])
    const plays = Array.from({ length: seeds * entrants.length }, (_, k) => {
      const { scenario } = entrants[k % entrants.length]
      return { ...scenario, seed: (scenario.seed + 1 + Math.floor(k / entrants.length)) % (MAX_SEED + 1) }
    })
    await runJobs('metrics', plays, {
      signal,
      progress,
      answer(k, result) {
        metrics[k % entrants.length][Math.floor(k / entrants.length)] = result
      },
    })
    return { seeds, standings: standingsBy(entrants, metrics) }
  },
})

export function isTooLarge(entrants: readonly Entrant[], seeds: number): boolean {
  return entrants.reduce((sum, { scenario }) => sum + countJobs(scenario.source) * scenario.stages.length * seeds, 0) > MAX_SERVICES
}

function standingsBy(entrants: readonly Entrant[], metrics: readonly (readonly Metrics[])[]): ReadonlyMap<string, CheckedEntrant> {
  const unfinished = metrics.map((runs) => runs.filter((run) => !isWhole(run)).length)
  const whole = metrics.filter((_, k) => unfinished[k] === 0)
  const [makespans, flowTimes] = (['makespan', 'meanFlowTime'] as const).map((key) =>
    whole.length > 0 ? standingsOf(whole.map((runs) => runs.map((run) => run[key]))) : [],
  )
  let next = 0
  return new Map(
    entrants.map(({ key }, k): readonly [string, CheckedEntrant] => {
      if (unfinished[k] > 0) return [key, { unfinished: unfinished[k], makespan: null, meanFlowTime: null }]
      const place = next++
      return [key, { unfinished: 0, makespan: makespans[place], meanFlowTime: flowTimes[place] }]
    }),
  )
}
