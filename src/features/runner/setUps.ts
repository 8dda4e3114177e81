import type { Micros } from '../../scenario/model/scenario.ts'
import type { StagePlan } from './protocol.ts'

/** The scheduler gets a new cost of a change of stage when it has changed by this factor. */
const FACTOR = 1.25
/** The most new costs in a run: each begins a phase. */
const MAX_CHANGES = 32
/** The share of a new measurement in the mean of its stage. */
const NEWEST = 0.25

export type SetUps = ReturnType<typeof createSetUps>

/** Measures what a change of stage costs: the mean over the stages of what their set-ups take, a stage without one counting as 0. The next run begins with it. */
export function createSetUps(plans: readonly StagePlan[]) {
  const means = Float64Array.from(plans, ({ setUp }) => (setUp === null ? 0 : Number.NaN))
  let latest: Micros = plans.some(({ setUp }) => setUp !== null) ? 1 : 0
  let times = 0
  return {
    /** Begins a run. Returns what a change of stage costs, as far as it is known: 1 if it is known only that it costs something. */
    begin(): Micros {
      times = 0
      return latest
    },
    /** Notes how long a set-up took. Returns the cost of a change of stage if the scheduler should get it. */
    take(stage: number, took: Micros): Micros | null {
      means[stage] = Number.isNaN(means[stage]) ? took : means[stage] + NEWEST * (took - means[stage])
      // Stages without a measurement yet are taken to be like the others.
      const known = means.filter((mean) => !Number.isNaN(mean))
      const cost = Math.max(1, Math.round(known.reduce((sum, mean) => sum + mean, 0) / known.length))
      if (times === MAX_CHANGES || (cost < latest * FACTOR && cost * FACTOR > latest)) return null
      latest = cost
      times++
      return cost
    },
  }
}
