import { range } from 'd3-array'
import type { Compared } from '../../../runs/study/compare.ts'
import { setOptions, setStage, setWorkers } from '../../../scenario/edit/edits.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import { scaledService, serviceMean } from '../../../scenario/model/distributions.ts'
import { MAX_BATCH, MAX_MICROS, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros, Parsed, Scenario } from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { parse } from '../../../scenario/parse/parse.ts'

/** The value that a sweep varies: workers, jobs per batch, the cost of changing stage, or the mean service time of a stage. */
export type SweepAxis = 'workers' | 'batch' | 'switchCost' | `service ${string}`

export interface SweepRun {
  readonly makespan: Micros
  readonly utilisation: number
  /** By stage, the mean number of seats over time. */
  readonly seats: readonly number[]
  readonly left: number
}

/** The result so far for one value, or the reason why it cannot be played. */
export type SweepPoint = { readonly value: number; readonly run: SweepRun | null; readonly refused: string | null }

/** A sweep has at most this many values. Counts above EACH_UNTIL may grow in larger steps. */
const MAX_POINTS = 24
const EACH_UNTIL = 10

export function axesOf(scenario: Scenario): readonly SweepAxis[] {
  return ['workers', 'batch', 'switchCost', ...scenario.stages.map(({ id }) => `service ${id}` as const)]
}

/** Returns the scenario's present value; null for batches that depend on the queue. */
export function presentValue(scenario: Scenario, axis: SweepAxis): number | null {
  if (axis === 'workers') return scenario.workers
  if (axis === 'batch') return scenario.batch.size ?? null
  if (axis === 'switchCost') return scenario.switchCost
  return Math.round(serviceMean(stageOf(scenario, axis).service))
}

/** Returns the scenario with another value for the whole run, as an edit would leave it. */
export function withValue(scenario: Scenario, axis: SweepAxis, value: number): Scenario {
  if (axis === 'workers') return setWorkers(scenario, value)
  if (axis === 'batch')
    return setOptions(scenario, {
      batch: { size: value, inHand: scenario.batch.inHand },
      later: withoutKey(scenario.later, axis),
    })
  if (axis === 'switchCost') return setOptions(scenario, { switchCost: value, later: withoutKey(scenario.later, axis) })
  const { id, service } = stageOf(scenario, axis)
  return setStage(scenario, id, { service: scaledService(service, value / serviceMean(service)) })
}

/** Returns the values to play, ascending. The present value is one of them. */
export function sweepValues(scenario: Scenario, axis: SweepAxis): readonly number[] {
  const present = presentValue(scenario, axis)
  return [...new Set([present ?? 1, ...around(scenario, axis, present ?? 1)])].sort((a, b) => a - b)
}

/** Returns the points of a sweep before anything is played; values that `parse` refuses have their reason already. */
export function emptySweep(scenario: Scenario, axis: SweepAxis): readonly SweepPoint[] {
  return sweepValues(scenario, axis).map((value) => {
    const parsed: Parsed = parse(withValue(scenario, axis, value))
    return { value, run: null, refused: 'problems' in parsed ? parsed.problems[0].message : null }
  })
}

export function withRun(
  points: readonly SweepPoint[],
  value: number,
  { metrics: figures, occupancy }: Compared,
): readonly SweepPoint[] {
  const { makespan, utilisation, jobs, completed } = figures
  return points.map((point) =>
    point.value === value
      ? { ...point, run: { makespan, utilisation, seats: occupancy.seats, left: jobs - completed } }
      : point,
  )
}

/** Returns the points so that the shape of the curve shows early: the ends, then every fourth, every second, all. */
export function coarsePointsFirst(points: readonly SweepPoint[]): readonly SweepPoint[] {
  const rank = (k: number) => (k === 0 || k === points.length - 1 ? 0 : k % 4 === 0 ? 1 : k % 2 === 0 ? 2 : 3)
  return points
    .map((point, k) => ({ point, k }))
    .sort((a, b) => rank(a.k) - rank(b.k))
    .flatMap(({ point }) => (point.refused === null ? [point] : []))
}

/**
 * Returns a key of all that the sweep depends on, without the value that is varied. Of a service that is varied it keeps the shape, to a
 * thousandth of the mean.
 */
export function sweepKey(scenario: Scenario, axis: SweepAxis): string {
  return axis + comparisonKey(withValue(scenario, axis, axis.startsWith('service ') ? 1000 : 1))
}

/** The search for the fewest workers that beat the baseline ends here: each number is a run, and more workers are not always quicker. */
export const MAX_SEARCHED = 256

/** The fewest workers that beat the baseline, by a search from 1 upwards; `ask`: this number must be played next. */
export type FirstToBeat = { readonly kind: 'found' | 'ask'; readonly workers: number } | { readonly kind: 'none' }

/** Returns the next step of the search. `makespans` is by number of workers, with Infinity for a run that leaves jobs behind. */
export function firstToBeat(makespans: ReadonlyMap<number, Micros>, baseline: Micros, maxWorkers: number): FirstToBeat {
  for (let workers = 1; workers <= maxWorkers; workers++) {
    const makespan = makespans.get(workers)
    if (makespan === undefined) return { kind: 'ask', workers }
    if (makespan < baseline) return { kind: 'found', workers }
  }
  return { kind: 'none' }
}

function around(scenario: Scenario, axis: SweepAxis, present: number): readonly number[] {
  if (axis === 'workers') return counts(Math.min(MAX_WORKERS, Math.max(8, 2 * present)))
  if (axis === 'batch') return roundNumbers(1, Math.max(present, Math.min(MAX_BATCH, 200, countJobs(scenario.source))))
  if (axis === 'switchCost') {
    const mean = scenario.stages.reduce((sum, { service }) => sum + serviceMean(service), 0) / scenario.stages.length
    return [0, ...roundNumbers(mean / 100, mean * 10)]
  }
  return [0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2, 3, 5, 10].map((factor) =>
    Math.min(MAX_MICROS, Math.max(1, Math.round(present * factor))),
  )
}

/** Returns 1, 2, 3, ... up to `max`, in growing steps if these would be too many. */
function counts(max: number): readonly number[] {
  if (max <= MAX_POINTS) return range(1, max + 1)
  const rest = MAX_POINTS - EACH_UNTIL
  const ratio = (max / EACH_UNTIL) ** (1 / rest)
  return [...range(1, EACH_UNTIL + 1), ...range(rest).map((i) => Math.round(EACH_UNTIL * ratio ** (i + 1)))]
}

/** Returns 1, 2 and 5 times the powers of ten, from `min` to `max`. */
function roundNumbers(min: number, max: number): readonly number[] {
  const all: number[] = []
  for (let power = 1; power <= max; power *= 10)
    for (const digit of [1, 2, 5]) if (digit * power >= min && digit * power <= max) all.push(digit * power)
  return all
}

function stageOf(scenario: Scenario, axis: SweepAxis) {
  const stage = scenario.stages.find(({ id }) => axis === `service ${id}`)
  if (stage === undefined) throw new RangeError(`${axis}: no such stage`)
  return stage
}
