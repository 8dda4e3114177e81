import { coresOf, onCores } from '../../../features/reality/page/reality.ts'
import type { LowerBound } from '../../../measures/figures/lowerBound.ts'
import { makespanOf } from '../../../measures/figures/totals.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Compared } from '../../../runs/study/compare.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import type { Run } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'
import { type Entrant, entrantsUnder, playsAtOnce } from '../policies/entrants.ts'

/** How a finished run compares with others of the same jobs. */
export type Verdict =
  | { readonly engine: 'simulation'; readonly baseline: Baseline | null; readonly bound: LowerBound; readonly distance: number; readonly better: Better | null }
  | { readonly engine: 'threads'; readonly real: Micros; readonly simulated: Micros }

export interface Baseline {
  readonly kind: PolicyKind
  /** How many times as long as the run it takes. */
  readonly times: number
}

/** A policy with a shorter mean flow time. */
export interface Better {
  readonly kind: PolicyKind
  /** The share of the mean flow time that it saves. */
  readonly saved: number
}

type Played = ReadonlyMap<string, Compared>

/** A run is compared with the first of these that completes all jobs. With fewer workers than stages, every fixed allocation leaves a stage without workers. */
const baselines: readonly PolicyKind[] = ['onePerStage', 'single']
/** The policies that are checked for a shorter mean flow time. */
const rivals: readonly PolicyKind[] = ['leastScore', 'longestQueue', 'backpressure', 'sinkFirst']
/** A smaller share is not worth a word. */
const WORTH_SAYING = 0.05

/** The runs to compare with, by scenario and engine. */
const playedBefore = part(() => ({ simulation: new WeakMap<Scenario, Played>(), threads: new WeakMap<Scenario, Played>() }))

/**
 * Plays the jobs of a run that has ended under other policies, those of a real run in the simulation, and returns the verdict. Null if
 * that would take long, if not all jobs came through, or if it is not wanted any more.
 */
export async function judgeRun(session: Session, run: Run, signal: AbortSignal): Promise<Verdict | null> {
  if (run.trace.ending !== 'drained') return null
  const real = isRealTime(run.trace.engine)
  const entrants = real ? simulated(run) : entrantsUnder(run.scenario, [...new Set([run.scenario.policy.kind, ...baselines, ...rivals])])
  if (!playsAtOnce(entrants)) return null
  const before = playedBefore(session)[real ? 'threads' : 'simulation']
  const played = before.get(run.scenario) ?? (await playAll(entrants, signal))
  if (played === null) return null
  before.set(run.scenario, played)
  const own = played.get(run.scenario.policy.kind)
  if (own?.ending !== 'drained') return null
  const makespan = makespanOf(run.trace)
  if (real) return { engine: 'threads', real: makespan, simulated: own.metrics.makespan }
  // A record of another version, or of a run by hand, is not the run that was played here.
  return own.metrics.makespan === makespan && makespan > 0 ? verdictOn(run.scenario.policy.kind, own, played) : null
}

function simulated(run: Run): readonly Entrant[] {
  const { scenario } = run
  return [{ key: scenario.policy.kind, name: '', scenario: onCores(scenario, coresOf(run)) }]
}

/** Runs them one after another, on a single thread: the page keeps the other cores. */
async function playAll(entrants: readonly Entrant[], signal: AbortSignal): Promise<Played | null> {
  const threads = openJobThreads(1, signal)
  const played = new Map<string, Compared>()
  try {
    for (const { key, scenario } of entrants) played.set(key, await threads.run('compare', { scenario, record: false }))
    return played
  } catch {
    return null
  } finally {
    threads.end()
  }
}

function verdictOn(kind: PolicyKind, own: Compared, played: Played): Verdict {
  const fair = (other: PolicyKind) => other !== kind && played.get(other)?.metrics.completed === own.metrics.completed
  const flowOf = (other: PolicyKind) => played.get(other)?.metrics.meanFlowTime ?? Number.POSITIVE_INFINITY
  const base = kind === baselines[0] ? undefined : baselines.find(fair)
  const best = rivals.filter(fair).reduce((least, other) => (flowOf(other) < flowOf(least) ? other : least), kind)
  const saved = 1 - flowOf(best) / own.metrics.meanFlowTime
  return {
    engine: 'simulation',
    baseline: base === undefined ? null : { kind: base, times: (played.get(base)?.metrics.makespan ?? 0) / own.metrics.makespan },
    bound: own.bound,
    distance: own.bound.time > 0 ? own.metrics.makespan / own.bound.time - 1 : 0,
    better: best !== kind && saved >= WORTH_SAYING ? { kind: best, saved } : null,
  }
}
