import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { type Forecast, forecastFrom, relaxationOf, type Waits } from './forecast.ts'
import type { Station } from './stations.ts'

/**
 * Returns the most jobs that two stages with a queue of `room` jobs between them let through, over the rate of the first (Hunt 1956). Both have one
 * worker and exponential services of these means.
 */
export function mostThrough(first: number, second: number, room: number): number {
  const ratio = second / first
  let [power, all, notFull] = [1, 0, 0]
  for (let jobs = 0; jobs <= room + 1; jobs++) {
    all += power
    if (jobs <= room) notFull += power
    power *= ratio
    // Ratios above 1 would overflow.
    if (all > 1e100)
      for (const scale = 1e-100; all > 1; ) [all, notFull, power] = [all * scale, notFull * scale, power * scale]
  }
  return notFull / all
}

/**
 * Returns how many jobs wait on average before the first stage and between both, and the share of time in which the first must not start. Jobs come at
 * random at `rate`, less than `mostThrough` allows. The first starts a job only if the queue has room for it: blocking before service (Konheim and Reiser
 * 1976; Neuts 1968), a quasi-birth-death process by logarithmic reduction (Latouche and Ramaswami 1993).
 */
export function blockedLine(rate: number, first: number, second: number, room: number) {
  const phases = room + 2
  const serves = (phase: number) => (phase <= room ? 1 / first : 0)
  const leaves = (phase: number) => (phase > 0 ? 1 / second : 0)
  const local = (busy: boolean) =>
    matrixOf(phases, (i, j) => (i === j ? -(rate + leaves(i) + (busy ? serves(i) : 0)) : j === i - 1 ? leaves(i) : 0))
  const up = matrixOf(phases, (i, j) => (i === j ? rate : 0))
  const down = matrixOf(phases, (i, j) => (j === i + 1 ? serves(i) : 0))
  const within = local(true)
  // R = A0 (-A1 - A0 G)^-1, transposed for a system of equations.
  const g = firstPassage(up, within, down)
  const r = transposed(solved(transposed(negative(sumOf(within, product(up, g)))), transposed(up)))
  const none = startOf(sumOf(local(false), product(r, down)), r)
  // Levels k = 0, 1, ... have the probabilities none R^k: all of them none (1 - R)^-1, and weighed by k + 1 none (1 - R)^-2.
  const system = transposed(oneMinus(r))
  const rest = solvedFor(system, none)
  const weighed = solvedFor(system, rest)
  const some = rest.map((value, phase) => value - none[phase])
  const jobsAtFirst = weighed.reduce((sum, value, phase) => sum + value - rest[phase], 0)
  const atWork = some.reduce((sum, value, phase) => sum + (phase <= room ? value : 0), 0)
  const between = rest.reduce((sum, value, phase) => sum + value * Math.max(0, phase - 1), 0)
  return { before: jobsAtFirst - atWork, between, full: rest[room + 1] }
}

/** The matrix G: from a level to the one below, in which phase it is entered. */
function firstPassage(up: Matrix, within: Matrix, down: Matrix): Matrix {
  const minus = negative(within)
  let higher = solved(minus, up)
  let lower = solved(minus, down)
  let g = lower
  let t = higher
  for (let step = 0; step < 60; step++) {
    const both = sumOf(product(higher, lower), product(lower, higher))
    const rest = oneMinus(both)
    higher = solved(rest, product(higher, higher))
    lower = solved(rest, product(lower, lower))
    const more = product(t, lower)
    g = sumOf(g, more)
    t = product(t, higher)
    if (more.every((row) => row.every((value) => value < 1e-15))) break
  }
  return g
}

/** The probabilities of the phases while no job is at the first stage: x with x B = 0, scaled so that all levels together make 1. */
function startOf(boundary: Matrix, r: Matrix): Float64Array {
  const { length } = boundary
  // One equation of those in x B = 0 follows from the others; it is replaced by x (1 - R)^-1 1 = 1.
  const ones = new Float64Array(length).fill(1)
  const sums = solvedFor(oneMinus(r), ones)
  const equations = matrixOf(length, (i, j) => (i === 0 ? sums[j] : boundary[j][i]))
  const first = ones.map((one, i) => (i === 0 ? one : 0))
  return solvedFor(equations, first)
}

const oneMinus = (matrix: Matrix): Matrix => matrixOf(matrix.length, (i, j) => (i === j ? 1 : 0) - matrix[i][j])

