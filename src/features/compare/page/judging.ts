import type { Run } from '../../../app/session/run/runStore.ts'
import { study } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import type { LowerBound } from '../../../measures/figures/lowerBound.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { peaksOf, type StagePeak } from '../../../measures/figures/occupancy.ts'
import { withMeasuredServices } from '../../../measures/figures/serviceCosts.ts'
import { makespanOf } from '../../../measures/figures/totals.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Compared } from '../../../runs/study/compare.ts'
import { setStage, setWorkers } from '../../../scenario/edit/edits.ts'
import { carries, isPinned } from '../../../scenario/model/defaults.ts'
import { scaledService } from '../../../scenario/model/distributions.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros, PolicyKind, Scenario, Service } from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { duration, fixed, percent } from '../../../views/drawing/format.ts'
import { type Entrant, entrantsKey, entrantsUnder } from './comparing.ts'

/** How a finished run compares with others of the same jobs. */
export type Verdict = ({ readonly engine: 'simulation' } & Answers) | RealVerdict

/** `bottleneck`: its gain is that of a simulation with the service times of the run. */
export interface RealVerdict {
  readonly engine: 'threads'
  readonly real: Micros
  readonly simulated: Micros
  readonly bottleneck: Bottleneck
}

export interface Answers {
  readonly baseline: Baseline | null
  readonly bound: LowerBound
  readonly distance: number
  readonly bottleneck: Bottleneck
  /** The run with one more worker, and how much earlier it ends; null where the policy does not use that number. */
  readonly more: { readonly scenario: Scenario; readonly makespan: Micros; readonly gain: Micros } | null
  readonly better: { readonly kind: PolicyKind; readonly saved: number } | null
}

/** The bottleneck. `gain`: how much earlier the run ends with one more worker there; null: not played. */
export interface Bottleneck extends StagePeak {
  readonly gain: Micros | null
}

/** A policy, and its makespan divided by that of the run. */
type Baseline = { readonly kind: PolicyKind; readonly times: number }

export type PlayedRuns = ReadonlyMap<string, Compared>

/** A run is compared with the first of these that completes all jobs. With fewer workers than stages, every fixed allocation leaves a stage without workers. */
export const baselines: readonly PolicyKind[] = ['fixed', 'onePerStage', 'single']
const rivals: readonly PolicyKind[] = ['leastScore', 'longestQueue', 'backpressure', 'sinkFirst']
/** A smaller share is not mentioned. */
const MIN_SHOWN_GAIN = 0.05
/** The gain of one more worker is played at this many stages, the busiest at their peak. */
const MAX_SUSPECTS = 3

/** Returns on how many cores a real run is simulated: in a room each worker has one of its own. */
export function coresOf({ trace, scenario }: Pick<Run, 'trace' | 'scenario'>): number {
  return trace.engine === 'room' ? Math.max(scenario.cores, scenario.workers) : scenario.cores
}

/** Returns the scenario as it is simulated beside a real run: on this number of cores, all the time. */
export function onCores(scenario: Scenario, cores: number): Scenario {
  return { ...scenario, cores, later: withoutKey(scenario.later, 'cores') }
}

/**
 * Returns the runs that a run is compared with: the same jobs under other policies, and for a real run its simulation. Null without a
 * verdict: if not all jobs were completed.
 */
export function comparableRuns(run: Run): readonly Entrant[] | null {
  const { trace, scenario } = run
  if (trace.ending !== 'drained' || trace.begins !== null) return null
  const { kind } = scenario.policy
  const real = isRealTime(trace.engine)
  // The times of a real run hold what shared cores cost already.
  const measured = real ? withMeasuredServices(onCores(scenario, scenario.workers), trace) : scenario
  const entrant = (key: string, scenario: Scenario): Entrant => ({ key, name: '', scenario })
  const suspects = busiest(run).map(({ stage }) =>
    entrant(stageKey(stage), withWorkerAt({ ...run, scenario: measured }, stage)),
  )
  if (real) return [entrant(kind, onCores(scenario, coresOf(run))), entrant(MEASURED, measured), ...suspects]
  const more = usesWorkers(scenario) ? [entrant(MORE, setWorkers(scenario, scenario.workers + 1))] : []
  return [...entrantsUnder(scenario, [...new Set([kind, ...baselines, ...rivals])]), ...more, ...suspects]
}

