import type { Micros } from '../scenario/scenario.ts'
import { BLOCK, firstAfter, firstAtLeast, firstByBlocks } from './search.ts'

/**
 * A whole number that changes in steps (a queue's length, a stage's seats), kept so that its extremes and its mean over
 * any stretch are found in a few steps. value[i] holds from time[i] to time[i + 1]; before the first it is 0.
 *
 *   values    3 4 4 5 | 6 5 4 4 | 3 3 2 1 | 2 ..
 *   levels[0] min 3   |  4      |  1                blocks of 16, then blocks of 16 blocks, ...
 *             max 5   |  6      |  3
 *   first     time of the 3, the 6, the second 3
 *
 * A pixel that holds 8 blocks or more is taken from block to block, without its rims: an extreme may then show in the
 * pixel beside its own, at most an eighth of one away.
 */
export interface Steps {
  length: number
  time: Float64Array
  value: Int32Array
  /** The greatest value that has ended; see `greatest`. */
  past: number
  readonly levels: Level[]
  /** When each block of 16 began: searching here first touches far less memory. */
  first: Float64Array
  /** The integral of the value from the first step to the first of each block of 16. */
  area: Float64Array
}

interface Level {
  length: number
  min: Int32Array
  max: Int32Array
}

const FAN = BLOCK
/** Blocks in a pixel from which on its rims do not matter. */
const DENSE = 8
const NEVER = 0x7fffffff

export function createSteps(): Steps {
  return { length: 0, time: new Float64Array(FAN), value: new Int32Array(FAN), past: 0, levels: [], first: new Float64Array(1), area: new Float64Array(1) }
}

/** Says that the value is `value` from `time` on. Of several at one time the last counts. Throws a RangeError when time runs back. */
export function appendStep(steps: Steps, time: Micros, value: number): void {
  const last = steps.length - 1
  if (last < 0) {
    if (value !== 0) push(steps, time, value)
    return
  }
  if (time < steps.time[last]) throw new RangeError(`a step at ${time} after one at ${steps.time[last]}`)
  if (time === steps.time[last]) steps.value[last] = value
  else if (value !== steps.value[last]) push(steps, time, value)
}

export function valueAt(steps: Steps, time: Micros): number {
  const after = firstAtLeast(steps.time, steps.length, time, 0, true)
  return after === 0 ? 0 : steps.value[after - 1]
}

/** The greatest value there has been. */
export function greatest(steps: Steps): number {
  const now = steps.length === 0 ? 0 : steps.value[steps.length - 1]
  return now > steps.past ? now : steps.past
}

/** How many steps lie in [t0, t1). */
export function stepsWithin(steps: Steps, t0: Micros, t1: Micros): number {
  const first = firstAtLeast(steps.time, steps.length, t0)
  return firstAtLeast(steps.time, steps.length, t1, first) - first
}

