import type { Engine, LoadCode } from '../../engine/engine.ts'
import { createSimulation } from '../../engine/simulation/simulation.ts'
import { figuresOf, type Metrics, metricsOf, type StageMetrics } from '../../measures/figures/metrics.ts'
import { type Chart, createChart, extendChart } from '../../measures/series/chart.ts'
import { means, type Steps } from '../../measures/series/steps.ts'
import type { Journal } from '../../pipeline/journal.ts'
import { countOf, FINISHED } from '../../pipeline/rows.ts'
import type { EngineName } from '../../scenario/model/engines.ts'
import type { Micros, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { append, closeDecisions, createTrace, type Trace } from '../../trace/trace.ts'

/** Plays a scenario in the simulation on this thread. `onJournal` gets each journal before it is cleared; `loadCode` loads the sandbox for the code of a policy. */
export function playSimulation(
  scenario: Scenario,
  startedAt: number,
  onJournal?: (journal: Journal, trace: Trace) => void,
  loadCode?: LoadCode,
): Promise<Trace> {
  return record(createSimulation(undefined, undefined, loadCode), 'simulation', scenario, startedAt, onJournal)
}

/** Plays a scenario on an engine of this thread and returns the trace. `startedAt` in milliseconds since 1970. `onJournal` gets each journal before it is cleared. */
export async function record(
  engine: Engine,
  name: EngineName,
  scenario: Scenario,
  startedAt: number,
  onJournal?: (journal: Journal, trace: Trace) => void,
): Promise<Trace> {
  const trace = createTrace(scenario, name, startedAt)
  await engine.start(scenario, {
    journal(journal) {
      append(trace, journal)
      onJournal?.(journal, trace)
    },
    failure: (failure) => trace.failures.push(failure),
    ended: (ending) => {
      trace.ending = ending
      closeDecisions(trace.decisions)
    },
  })
  return trace
}

export interface TrialOptions {
  /** Where the code of policies runs, if several runs share a sandbox. */
  readonly loadCode?: LoadCode | undefined
  /** Called every few milliseconds; a thread lets messages in here. */
  readonly letMessagesIn?: (() => Promise<void>) | undefined
  /** Gets the share of the services that are done, 0 to 1. */
  readonly progress?: ((share: number) => void) | undefined
}

/** Plays a scenario in the simulation and returns its metrics. */
export async function playMetrics(scenario: Scenario, options: TrialOptions = {}): Promise<Metrics> {
  return metricsOf(await playTrial(scenario, options))
}

/** Returns the means over `samples` equal parts of the time until `end`. */
export function sampledMeans(steps: Steps, end: Micros, samples: number): number[] {
  const mean = new Float64Array(samples)
  means(steps, 0, end, samples, mean)
  return Array.from(mean)
}

/** Returns the chart of a whole run. */
export function chartOf(trace: Trace): Chart {
  const chart = createChart(trace)
  extendChart(chart)
  return chart
}

/** Plays a scenario in the simulation and returns the trace; `onJournal` gets each journal before it is cleared. */
export function playTrial(
  scenario: Scenario,
  { letMessagesIn, progress, loadCode }: TrialOptions,
  onJournal?: (journal: Journal) => void,
): Promise<Trace> {
  const services = countJobs(scenario.source) * scenario.stages.length
  let served = 0
  return record(createSimulation(letMessagesIn, undefined, loadCode), 'simulation', scenario, 0, (journal) => {
    onJournal?.(journal)
    served += countOf(journal.rows, FINISHED)
    progress?.(services > 0 ? Math.min(1, served / services) : 1)
  })
}

/** The metrics of a run as the headless command prints them. Others rely on the names and the order of the keys. */
export interface Summary extends Omit<Metrics, 'stages'> {
  readonly policy: PolicyKind
  /** No policy can finish these jobs earlier. */
  readonly lowerBound: Micros
  readonly stages: readonly StageMetrics[]
}

export function summarise(trace: Trace, { metrics, bound } = figuresOf(trace)): Summary {
  const { scenario } = trace
  const { jobs, completed, failed, makespan, ...rest } = metrics
  return { policy: scenario.policy.kind, jobs, completed, failed, makespan, lowerBound: bound.time, ...rest }
}
