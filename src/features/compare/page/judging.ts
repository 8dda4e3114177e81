import type { Run } from '../../../app/session/run/runStore.ts'
import { study } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import type { LowerBound } from '../../../measures/figures/lowerBound.ts'
import { makespanOf } from '../../../measures/figures/totals.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Compared } from '../../../runs/study/compare.ts'
import { initialWorkerCount } from '../../../scenario/model/defaults.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { fixed, percent } from '../../../views/drawing/format.ts'
import { type Entrant, entrantsKey, entrantsUnder, playsAtOnce } from './comparing.ts'

/** How a finished run compares with others of the same jobs. */
export type Verdict =
  | { readonly engine: 'simulation'; readonly baseline: Baseline | null; readonly bound: LowerBound; readonly distance: number; readonly better: Better | null }
  | { readonly engine: 'threads'; readonly real: Micros; readonly simulated: Micros }

/** A policy, and how many times as long as the run it takes. */
type Baseline = { readonly kind: PolicyKind; readonly times: number }

export type Better = { readonly kind: PolicyKind; readonly saved: number }

type Played = ReadonlyMap<string, Compared>

/** A run is compared with the first of these that completes all jobs. With fewer workers than stages, every fixed allocation leaves a stage without workers. */
const baselines: readonly PolicyKind[] = ['onePerStage', 'single']
const rivals: readonly PolicyKind[] = ['leastScore', 'longestQueue', 'backpressure', 'sinkFirst']
/** A smaller share is not worth a word. */
const WORTH_SAYING = 0.05

/** Returns on how many cores a real run is simulated: in a room each worker has one of its own. */
export function coresOf({ trace, scenario }: Pick<Run, 'trace' | 'scenario'>): number {
  return trace.engine === 'room' ? Math.max(scenario.cores, initialWorkerCount(scenario)) : scenario.cores
}

/** Returns the scenario as it is simulated beside a real run: on this number of cores, all the time. */
export function onCores(scenario: Scenario, cores: number): Scenario {
  return { ...scenario, cores, later: withoutKey(scenario.later, 'cores') }
}

/**
 * Returns the runs that a run is compared with: the same jobs under other policies, and for a real run its simulation. Null without a
 * verdict: not all jobs came through, or it would take long.
 */
export function judgedAgainst({ trace, scenario }: Run): readonly Entrant[] | null {
  if (trace.ending !== 'drained') return null
  const { kind } = scenario.policy
  const entrants = isRealTime(trace.engine)
    ? [{ key: kind, name: '', scenario: onCores(scenario, coresOf({ trace, scenario })) }]
    : entrantsUnder(scenario, [...new Set([kind, ...baselines, ...rivals])])
  return playsAtOnce(entrants) ? entrants : null
}

/** Plays the entrants one after another, on a single thread: the page keeps the other cores. */
export const judgingStudy = study<readonly Entrant[], Played>({
  key: entrantsKey,
  async work(entrants, { signal }) {
    const threads = openJobThreads(1, signal)
    const played = new Map<string, Compared>()
    try {
      for (const { key, scenario } of entrants) played.set(key, await threads.run('compare', { scenario, record: false }))
      return played
    } finally {
      threads.end()
    }
  },
})

/** Returns the verdict on a run; null if it cannot be compared with what was played. */
export function verdictOn({ trace, scenario }: Run, played: Played): Verdict | null {
  const own = played.get(scenario.policy.kind)
  if (own?.ending !== 'drained') return null
  const makespan = makespanOf(trace)
  if (isRealTime(trace.engine)) return { engine: 'threads', real: makespan, simulated: own.metrics.makespan }
  // A record of another version, or of a run by hand, is not the run that was played here.
  return own.metrics.makespan === makespan && makespan > 0 ? amongPolicies(scenario.policy.kind, own, played) : null
}

function amongPolicies(kind: PolicyKind, own: Compared, played: Played): Verdict {
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

/** A smaller difference counts as none. */
const SAME = 0.005
/** From this ratio on the words are a multiple ("3 times faster"), below it a percentage. */
const TIMES = 1.5

/** Returns in words how a run compares with its baseline. */
export function baselineWords({ kind, times }: Baseline): string {
  const baseline = kind === 'onePerStage' ? t('one worker per stage') : t('one worker who does it all')
  if (times >= TIMES) return t('{times} times faster than {baseline}', { times: fixed(times, 1), baseline })
  if (times > 1 + SAME) return t('{share} less time than {baseline}', { share: percent(1 - 1 / times), baseline })
  if (times >= 1 - SAME) return t('as fast as {baseline}', { baseline })
  return t('{share} more time than {baseline}', { share: percent(1 / times - 1), baseline })
}

/** Returns how far a makespan lies above the lower bound. */
export function boundWords(distance: number): string {
  return distance < SAME / 10 ? t('no run can be faster') : t('{share} above the lower bound', { share: percent(distance) })
}
