import type { Run } from '../../../app/session/run/runStore.ts'
import { study } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import type { LowerBound } from '../../../measures/figures/lowerBound.ts'
import { bottleneckOf, type StagePeak } from '../../../measures/figures/occupancy.ts'
import { withMeasuredServices } from '../../../measures/figures/serviceCosts.ts'
import { makespanOf } from '../../../measures/figures/totals.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Compared } from '../../../runs/study/compare.ts'
import { setWorkers } from '../../../scenario/edit/edits.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { fixed, MULTIPLE, percent, percentUp, timesAsLong } from '../../../views/drawing/format.ts'
import { type Entrant, entrantsKey, entrantsUnder } from './comparing.ts'

/** How a finished run compares with others of the same jobs. */
export type Verdict = ({ readonly engine: 'simulation' } & Answers) | RealVerdict

export interface RealVerdict {
  readonly engine: 'threads'
  readonly real: Micros
  readonly simulated: Micros
  readonly more: OneMore | null
}

export interface Answers {
  readonly baseline: Baseline | null
  readonly bound: LowerBound
  readonly distance: number
  readonly more: OneMore | null
  readonly better: { readonly kind: PolicyKind; readonly saved: number } | null
}

/** The run with one more worker, and how much earlier it ends; of a real run, simulated with its service times. */
interface OneMore {
  readonly scenario: Scenario
  readonly makespan: Micros
  readonly gain: Micros
}

/** A policy, and its makespan divided by that of the run. */
type Baseline = { readonly kind: PolicyKind; readonly times: number }

export type PlayedRuns = ReadonlyMap<string, Compared>

/** A run is compared with the first of these that completes all jobs. With fewer workers than stages, every fixed allocation leaves a stage without workers. */
export const baselines: readonly PolicyKind[] = ['fixed', 'onePerStage', 'single']
const rivals: readonly PolicyKind[] = ['leastScore', 'longestQueue', 'backpressure', 'sinkFirst']
/** A smaller share is not mentioned. */
const MIN_SHOWN_GAIN = 0.05
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
  const entrant = (key: string, scenario: Scenario): Entrant => ({ key, name: '', scenario })
  const more = (scenario: Scenario) =>
    scenario.workers < MAX_WORKERS ? [entrant(MORE, withOneMore(scenario, bottleneckOfRun(run).stage))] : []
  if (isRealTime(trace.engine)) {
    // The times of a real run hold what shared cores cost already.
    const measured = withMeasuredServices(onCores(scenario, scenario.workers), trace)
    return [entrant(kind, onCores(scenario, coresOf(run))), entrant(MEASURED, measured), ...more(measured)]
  }
  return [...entrantsUnder(scenario, [...new Set([kind, ...baselines, ...rivals])]), ...more(scenario)]
}

const MORE = 'more'
const MEASURED = 'measured'

/** Returns the bottleneck of a run that has ended. */
export function bottleneckOfRun({ trace, chart }: Pick<Run, 'trace' | 'chart'>): StagePeak {
  extendChart(chart)
  return bottleneckOf(trace, chart)
}

/** Returns the scenario with one more worker. A fixed allocation gets it at the bottleneck. */
function withOneMore(scenario: Scenario, bottleneck: number): Scenario {
  const { policy } = scenario
  const more = setWorkers(scenario, scenario.workers + 1)
  if (policy.kind !== 'fixed') return more
  const { id } = scenario.stages[bottleneck]
  const allocation = { ...policy.allocation, [id]: (policy.allocation[id] ?? 0) + 1 }
  return { ...more, policy: { ...policy, allocation } }
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
    const base = played.get(MEASURED)
    const more = base === undefined ? null : oneMore(run, base, played)
    return { engine: 'threads', real: makespan, simulated: replayed.metrics.makespan, more }
  }
  // A record of another version, or of a run by hand, is not the run that was played here.
  return replayed.metrics.makespan === makespan && makespan > 0
    ? { engine: 'simulation', ...answersOf(run, replayed, played) }
    : null
}

function answersOf(run: Run, replayed: Compared, played: PlayedRuns): Answers {
  const { metrics, bound } = replayed
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
  return {
    baseline: base === undefined ? null : { kind: base, times: (whole(base)?.makespan ?? 0) / makespan },
    bound,
    distance: bound.time > 0 ? makespan / bound.time - 1 : 0,
    more: oneMore(run, replayed, played),
    better: best !== kind && saved >= MIN_SHOWN_GAIN ? { kind: best, saved } : null,
  }
}

/** Returns what one more worker gains over the base; null if not all of its jobs were completed. */
function oneMore(run: Run, { metrics: base }: Compared, played: PlayedRuns): OneMore | null {
  const found = played.get(MORE)?.metrics
  if (found?.completed !== base.completed) return null
  const scenario = withOneMore(run.scenario, bottleneckOfRun(run).stage)
  return { scenario, makespan: found.makespan, gain: base.makespan - found.makespan }
}

/** A smaller difference is ignored. */
const SAME = 0.005
/** From this ratio on the words are a multiple ("3 times faster"), below it a percentage. */
const TIMES = 1.5

/** Returns how a run compares with its baseline, as a sentence. */
export function gainSentence({ kind, times }: Baseline): string {
  const baseline =
    kind === 'fixed' ? t('fixed workers') : kind === 'onePerStage' ? t('one worker per stage') : t('one worker alone')
  if (times >= TIMES) return t('{times} times faster than {baseline}.', { times: fixed(times, 1), baseline })
  if (times > 1 + SAME) return t('{share} less time than {baseline}.', { share: percent(1 - 1 / times), baseline })
  if (times >= 1 - SAME) return t('As fast as {baseline}.', { baseline })
  if (times * MULTIPLE <= 1) return t('{times} as {baseline}.', { times: timesAsLong(1 / times), baseline })
  return t('{share} more time than {baseline}.', { share: percent(1 / times - 1), baseline })
}

/** Returns how far a makespan lies above the lower bound. */
export function boundWords(distance: number): string {
  return distance < SAME / 10
    ? t('No run can be faster.')
    : t('No run can be more than {share} faster.', { share: percentUp(distance / (1 + distance)) })
}
