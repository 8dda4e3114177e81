import { t } from '../../../language/translate.ts'
import { MAX_PHASES, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { countText } from '../../../scenario/model/words.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { meanOf } from './arrivalRates.ts'
import { evenBounds } from './pieces.ts'
import type { Samples } from './samples.ts'

/** The workers of each stage from a time on. */
export interface Crew {
  readonly at: Micros
  readonly workers: readonly number[]
}

/** Returns the crews of a log over time: as they were, or in as many equal stretches as a scenario has phases if they changed more often. */
export function crewsOf({ time, stages }: Samples): { readonly crews: readonly Crew[]; readonly exact: boolean } {
  const at = (k: number): Crew => ({ at: time[k], workers: stages.map(({ workers }) => workers[k]) })
  let crews = Array.from(time, (_, k) => at(k)).filter((crew, k, all) => k === 0 || differ(crew, all[k - 1]))
  const exact = crews.length <= MAX_PHASES
  if (!exact) {
    const bounds = evenBounds(time.length, MAX_PHASES - 1)
    const mean = (from: number, to: number) => stages.map(({ workers }) => Math.max(1, Math.round(meanOf(workers, from, to))))
    crews = bounds.slice(1).map((to, k) => ({ at: time[bounds[k]], workers: mean(bounds[k], to) }))
    crews = crews.filter((crew, k, all) => k === 0 || differ(crew, all[k - 1]))
  }
  const [end, last] = [time[time.length - 1] + 1, crews[crews.length - 1]]
  // After the log, whatever is left must be served.
  if (last.workers.includes(0)) crews = [...crews, { at: end, workers: last.workers.map((workers) => Math.max(1, workers)) }]
  const workers = mostWorkers(crews)
  if (workers > MAX_WORKERS)
    throw new Refusal(
      'workers',
      t('all stages had {workers} workers; allowed: {MAX_WORKERS}', { workers: countText(workers), MAX_WORKERS: countText(MAX_WORKERS) }),
    )
  return { crews, exact }
}

/** Returns the most workers of all stages together at one time. */
export function mostWorkers(crews: readonly Crew[]): number {
  return Math.max(1, ...crews.map(({ workers }) => workers.reduce((sum, each) => sum + each, 0)))
}

function differ(a: Crew, b: Crew): boolean {
  return a.workers.some((workers, s) => workers !== b.workers[s])
}