const MORE = 'more'
const MEASURED = 'measured'
const stageKey = (stage: number) => `stage ${stage}`

const usesWorkers = ({ policy, workers }: Scenario) =>
  workers < MAX_WORKERS && (policy.kind === 'fixed' || carries(policy.kind) || !isPinned(policy.kind))

/** Returns the stages that were busiest at their peak, the busiest first. */
function busiest({ trace, chart }: Run): readonly StagePeak[] {
  extendChart(chart)
  const order = (a: StagePeak, b: StagePeak) => b.utilisation - a.utilisation || b.waiting - a.waiting
  return [...peaksOf(trace, chart)].sort(order).slice(0, MAX_SUSPECTS)
}

/**
 * Returns the scenario with one more worker's work at a stage. A fixed allocation gets that worker. Elsewhere workers move, so that none
 * belongs to a stage: its services are shortened as if the workers there at its peak were one more.
 */
export function withWorkerAt({ scenario, trace, chart }: Run, stage: number): Scenario {
  const { id, service, changes } = scenario.stages[stage]
  const { policy, workers } = scenario
  if (policy.kind === 'fixed' && workers < MAX_WORKERS)
    return {
      ...scenario,
      workers: workers + 1,
      policy: { ...policy, allocation: { ...policy.allocation, [id]: (policy.allocation[id] ?? 0) + 1 } },
    }
  const there = Math.max(1, peaksOf(trace, chart)[stage].busy)
  const shorter = (service: Service) => scaledService(service, there / (there + 1))
  return setStage(scenario, id, {
    service: shorter(service),
    changes: changes.map(({ from, service }) => ({ from, service: shorter(service) })),
  })
}

/** Plays the entrants one after another, on a single thread: the page keeps the other cores. */
export async function playEach(
  entrants: readonly Entrant[],
  { signal }: { readonly signal: AbortSignal },
): Promise<PlayedRuns> {
  const threads = openJobThreads(1, signal)
  const played = new Map<string, Compared>()
  try {
    for (const { key, scenario } of entrants) played.set(key, await threads.run('compare', { scenario, record: false }))
    return played
  } finally {
    threads.end()
  }
}

export const judgingStudy = study<readonly Entrant[], PlayedRuns>({ key: entrantsKey, work: playEach })

/** Returns the verdict on a run; null if it cannot be compared with the played runs. */
export function verdictOn(run: Run, played: PlayedRuns): Verdict | null {
  const { trace, scenario } = run
  const replayed = played.get(scenario.policy.kind)
  if (replayed?.ending !== 'drained') return null
  const makespan = makespanOf(trace)
  if (isRealTime(trace.engine)) {
    const measured = played.get(MEASURED)?.metrics.makespan ?? Number.NaN
    const bottleneck = bottleneckOf(run, (stage) => gainOf(measured, played.get(stageKey(stage))?.metrics))
    return { engine: 'threads', real: makespan, simulated: replayed.metrics.makespan, bottleneck }
  }
  // A record of another version, or of a run by hand, is not the run that was played here.
  return replayed.metrics.makespan === makespan && makespan > 0
    ? { engine: 'simulation', ...answersOf(run, replayed, played) }
    : null
}