const negative = (matrix: Matrix): Matrix => matrix.map((row) => row.map((value) => -value))

const transposed = (matrix: Matrix): Matrix => matrixOf(matrix.length, (i, j) => matrix[j][i])

/** Square matrices as arrays of rows. */
export type Matrix = readonly Float64Array[]

/** Returns the matrix with these entries. */
export function matrixOf(size: number, entry: (row: number, column: number) => number): Matrix {
  return Array.from({ length: size }, (_, row) =>
    Float64Array.from({ length: size }, (_, column) => entry(row, column)),
  )
}

export function product(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => {
    const sum = new Float64Array(row.length)
    for (const [k, factor] of row.entries())
      if (factor !== 0) for (let j = 0; j < sum.length; j++) sum[j] += factor * b[k][j]
    return sum
  })
}

export const sumOf = (a: Matrix, b: Matrix): Matrix => a.map((row, i) => row.map((value, j) => value + b[i][j]))

/** Returns X with a X = b, by elimination with the greatest pivots. Throws RangeError for a singular `a`. */
export function solved(a: Matrix, b: Matrix): Matrix {
  const left = a.map((row) => row.slice())
  const right = b.map((row) => row.slice())
  const { length } = left
  for (let k = 0; k < length; k++) {
    let pivot = k
    for (let i = k + 1; i < length; i++) if (Math.abs(left[i][k]) > Math.abs(left[pivot][k])) pivot = i
    if (left[pivot][k] === 0) throw new RangeError('the matrix is singular')
    for (const rows of [left, right]) [rows[k], rows[pivot]] = [rows[pivot], rows[k]]
    for (let i = 0; i < length; i++) {
      const factor = left[i][k] / left[k][k]
      if (i === k || factor === 0) continue
      for (let j = k; j < length; j++) left[i][j] -= factor * left[k][j]
      for (let j = 0; j < right[i].length; j++) right[i][j] -= factor * right[k][j]
    }
  }
  return right.map((row, i) => row.map((value) => value / left[i][i]))
}

/** Returns x with a x = b. */
export function solvedFor(a: Matrix, b: Float64Array): Float64Array {
  const column = Array.from(b, (value) => Float64Array.of(value))
  return Float64Array.from(solved(a, column), ([value]) => value)
}

/** A longer queue behaves almost like an unbounded one, and the equations grow with its length. */
export const MAX_ROOM = 60

/** Whether these are two stages with a bounded queue between them for which a law is known. */
export function isBlockedLine(stations: readonly Station[]): boolean {
  const [first, second] = stations
  if (
    stations.length !== 2 ||
    !first.hasSuccessor ||
    first.room !== null ||
    second.room === null ||
    second.room > MAX_ROOM
  )
    return false
  return stations.every(
    ({ servers, shape, threads, discipline, share }) =>
      servers === 1 && shape === 'exponential' && threads === 0 && discipline !== 'shortest' && share === 1,
  )
}

/** Returns why such a line has no steady state: it lets fewer jobs through than each of its stages alone. */
export function unstableLine([first, second]: readonly Station[], rate: number): string[] {
  if (rate * first.mean < mostThrough(first.mean, second.mean, second.room ?? 0)) return []
  const names = { first: first.name, second: second.name }
  return [
    t(
      'The queue between {first} and {second} is so short that they let fewer jobs through than come: the queue before grows without end.',
      names,
    ),
  ]
}

/** Returns the forecast of two stages of which the first starts a job only when the queue between them has room for it. */
export function blockedForecast(scenario: Scenario, [first, second]: readonly Station[], rate: number): Forecast {
  const room = second.room ?? 0
  const { before, between, full } = blockedLine(rate, first.mean, second.mean, room)
  const most = mostThrough(first.mean, second.mean, room)
  const waits = [
    { station: first, queue: before, waiting: rate * first.mean + full },
    { station: second, queue: between, waiting: rate * second.mean },
  ].map(({ station, queue, waiting }): Waits => {
    const load = rate * station.mean
    // The line is correlated over time like a queue at the same share of its limit.
    const relaxation = relaxationOf(station, station === first ? load / most : load)
    return {
      ...station,
      law: 'M/M/1',
      gaps: 1,
      load,
      waits: Math.min(1, waiting),
      meanWait: queue / rate,
      classWaits: null,
      gaveUp: 0,
      outside: 0,
      stretch: 1,
      relaxation,
    }
  })
  return forecastFrom(scenario, 'blocking', waits, rate)
}
