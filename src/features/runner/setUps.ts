import type { Micros } from '../../scenario/model/scenario.ts'
import type { StagePlan } from './protocol.ts'

/** The scheduler is told what a change of stage costs when that has changed by this factor, and at most so often in a run: each time is a phase. */
const FACTOR = 1.25
const MAX_TOLD = 32
/** The share of a new measurement in the mean of its stage. */
const NEWEST = 0.25

export type SetUps = ReturnType<typeof createSetUps>

/** Measures what a change of stage costs: the mean over the stages of what their set-ups take, a stage without one counting as 0. Knows it for the next run. */
export function createSetUps(plans: readonly StagePlan[]) {
  const means = Float64Array.from(plans, ({ setUp }) => (setUp === null ? 0 : Number.NaN))
  let told: Micros = plans.some(({ setUp }) => setUp !== null) ? 1 : 0
  let times = 0
  return {
    /** Begins a run. Returns what a change of stage costs, as far as it is known: 1 if it is known only that it costs something. */
    begin(): Micros {
      times = 0
      return told
    },
    /** Notes how long a set-up took. Returns the cost of a change of stage if the scheduler should be told. */
    take(stage: number, took: Micros): Micros | null {
      means[stage] = Number.isNaN(means[stage]) ? took : means[stage] + NEWEST * (took - means[stage])
      // Stages that were not met yet are taken to be like the others.
      const known = means.filter((mean) => !Number.isNaN(mean))
      const cost = Math.max(1, Math.round(known.reduce((sum, mean) => sum + mean, 0) / known.length))
      if (times === MAX_TOLD || (cost < told * FACTOR && cost * FACTOR > told)) return null
      told = cost
      times++
      return cost
    },
  }
}
