import { range, sum } from 'd3-array'
import { greatest, type Steps } from '../../../measures/series/steps.ts'
import { chartOf, playTrial, sampledMeans, type TrialOptions } from '../../../runs/play/play.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { type Oscillation, oscillationOf } from '../measure/tuning.ts'

/** How the control loop of one stage behaved. */
export type Swing = Oscillation & { readonly stage: number; readonly workers: number }

/** Queue and workers of all stages together, as means over intervals of `every` from time 0 on. */
export type Trajectory = { readonly every: Micros } & Readonly<Record<'queue' | 'workers', readonly number[]>>

/**
 * Plays an elastic scenario and returns the swing of one stage between `from` and `to`: of the stages whose queue swings
 * steadily the widest, or the widest of all if none does.
 */
export async function playSwing(scenario: Scenario, from: Micros, to: Micros, options: TrialOptions = {}): Promise<Swing> {
  const { policy } = scenario
  const chart = chartOf(await playTrial(scenario, options))
  const every = isElastic(policy) ? policy.every : 1
  const swings = chart.queues.map((queue, stage) => ({ ...oscillationOf(queue, from, to, every), stage, workers: greatest(chart.seats[stage]) }))
  const width = ({ steady, most, least }: Swing) => (steady ? 1e15 : 0) + most - least
  return swings.reduce((best, each) => (width(each) > width(best) ? each : best))
}

/** Plays a scenario and returns its queues and pools over time, in this many samples. */
export async function playTrajectory(scenario: Scenario, samples: number, options: TrialOptions = {}): Promise<Trajectory> {
  const trace = await playTrial(scenario, options)
  const { queues, seats } = chartOf(trace)
  const every = Math.max(1, endOf(trace) / samples)
  const together = (all: readonly Steps[]) => {
    const each = all.map((steps) => sampledMeans(steps, samples * every, samples))
    return range(samples).map((k) => sum(each, (one) => one[k]))
  }
  return { every, queue: together(queues), workers: together(seats) }
}
