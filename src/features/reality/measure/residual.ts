import { sum } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { lossOf } from '../../../measures/frame/endingWords.ts'
import type { Chart } from '../../../measures/series/chart.ts'
import { type Marks, markAt } from '../../../measures/series/marks.ts'
import { appendStep, createSteps, type Steps } from '../../../measures/series/steps.ts'
import { applySeats } from '../../../pipeline/journal.ts'
import { type EngineName, engines } from '../../../scenario/model/engines.ts'
import { codeOf, doesRealWork, type Micros, type Scenario, type Stage } from '../../../scenario/model/scenario.ts'
import { createFollower, decisionTime, follow } from '../../../trace/follow.ts'
import type { Trace } from '../../../trace/trace.ts'
import { type CriticalPath, criticalPathInSteps, type PathLeg, pathLegs } from './criticalPath.ts'

/**
 * The reasons why a real run is longer than its simulation. Each is walked back along its own critical path, whose legs add up to its makespan; so do the
 * differences, part by part and stage by stage. `contention`: services that took longer than expected; `belief`: the same where the work is real and its
 * declared service is only an estimate; `frame`: messages of stages with code, whose threads are in a frame; `other`: services, changes of stage and arrivals of the path as expected, where other decisions were taken.
 */
export interface Residual {
  /** The engine of the real run. */
  readonly engine: EngineName
  readonly real: Micros
  readonly simulated: Micros
  readonly parts: readonly ResidualPart[]
}

export const residualPartNames = ['network', 'message', 'frame', 'contention', 'belief', 'batch', 'other'] as const
export type ResidualPartName = (typeof residualPartNames)[number]

/** `difference`: real - simulated. */
export interface ResidualPart extends Readonly<Record<'real' | 'simulated' | 'difference', Micros>> {
  readonly name: ResidualPartName
  /** The difference by stage; the last entry is of no stage. */
  readonly byStage: readonly Micros[]
}

/** Returns the residual, in steps of a few milliseconds. Both runs must be drained: see `residualRefusal`. */
export function* residualInSteps(real: Trace, simulated: Trace): Generator<void, Residual> {
  const one = yield* criticalPathInSteps(real)
  const other = yield* criticalPathInSteps(simulated)
  const [ones, others] = [partsOf(real.scenario, one), partsOf(simulated.scenario, other)]
  const parts = residualPartNames.map((name): ResidualPart => {
    const [mine, theirs] = [sum(ones[name]), sum(others[name])]
    return {
      name,
      real: mine,
      simulated: theirs,
      difference: mine - theirs,
      byStage: ones[name].map((time, s) => time - others[name][s]),
    }
  })
  return { engine: real.engine, real: one.makespan, simulated: other.makespan, parts }
}

/** Returns why a run cannot be compared with its simulation, in words; null: it can. */
export function residualRefusal({ ending, failures, begins }: Trace): string | null {
  if (begins !== null) return t('its record begins in the middle of it')
  if (ending === 'drained') return null
  if (ending === 'stuck')
    return (
      t('no worker was left to serve the rest') +
      (failures.length > 0 ? ` (${lossOf(failures[failures.length - 1])})` : '')
    )
  return ending === 'stopped' ? t('it was stopped before its end') : t('its record ends before the run did')
}

function partsOf({ stages }: Scenario, { times }: CriticalPath): Readonly<Record<ResidualPartName, readonly Micros[]>> {
  const none = residualPartNames.map((name) => [name, new Array<Micros>(stages.length + 1).fill(0)])
  const parts = Object.fromEntries(none) as Record<ResidualPartName, Micros[]>
  for (const leg of pathLegs) for (const [s, time] of times[leg].entries()) parts[partOf(leg, stages[s])][s] += time
  return parts
}

function partOf(leg: PathLeg, stage: Stage | undefined): ResidualPartName {
  if (leg === 'message' && stage !== undefined && codeOf(stage) !== null) return 'frame'
  if (leg === 'network' || leg === 'message' || leg === 'batch') return leg
  if (leg !== 'longer') return 'other'
  return stage !== undefined && doesRealWork(stage) ? 'belief' : 'contention'
}

/** The name of each part, in the order of the table. */
export const partWords = (engine: EngineName): Readonly<Record<ResidualPartName, string>> => ({
  other: t('other decisions'),
  contention: engine === 'room' ? t('Slow devices') : t('Contention for cores'),
  belief: t('Estimate and actual time'),
  batch: t('Batches'),
  network: t('Network'),
  message: engine === 'room' ? t('Late arrivals') : t('Messages'),
  frame: t('Messages to code'),
})

