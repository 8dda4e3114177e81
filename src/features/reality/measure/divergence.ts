import type { Chart } from '../../../measures/series/chart.ts'
import { type Marks, markAt } from '../../../measures/series/marks.ts'
import { appendStep, createSteps, type Steps } from '../../../measures/series/steps.ts'
import { applySeats } from '../../../pipeline/journal.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { createFollower, decisionTime, follow } from '../../../trace/follow.ts'
import type { Trace } from '../../../trace/trace.ts'

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
  const tolerance = mostInHands(simulated)
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
  return Float64Array.from({ length: Math.min(left.length, expected.length) }, (_, k) => markAt(left, k) - markAt(expected, k))
}

function seatsApart(real: Trace, simulated: Trace): SeatsApart | null {
  const others = allocations(simulated)
  for (const one of allocations(real)) {
    const other = others.next().value ?? null
    if (other === null || one.seats.join() !== other.seats.join()) return { time: decisionTime(real, one.decision), real: one, simulated: other }
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
    const time = Math.min(real < left.length ? markAt(left, real) : Infinity, simulated < expected.length ? markAt(expected, simulated) : Infinity)
    while (real < left.length && markAt(left, real) === time) real++
    while (simulated < expected.length && markAt(expected, simulated) === time) simulated++
    if (Math.abs(real - simulated) > tolerance) return { time, real, simulated }
  }
  return null
}

function mostInHands(trace: Trace): number {
  const follower = createFollower(trace)
  let most = 0
  follow(follower, Infinity, null, () => {
    const held = follower.counts.inHands.reduce((sum, inHands) => sum + inHands, 0)
    most = Math.max(most, held)
  })
  return most
}