function answersOf(run: Run, { metrics, bound }: Compared, played: PlayedRuns): Answers {
  const { kind } = run.scenario.policy
  const { makespan, meanFlowTime, completed } = metrics
  const whole = (key: string) => {
    const other = played.get(key)?.metrics
    return other?.completed === completed ? other : undefined
  }
  const base = kind === 'fixed' ? undefined : baselines.find((other) => other !== kind && whole(other))
  const flowOf = (other: PolicyKind) => whole(other)?.meanFlowTime ?? Number.POSITIVE_INFINITY
  const best = rivals.reduce((least, other) => (flowOf(other) < flowOf(least) ? other : least), kind)
  const saved = 1 - flowOf(best) / meanFlowTime
  const bottleneck = bottleneckOf(run, (stage) => gainOf(makespan, whole(stageKey(stage))))
  // A fixed allocation gets the worker where it helps most.
  const change =
    kind === 'fixed' ? withWorkerAt(run, bottleneck.stage) : setWorkers(run.scenario, run.scenario.workers + 1)
  const gain = usesWorkers(run.scenario) ? (kind === 'fixed' ? bottleneck.gain : gainOf(makespan, whole(MORE))) : null
  return {
    baseline: base === undefined ? null : { kind: base, times: (whole(base)?.makespan ?? 0) / makespan },
    bound,
    distance: bound.time > 0 ? makespan / bound.time - 1 : 0,
    bottleneck,
    more: gain === null ? null : { scenario: change, makespan: makespan - gain, gain },
    better: best !== kind && saved >= MIN_SHOWN_GAIN ? { kind: best, saved } : null,
  }
}

const gainOf = (makespan: Micros, other: Metrics | undefined) =>
  other === undefined ? null : makespan - other.makespan

/** Returns the stage where one more worker gains most; of equal ones, or if none was played, the busiest at its peak. */
export function bottleneckOf(run: Run, gainAt: (stage: number) => Micros | null = () => null): Bottleneck {
  const all = busiest(run).map((peak) => ({ ...peak, gain: gainAt(peak.stage) }))
  return all.reduce((best, peak) => ((peak.gain ?? 0) > (best.gain ?? 0) ? peak : best))
}

/** A smaller difference is ignored. */
const SAME = 0.005
/** From this ratio on the words are a multiple ("3 times faster"), below it a percentage. */
const TIMES = 1.5

/** Returns in words how a run compares with its baseline. */
export function baselineWords({ kind, times }: Baseline): string {
  const baseline =
    kind === 'fixed'
      ? t('with every worker fixed')
      : kind === 'onePerStage'
        ? t('one worker per stage')
        : t('one worker who does it all')
  if (times >= TIMES) return t('{times} times faster than {baseline}', { times: fixed(times, 1), baseline })
  if (times > 1 + SAME) return t('{share} less time than {baseline}', { share: percent(1 - 1 / times), baseline })
  if (times >= 1 - SAME) return t('as fast as {baseline}', { baseline })
  return t('{share} more time than {baseline}', { share: percent(1 / times - 1), baseline })
}

/** Returns the gain of a run as a sentence. */
export function gainSentence(baseline: Baseline): string {
  const words = baselineWords(baseline)
  return `${words.charAt(0).toLocaleUpperCase()}${words.slice(1)}.`
}

/** Returns the bottleneck in words, and the gain of one more worker there. */
export function bottleneckWords({ scenario }: Run, { stage, waiting, gain }: Bottleneck): string {
  const values = { stage: scenario.stages[stage].name, n: waiting }
  const held = t('{stage} held up the others: at its peak {n, plural, one {# job} other {# jobs}} waited.', values)
  if (gain === null) return held
  if (gain <= 0) return `${held} ${t('One worker more there would not help.')}`
  return `${held} ${t('One worker more there would save {time}.', { time: duration(gain) })}`
}

/** Returns how far a makespan lies above the lower bound. */
export function boundWords(distance: number): string {
  return distance < SAME / 10
    ? t('No run can be faster.')
    : t('No run can be more than {share} faster.', { share: percent(distance / (1 + distance)) })
}