/** Returns the residual as a sentence: "It took 1.283 s on Web Workers, 14 ms longer than predicted (+1.1%): Messages 16 ms, other decisions −2 ms." */
export function residualSentence(
  { engine, real, simulated, parts }: Residual,
  write: Readonly<Record<'instant' | 'duration' | 'change', (x: number) => string>>,
): string {
  const gap = real - simulated
  const length = (time: Micros) => write.duration(Math.abs(time))
  const words = partWords(engine)
  const took = t('It took {real} {where}', { real: write.instant(real), where: engines[engine].where() })
  const share = simulated > 0 ? ` (${write.change(real / simulated)})` : ''
  const sign = gap < 0 ? -1 : 1
  const reasons = parts
    .filter(({ difference }) => difference !== 0)
    .sort((a, b) => sign * (b.difference - a.difference))
    .map(({ name, difference }) => `${words[name]} ${sign * difference < 0 ? '−' : ''}${length(difference)}`)
  const by = { gap: length(gap) }
  const differs = gap < 0 ? t('{gap} shorter than predicted', by) : t('{gap} longer than predicted', by)
  const than = gap === 0 ? t('as long as predicted') : `${differs}${share}`
  return reasons.length === 0 ? `${took}, ${than}.` : `${took}, ${than}: ${reasons.join(', ')}.`
}

/** Where a real run and its simulation differ, though no two of their rows agree in time. */
export interface Divergence {
  /** The first allocations that differ, of those that the decisions of each gave, in order and without repeats. Null: all are the same. */
  readonly seats: SeatsApart | null
  /** The first instant at which one run has let out over `tolerance` more jobs than the other. Null: there is none. */
  readonly out: { readonly time: Micros; readonly real: number; readonly simulated: number } | null
  /** The most jobs in the hands of the simulation's workers: a moment's delay may make this difference. */
  readonly tolerance: number
}

export interface SeatsApart {
  /** When the real run's decision was taken, or the simulation's where the real run has no more. */
  readonly time: Micros
  /** The decision of each and its seats; null: that run has no further allocation. */
  readonly real: Allocation | null
  readonly simulated: Allocation | null
}

type Allocation = { readonly decision: number; readonly seats: readonly number[] }

/** Returns the differences. The marks are when jobs left. */
export function divergenceOf(real: Trace, simulated: Trace, left: Marks, expected: Marks): Divergence {
  const tolerance = maxInHands(simulated)
  return { seats: seatsApart(real, simulated), out: firstApart(left, expected, tolerance), tolerance }
}

/** Returns how many jobs have arrived and not left, over time. */
export function jobsInSystem({ arrivals, departures }: Pick<Chart, 'arrivals' | 'departures'>): Steps {
  const steps = createSteps()
  for (let a = 0, d = 0; a < arrivals.length || d < departures.length; ) {
    const arrives = a < arrivals.length && (d === departures.length || markAt(arrivals, a) <= markAt(departures, d))
    const time = arrives ? markAt(arrivals, a++) : markAt(departures, d++)
    appendStep(steps, time, a - d)
  }
  return steps
}

/** Returns how much later than in the simulation the first, second, ... job of a run left: less than 0 for sooner. */
export function lagOf(left: Marks, expected: Marks): Float64Array {
  return Float64Array.from(
    { length: Math.min(left.length, expected.length) },
    (_, k) => markAt(left, k) - markAt(expected, k),
  )
}

function seatsApart(real: Trace, simulated: Trace): SeatsApart | null {
  const others = allocations(simulated)
  for (const one of allocations(real)) {
    const other = others.next().value ?? null
    if (other === null || one.seats.join() !== other.seats.join())
      return { time: decisionTime(real, one.decision), real: one, simulated: other }
  }
  const rest = others.next().value ?? null
  return rest === null ? null : { time: decisionTime(simulated, rest.decision), real: null, simulated: rest }
}

/** Yields the allocations of the decisions, without repeats. */
function* allocations({ decisions, topology }: Trace): Generator<Allocation, undefined> {
  const seats: number[] = new Array(topology.stages).fill(0)
  for (let d = 0, before = ''; d < decisions.length; d++) {
    applySeats(decisions, d, seats)
    if (seats.join() !== before) yield { decision: d, seats: [...seats] }
    before = seats.join()
  }
}

function firstApart(left: Marks, expected: Marks, tolerance: number): Divergence['out'] {
  for (let real = 0, simulated = 0; real < left.length || simulated < expected.length; ) {
    const time = Math.min(
      real < left.length ? markAt(left, real) : Infinity,
      simulated < expected.length ? markAt(expected, simulated) : Infinity,
    )
    while (real < left.length && markAt(left, real) === time) real++
    while (simulated < expected.length && markAt(expected, simulated) === time) simulated++
    if (Math.abs(real - simulated) > tolerance) return { time, real, simulated }
  }
  return null
}

function maxInHands(trace: Trace): number {
  const follower = createFollower(trace)
  let max = 0
  follow(follower, Infinity, null, () => {
    max = Math.max(max, sum(follower.counts.inHands))
  })
  return max
}