/** The least and the greatest value in each of `pixels` equal parts of [t0, t1), which are half open: a step at a part's end counts for the next. */
export function extremes(steps: Steps, t0: Micros, t1: Micros, pixels: number, min: Int32Array, max: Int32Array): void {
  const { time, value, first, length } = steps
  const width = (t1 - t0) / pixels
  /** Blocks that are full and have an entry in the levels. */
  const blocks = steps.levels.length === 0 ? 0 : steps.levels[0].length
  let i = firstAtLeast(time, length, t0, 0, true)
  let block = firstAtLeast(first, blocks, t0)
  let stride = 0
  for (let p = 0; p < pixels; p++) {
    const b = t0 + (p + 1) * width
    const from = block
    if (from < blocks) block = firstAfter(first, blocks, b, from, from + stride)
    stride = block - from
    if (stride >= DENSE && block < blocks) {
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
    if (i === length || time[i] >= b) continue
    const a = t0 + p * width
    const later = time[i] <= a ? i + 1 : i
    if (later > i) min[p] = max[p] = value[i]
    const j = firstAtLeast(time, length, b, block > from && (block - 1) * FAN > i ? (block - 1) * FAN : i)
    within(steps, later, j, p, min, max)
    i = j
  }
}

/** The mean value in each of `pixels` equal parts of [t0, t1). */
export function means(steps: Steps, t0: Micros, t1: Micros, pixels: number, mean: Float64Array): void {
  const width = (t1 - t0) / pixels
  let i = firstAtLeast(steps.time, steps.length, t0, 0, true)
  let before = integral(steps, i, t0)
  let stride = 0
  for (let p = 0; p < pixels; p++) {
    const b = t0 + (p + 1) * width
    if (i === steps.length || steps.time[i] > b) {
      mean[p] = i === 0 ? 0 : steps.value[i - 1]
      if (i > 0) before += mean[p] * (b - (t0 + p * width))
      continue
    }
    const from = i
    i = firstByBlocks(steps.time, steps.first, steps.length, b, from, stride, true)
    stride = i - from
    const after = integral(steps, i, b)
    mean[p] = (after - before) / width
    before = after
  }
}

/** The integral of the value up to `t`, before which `i` steps lie. */
function integral({ time, value, area }: Steps, i: number, t: Micros): number {
  if (i === 0) return 0
  const block = Math.floor((i - 1) / FAN)
  let sum = area[block]
  for (let k = block * FAN; k < i - 1; k++) sum += value[k] * (time[k + 1] - time[k])
  return sum + value[i - 1] * (t - time[i - 1])
}

/** Lowers min[p] and raises max[p] to the values of steps i to j - 1, going up the levels where whole blocks fit and down again. */
function within({ value, levels }: Steps, i: number, j: number, p: number, min: Int32Array, max: Int32Array): void {
  let least = min[p]
  let most = max[p]
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
      if (mins[k] < least) least = mins[k]
      if (maxs[k] > most) most = maxs[k]
    }
    if (!whole) break
    for (let k = to * FAN; k < high; k++) {
      if (mins[k] < least) least = mins[k]
      if (maxs[k] > most) most = maxs[k]
    }
    mins = level.min
    maxs = level.max
    low = from
    high = to
  }
  min[p] = least
  max[p] = most
}

function push(steps: Steps, time: Micros, value: number): void {
  const i = steps.length
  if (i > 0) {
    if (steps.value[i - 1] > steps.past) steps.past = steps.value[i - 1]
    if (i % FAN === 0) close(steps, 0, i / FAN - 1, steps.value, steps.value)
    if (i % FAN === 0) addArea(steps, i, time)
  }
  if (i % FAN === 0) {
    if (i / FAN === steps.first.length) steps.first = copied(steps.first, new Float64Array((i / FAN) * 2))
    steps.first[i / FAN] = time
  }
  if (i === steps.time.length) {
    const capacity = Math.ceil(i * 1.25)
    steps.time = copied(steps.time, new Float64Array(capacity))
    steps.value = copied(steps.value, new Int32Array(capacity))
  }
  steps.time[i] = time
  steps.value[i] = value
  steps.length = i + 1
}

/** Writes block `block` of a level, whose 16 values no longer change, and the block above it if this was its last. */
function close(steps: Steps, depth: number, block: number, mins: Int32Array, maxs: Int32Array): void {
  if (depth === steps.levels.length) steps.levels.push({ length: 0, min: new Int32Array(4), max: new Int32Array(4) })
  const level = steps.levels[depth]
  if (block === level.min.length) {
    level.min = copied(level.min, new Int32Array(block * 2))
    level.max = copied(level.max, new Int32Array(block * 2))
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
  if (block >= steps.area.length) steps.area = copied(steps.area, new Float64Array(block * 2))
  let sum = steps.area[block - 1]
  for (let k = i - FAN; k < i; k++) sum += steps.value[k] * ((k + 1 < i ? steps.time[k + 1] : time) - steps.time[k])
  steps.area[block] = sum
}

function copied<Column extends Float64Array | Int32Array>(column: Column, into: Column): Column {
  into.set(column)
  return into
}
