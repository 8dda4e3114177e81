import type { Run } from '../../../app/session/run/runStore.ts'
import { study } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import { weighsWork } from '../../../measures/decisions/targetWords.ts'
import { answerOf } from '../../../measures/figures/comparison.ts'
import type { LowerBound } from '../../../measures/figures/lowerBound.ts'
import { bottleneckOf, peaksOf, type StagePeak } from '../../../measures/figures/occupancy.ts'
import { withMeasuredServices } from '../../../measures/figures/serviceCosts.ts'
import { makespanOf } from '../../../measures/figures/totals.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Compared } from '../../../runs/study/compare.ts'
import { setOptions, setWorkers } from '../../../scenario/edit/edits.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Micros, Policy, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { fixed, MULTIPLE, percent, percentUp, timesAsLong } from '../../../views/drawing/format.ts'
import { type Entrant, entrantsKey, entrantsUnder, withPolicy } from './comparing.ts'

/** How a finished run compares with others of the same jobs. */
export type Verdict = ({ readonly engine: 'simulation' } & Answers) | RealVerdict

export interface RealVerdict {
  readonly engine: 'threads'
  readonly real: Micros
  readonly simulated: Micros
  readonly more: Try | null
}

export interface Answers {
  readonly baseline: Baseline | null
  readonly bound: LowerBound
  readonly distance: number
  /** The best change that costs nothing: another policy, batches, the place of a worker. Null: none saves enough to mention. */
  readonly free: Try | null
  readonly more: Try | null
}

/** A change of the scenario, the answer of the run with it, and how much less that is; of a real run, simulated with its service times. */
export interface Try extends Change {
  readonly answer: Micros
  readonly gain: Micros
}

interface Change {
  readonly key: string
  readonly name: string
  edit(scenario: Scenario): Scenario
}

/** A policy, and its answer divided by that of the run. */
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
  const played = (key: string, scenario: Scenario): Entrant => ({ key, name: '', scenario })
  const more = (scenario: Scenario) =>
    scenario.workers < MAX_WORKERS ? [played(MORE, oneMore(run).edit(scenario))] : []
  if (isRealTime(trace.engine)) {
    // The times of a real run hold what shared cores cost already.
    const measured = withMeasuredServices(onCores(scenario, scenario.workers), trace)
    return [played(kind, onCores(scenario, coresOf(run))), played(MEASURED, measured), ...more(measured)]
  }
  return [
    ...entrantsUnder(scenario, [...new Set([kind, ...baselines, ...rivals])]),
    ...rearrangements(run).map(({ key, edit }) => played(key, edit(scenario))),
    ...more(scenario),
  ]
}

const MORE = 'more'
const MEASURED = 'measured'

/** Returns the bottleneck of a run that has ended. */
export function bottleneckOfRun({ trace, chart }: Pick<Run, 'trace' | 'chart'>): StagePeak {
  extendChart(chart)
  return bottleneckOf(trace, chart)
}

/**
 * Returns why the longest queue is not at the bottleneck: a policy that weighs work gives its stage few workers while less work waits
 * there. Empty if it is at the bottleneck.
 */
export function longestSentence({ trace, chart }: Run): string {
  const bottleneck = bottleneckOf(trace, chart)
  const longest = peaksOf(trace, chart).reduce((most, peak) => (peak.waiting > most.waiting ? peak : most), bottleneck)
  if (longest === bottleneck || longest.waiting === bottleneck.waiting) return ''
  const { stages, policy } = trace.scenario
  const { finished, serviceSum } = trace.head.counts
  const workAt = ({ stage, waiting }: StagePeak) => (waiting * serviceSum[stage]) / finished[stage]
  const values = { stage: stages[longest.stage].name, n: longest.waiting }
  return weighsWork(policy.kind) && workAt(longest) < workAt(bottleneck)
    ? t('{stage} waits because its work is small: {n, plural, one {# job} other {# jobs}}.', values)
    : t('The longest queue is at {stage}: {n, plural, one {# job} other {# jobs}}.', values)
}

