import { bisectLeft } from 'd3-array'
import { resized } from '../../pipeline/column.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { appendMark, BLOCK, createMarks, firstAfter, firstMark, type Marks, markAt } from './marks.ts'

/**
 * A whole number that changes in steps, such as a queue's length. Its extremes and mean over any stretch take a few steps.
 * value[i] holds from time i to time i + 1; before the first it is 0.
 *
 *   values    3 4 4 5 | 6 5 4 4 | 3 3 2 1 | 2 ..
 *   levels[0] min 3   |  4      |  1                blocks of 16, then blocks of 16 blocks, ...
 *             max 5   |  6      |  3
 *   times     the time of the first step of each block
 *
 * A pixel of 8 blocks or more is read from block to block, without its edges. An extreme may then show in the next pixel, at most an eighth of a pixel away.
 */
export interface Steps {
  readonly times: Marks
  value: Whole
  /** The greatest value of all steps but the last; see `greatest`. */
  maxBeforeLast: number
  readonly levels: Level[]
  /** The integral of the value from the first step to the first step of each block of 16. */
  area: Float64Array
}

/** 16 bits, until a number does not fit. */
type Whole = Int16Array | Int32Array

type Level = { length: number; min: Whole; max: Whole }

const FAN = BLOCK
/** From this many blocks a pixel on, the edges of the pixel are skipped. */
const BLOCKS_WITHOUT_EDGES = 8
const NEVER = 0x7fffffff

export function createSteps(): Steps {
  return { times: createMarks(), value: new Int16Array(FAN), maxBeforeLast: 0, levels: [], area: new Float64Array(1) }
}

/** The value is `value` from `time` on; of several at one time the last counts. Throws RangeError when time runs back. */
export function appendStep(steps: Steps, time: Micros, value: number): void {
  const last = steps.times.length - 1
  if (last < 0) {
    if (value !== 0) push(steps, time, value)
    return
  }
  const latest = markAt(steps.times, last)
  if (time < latest) throw new RangeError(`a step at ${time} after one at ${latest}`)
  if (time === latest) put(steps, last, value)
  else if (value !== steps.value[last]) push(steps, time, value)
}

export function valueAt({ times, value }: Steps, time: Micros): number {
  const after = firstMark(times, time, 0, 0, true)
  return after === 0 ? 0 : value[after - 1]
}

/** Returns the greatest value so far. */
export function greatest({ times, value, maxBeforeLast }: Steps): number {
  const now = times.length === 0 ? 0 : value[times.length - 1]
  return now > maxBeforeLast ? now : maxBeforeLast
}

/** Returns how many steps lie in [t0, t1). */
export function stepsWithin({ times }: Steps, t0: Micros, t1: Micros): number {
  const first = firstMark(times, t0)
  return firstMark(times, t1, first) - first
}

/** Fills in the least and the greatest value in each of `pixels` equal, half-open parts of [t0, t1). A step at a part's end counts for the next. */
export function extremes(steps: Steps, t0: Micros, t1: Micros, pixels: number, min: Int32Array, max: Int32Array): void {
  const { times, value } = steps
  const { heads, length } = times
  const width = (t1 - t0) / pixels
  /** Full blocks, which have an entry in the levels. */
  const blocks = steps.levels.length === 0 ? 0 : steps.levels[0].length
  let i = firstMark(times, t0, 0, 0, true)
  let block = bisectLeft(heads, t0, 0, blocks)
  let stride = 0
  for (let p = 0; p < pixels; p++) {
    const b = t0 + (p + 1) * width
    const from = block
    if (from < blocks) block = firstAfter(heads, blocks, b, from, from + stride)
    stride = block - from
    if (stride >= BLOCKS_WITHOUT_EDGES && block < blocks) {
      min[p] = NEVER
      max[p] = -NEVER
      within(steps, from * FAN, block * FAN, p, min, max)
      // As if the block in which the part ends began there.
      i = block * FAN
      continue
    }
    const held = i === 0 ? 0 : value[i - 1]
    min[p] = held
    max[p] = held
    if (i === length) continue
    const next = markAt(times, i)
    if (next >= b) continue
    const later = next <= t0 + p * width ? i + 1 : i
    if (later > i) min[p] = max[p] = value[i]
    const j = firstMark(times, b, block > from && (block - 1) * FAN > i ? (block - 1) * FAN : i)
    within(steps, later, j, p, min, max)
    i = j
  }
}

/** Fills in the mean value of each of `pixels` equal parts of [t0, t1). */
export function means(steps: Steps, t0: Micros, t1: Micros, pixels: number, mean: Float64Array): void {
  const width = (t1 - t0) / pixels
  const { times, value } = steps
  let i = firstMark(times, t0, 0, 0, true)
  let before = integral(steps, i, t0)
  let stride = 0
  for (let p = 0; p < pixels; p++) {
    const b = t0 + (p + 1) * width
    if (i === times.length || markAt(times, i) > b) {
      mean[p] = i === 0 ? 0 : value[i - 1]
      if (i > 0) before += mean[p] * (b - (t0 + p * width))
      continue
    }
    const from = i
    i = firstMark(times, b, from, stride, true)
    stride = i - from
    const after = integral(steps, i, b)
    mean[p] = (after - before) / width
    before = after
  }
}

