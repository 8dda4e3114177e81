import type { LoadCode } from '../../engine/engine.ts'
import { createSimulation } from '../../engine/simulation/simulation.ts'
import { loadCode } from '../../features/code/sandbox/loadCode.ts'
import { type Oscillation, oscillationOf } from '../../features/pools/measure/tuning.ts'
import { type Metrics, metricsOf } from '../../measures/figures/metrics.ts'
import { createChart, extendChart } from '../../measures/series/chart.ts'
import { greatest, means, type Steps } from '../../measures/series/steps.ts'
import type { Journal } from '../../pipeline/journal.ts'
import { countOf, FINISHED } from '../../pipeline/rows.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { endOf, type Trace } from '../../trace/trace.ts'
import { record } from './record.ts'

/** What the caller may pass to every function here. */
export interface TrialOptions {
  /** Where the code of policies runs, if several runs share a sandbox. */
  readonly loadCode?: LoadCode | undefined
  /** Called every few milliseconds; a thread lets messages in here. */
  readonly breathe?: (() => Promise<void>) | undefined
  /** Told the share of the services that are done, 0 to 1. */
  readonly progress?: ((share: number) => void) | undefined
}

/** How the control loop of one stage behaved. */
export interface Swing extends Oscillation {
  /** The index of the stage. */
  readonly stage: number
  /** The most workers that its pool had. */
  readonly workers: number
}

/** Queue and workers of all stages together, as means over intervals of `every` from time 0 on. */
export interface Trajectory {
  readonly every: Micros
  readonly queue: readonly number[]
  readonly workers: readonly number[]
}

/** Plays a scenario in the simulation and returns its metrics. */
export async function playMetrics(scenario: Scenario, options: TrialOptions = {}): Promise<Metrics> {
  return metricsOf(await playTrial(scenario, options))
}

/** What a small picture of a run shows: the queue and seats of each stage, as means over equal parts of the run. */
export interface Glimpse {
  /** By stage, then by sample. */
  readonly queues: readonly (readonly number[])[]
  readonly seats: readonly (readonly number[])[]
}

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
    const each = all.map((steps) => sampled(steps, samples * every, samples))
    return Array.from({ length: samples }, (_, k) => each.reduce((sum, one) => sum + one[k], 0))
  }
  return { every, queue: together(queues), workers: together(seats) }
}

/** Plays a scenario and returns the queue and seats of each stage, in this many samples from time 0 to the end. */
export async function playGlimpse(scenario: Scenario, samples: number, options: TrialOptions = {}): Promise<Glimpse> {
  const trace = await playTrial(scenario, options)
  const { queues, seats } = chartOf(trace)
  const end = Math.max(1, endOf(trace))
  const samplesOf = (steps: Steps) => sampled(steps, end, samples)
  return { queues: queues.map(samplesOf), seats: seats.map(samplesOf) }
}

/** Returns the means over so many equal parts of the time until `end`. */
function sampled(steps: Steps, end: Micros, samples: number): number[] {
  const mean = new Float64Array(samples)
  means(steps, 0, end, samples, mean)
  return Array.from(mean)
}

function chartOf(trace: Trace) {
  const chart = createChart(trace)
  extendChart(chart, trace)
  return chart
}

/** Plays a scenario in the simulation and returns the trace; `heard` gets each journal before it is cleared. */
export function playTrial(
  scenario: Scenario,
  { breathe, progress, loadCode: load = loadCode }: TrialOptions,
  heard?: (journal: Journal) => void,
): Promise<Trace> {
  const services = countJobs(scenario.source) * scenario.stages.length
  let served = 0
  return record(createSimulation(breathe, undefined, load), 'simulation', scenario, 0, (journal) => {
    heard?.(journal)
    served += countOf(journal.rows, FINISHED)
    progress?.(services > 0 ? Math.min(1, served / services) : 1)
  })
}