/** Returns the change to one more worker. A fixed allocation gets it at the bottleneck. */
function oneMore(run: Run): Change {
  const to = bottleneckOfRun(run).stage
  return {
    key: MORE,
    name: t('One worker more'),
    edit: (scenario) => withSeats(setWorkers(scenario, scenario.workers + 1), scenario.policy, { [to]: 1 }),
  }
}

/** Returns the changes of batches and of places that may help. */
function rearrangements(run: Run): readonly Change[] {
  const { batch, policy, switchCost, groupSwitchCost, stages } = run.scenario
  const changes: Change[] = []
  if (switchCost + groupSwitchCost > 0 && batch.adaptive !== true)
    changes.push({
      key: 'batch',
      name: t('Adaptive batches'),
      edit: (scenario) => setOptions(scenario, { batch: { adaptive: true, inHand: scenario.batch.inHand } }),
    })
  if (policy.kind !== 'fixed') return changes
  const peaks = peaksOf(run.trace, run.chart)
  const to = bottleneckOfRun(run).stage
  const spare = peaks.filter(({ stage }) => stage !== to && (policy.allocation[stages[stage].id] ?? 0) > 1)
  if (spare.length === 0) return changes
  const from = spare.reduce((least, peak) => (peak.utilisation < least.utilisation ? peak : least)).stage
  changes.push({
    key: 'place',
    name: t('A worker from {from} to {to}', { from: stages[from].name, to: stages[to].name }),
    edit: (scenario) => withSeats(scenario, scenario.policy, { [from]: -1, [to]: 1 }),
  })
  return changes
}

/** Returns the scenario with the seats of a fixed policy, changed by stage. */
function withSeats(scenario: Scenario, policy: Policy, by: Readonly<Record<number, number>>): Scenario {
  if (policy.kind !== 'fixed') return scenario
  const seats = scenario.stages.map(({ id }, s) => [id, (policy.allocation[id] ?? 0) + (by[s] ?? 0)] as const)
  return { ...scenario, policy: { ...policy, allocation: Object.fromEntries(seats) } }
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
    const more = base === undefined ? null : tried(run, oneMore(run), base, played)
    return { engine: 'threads', real: makespan, simulated: replayed.metrics.makespan, more }
  }
  // A record of another version, or of a run by hand, is not the run that was played here.
  return replayed.metrics.makespan === makespan && makespan > 0
    ? { engine: 'simulation', ...answersOf(run, replayed, played) }
    : null
}

function answersOf(run: Run, replayed: Compared, played: PlayedRuns): Answers {
  const { metrics, bound } = replayed
  const { scenario } = run
  const { kind } = scenario.policy
  const outcome = (change: Change) => tried(run, change, replayed, played) ?? []
  const base = (kind === 'fixed' ? [] : baselines)
    .filter((other) => other !== kind)
    .flatMap((key) => outcome(policyChange(key)))[0]
  const free = [...rivals.map(policyChange), ...rearrangements(run)].flatMap(outcome)
  const best = free.reduce((most: Try | null, each) => (each.gain > (most?.gain ?? 0) ? each : most), null)
  const answer = answerOf(scenario, metrics)
  return {
    baseline: base === undefined ? null : { kind: base.key as PolicyKind, times: base.answer / answer },
    bound,
    distance: bound.time > 0 ? metrics.makespan / bound.time - 1 : 0,
    free: best !== null && best.gain >= MIN_SHOWN_GAIN * answer ? best : null,
    more: tried(run, oneMore(run), replayed, played),
  }
}

function policyChange(kind: PolicyKind): Change {
  return { key: kind, name: policies[kind].name(), edit: (scenario) => withPolicy(scenario, kind) }
}

/** Returns what a change gains over the base; null if not all of its jobs were completed. */
function tried({ scenario }: Run, change: Change, { metrics: base }: Compared, played: PlayedRuns): Try | null {
  const found = played.get(change.key)?.metrics
  if (found?.completed !== base.completed) return null
  const answer = answerOf(scenario, found)
  return { ...change, answer, gain: answerOf(scenario, base) - answer }
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
    ? t('No run can end earlier.')
    : t('No run can end more than {share} earlier.', { share: percentUp(distance / (1 + distance)) })
}