/** Returns the integral of the value over [t0, t1). */
export function areaWithin(steps: Steps, t0: Micros, t1: Micros): number {
  const [before, after] = [t0, t1].map((t) => integral(steps, firstMark(steps.times, t, 0, 0, true), t))
  return after - before
}

/** Returns the integral of the value up to `t`, before which `i` steps lie. */
function integral({ times: { heads, after }, value, area }: Steps, i: number, t: Micros): number {
  if (i === 0) return 0
  const block = (i - 1) >>> 4
  let sum = area[block]
  for (let k = block * FAN; k < i - 1; k++) sum += value[k] * (after[k + 1] - after[k])
  return sum + value[i - 1] * (t - heads[block] - after[i - 1])
}

/** Lowers min[p] and raises max[p] to the values of steps i to j - 1. Goes up the levels where whole blocks fit, and down again. */
function within({ value, levels }: Steps, i: number, j: number, p: number, min: Int32Array, max: Int32Array): void {
  let lowest = min[p]
  let highest = max[p]
  let mins = value
  let maxs = value
  let low = i
  let high = j
  for (let depth = 0; low < high; depth++) {
    const level = levels[depth]
    const from = Math.ceil(low / FAN)
    const to = level === undefined ? 0 : Math.min(Math.floor(high / FAN), level.length)
    const whole = from < to
    const leftEnd = whole ? from * FAN : high
    for (let k = low; k < leftEnd; k++) {
      if (mins[k] < lowest) lowest = mins[k]
      if (maxs[k] > highest) highest = maxs[k]
    }
    if (!whole) break
    for (let k = to * FAN; k < high; k++) {
      if (mins[k] < lowest) lowest = mins[k]
      if (maxs[k] > highest) highest = maxs[k]
    }
    mins = level.min
    maxs = level.max
    low = from
    high = to
  }
  min[p] = lowest
  max[p] = highest
}

function push(steps: Steps, time: Micros, value: number): void {
  const i = steps.times.length
  if (i > 0) {
    if (steps.value[i - 1] > steps.maxBeforeLast) steps.maxBeforeLast = steps.value[i - 1]
    if (i % FAN === 0) close(steps, 0, i / FAN - 1, steps.value, steps.value)
    if (i % FAN === 0) addArea(steps, i, time)
  }
  appendMark(steps.times, time)
  if (i === steps.value.length) steps.value = resized(steps.value, steps.times.after.length)
  put(steps, i, value)
}

function put(steps: Steps, i: number, value: number): void {
  if ((value << 16) >> 16 !== value && steps.value instanceof Int16Array) {
    steps.value = Int32Array.from(steps.value)
    for (const level of steps.levels) {
      level.min = Int32Array.from(level.min)
      level.max = Int32Array.from(level.max)
    }
  }
  steps.value[i] = value
}

/** Writes block `block` of a level, whose 16 values no longer change. Writes the block above if this was its last. */
function close(steps: Steps, depth: number, block: number, mins: Whole, maxs: Whole): void {
  if (depth === steps.levels.length) steps.levels.push({ length: 0, min: mins.slice(0, 4), max: maxs.slice(0, 4) })
  const level = steps.levels[depth]
  if (block === level.min.length) {
    level.min = resized(level.min, Math.ceil(block * 1.25))
    level.max = resized(level.max, Math.ceil(block * 1.25))
  }
  let min = mins[block * FAN]
  let max = maxs[block * FAN]
  for (let k = block * FAN + 1; k < (block + 1) * FAN; k++) {
    if (mins[k] < min) min = mins[k]
    if (maxs[k] > max) max = maxs[k]
  }
  level.min[block] = min
  level.max[block] = max
  level.length = block + 1
  if (level.length % FAN === 0) close(steps, depth + 1, level.length / FAN - 1, level.min, level.max)
}

function addArea(steps: Steps, i: number, time: Micros): void {
  const block = i / FAN
  if (block >= steps.area.length) steps.area = resized(steps.area, Math.ceil(block * 1.25) + 1)
  steps.area[block] = integral(steps, i, time)
}

/** If there are more changes, this many instants represent all. */
const INSTANTS = 200

/** Returns the combination of values that several series had longest within [t0, t1), the earliest of equals, and the number of changes. */
export function longestHeld(
  series: readonly Steps[],
  t0: Micros,
  t1: Micros,
): { readonly values: readonly number[]; readonly changes: number } {
  const times = new Set([t0])
  const many = series.reduce((sum, steps) => sum + stepsWithin(steps, t0, t1), 0) > INSTANTS
  if (many) for (let k = 1; k < INSTANTS; k++) times.add(t0 + ((t1 - t0) * k) / INSTANTS)
  else for (const steps of series) for (const time of stepTimes(steps, t0, t1)) times.add(time)
  const instants = [...times].sort((a, b) => a - b)
  const held = new Map<string, { values: number[]; time: number }>()
  instants.forEach((time, k) => {
    const values = series.map((steps) => valueAt(steps, time))
    const key = values.join()
    const known = held.get(key) ?? { values, time: 0 }
    known.time += (instants[k + 1] ?? t1) - time
    held.set(key, known)
  })
  const [longest] = [...held.values()].sort((a, b) => b.time - a.time)
  return { values: longest.values, changes: instants.length - 1 }
}

function stepTimes({ times }: Steps, t0: Micros, t1: Micros): Micros[] {
  const first = firstMark(times, t0)
  return Array.from({ length: firstMark(times, t1, first) - first }, (_, k) => markAt(times, first + k))
}
