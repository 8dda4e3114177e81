import { bisectLeft } from 'd3-array'
import { resized } from '../../pipeline/column.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { appendMark, createMarks, firstMark, type Marks, markAt } from './marks.ts'
import { BLOCK, firstAfter } from './search.ts'

/**
 * Who worked where, one lane a worker. A picture of any stretch of time costs a few steps a pixel, however many spans lie in
 * it. Before each block of spans stands how long each stage was worked at so far. A pixel is the difference of these sums at
 * its edges, plus the few spans from block to edge, so it is exact:
 *
 *   spans    ▂▂▆▆▆▂▂▆ | ▆▆▂▂▂▆▆▂ | ▂▂▂▂▆▆▂▂ | ▆▆▂
 *   pixel        [-----------------------)
 *   at its rims  ▂▂▆▆ (block 0)     ▂▂▂▂ after sums[2]
 */
export interface Lanes {
  readonly stages: number
  /** Spans in a block: at least the number of stages, so that the sums take no more room than the spans. */
  readonly block: number
  /** Spans in all lanes. */
  length: number
  readonly lanes: Lane[]
}

/** The spans of one worker, in order of time, without overlaps. 13 bytes each with three stages. */
interface Lane {
  /** Beginnings and ends in turn: span i lasts from mark 2 i to mark 2 i + 1. */
  readonly rims: Marks
  stage: Uint8Array
  /** How long each stage was worked at so far, and the same before every block, one after another. */
  readonly total: Float64Array
  sums: Float64Array
}

/** Spans in a block of marks. */
const PAIRS = BLOCK / 2
/** Blocks in a pixel from which on sums are cheaper than adding up its spans. */
const DENSE = 0.5
/** Edges looked up at once. */
const AHEAD = 16
/** Sums up what was read only to load it, so that no compiler leaves the read out. */
const looked = new Float64Array(1)

export function createLanes(stages: number): Lanes {
  return { stages, block: PAIRS * Math.max(1, Math.ceil(stages / PAIRS)), length: 0, lanes: [] }
}

/**
 * Adds that `worker` worked at `stage` from `began` to `ended`. The spans of a worker come in order. One that begins before the
 * last has ended is cut; one without length is left out.
 */
export function appendSpan(lanes: Lanes, worker: number, stage: number, began: Micros, ended: Micros): void {
  while (lanes.lanes.length <= worker) lanes.lanes.push(createLane(lanes.stages))
  const lane = lanes.lanes[worker]
  const i = spansIn(lane)
  const last = i > 0 ? markAt(lane.rims, 2 * i - 1) : began
  const from = began < last ? last : began
  if (!(ended > from)) return
  appendMark(lane.rims, from)
  appendMark(lane.rims, ended)
  if (i === lane.stage.length) lane.stage = resized(lane.stage, lane.rims.after.length / 2)
  if (i % lanes.block === 0) {
    const row = (i / lanes.block) * lanes.stages
    if (row === lane.sums.length) lane.sums = resized(lane.sums, Math.ceil(lane.stage.length / lanes.block) * lanes.stages)
    lane.sums.set(lane.total, row)
  }
  lane.stage[i] = stage
  lane.total[stage] += ended - from
  lanes.length++
}

/**
 * Fills in what a worker did in each of `pixels` equal parts of [t0, t1). `stage[p]` is the stage it worked at longest in part
 * p (the first of equals; -1: none), and `share[p]` how much of the part it worked, 0 to 255. Exact at any zoom. Plain loops: a
 * frame with a million spans spends its time here.
 */
export function laneStates(lanes: Lanes, worker: number, t0: Micros, t1: Micros, pixels: number, stage: Int16Array, share: Uint8Array): void {
  const lane = lanes.lanes[worker]
  stage.fill(-1, 0, pixels)
  share.fill(0, 0, pixels)
  if (lane === undefined) return
  const { heads, length } = lane.rims
  const blocks = Math.ceil(length / BLOCK)
  const from = bisectLeft(heads, t0, 0, blocks)
  if (bisectLeft(heads, t1, from, blocks) - from >= DENSE * pixels * (lanes.block / PAIRS)) crowdedStates(lanes, lane, from, t0, t1, pixels, stage, share)
  else sparseStates(lanes, lane, t0, t1, pixels, stage, share)
}

/** Fills in from the spans themselves, part by part. */
function sparseStates(lanes: Lanes, lane: Lane, t0: Micros, t1: Micros, pixels: number, stage: Int16Array, share: Uint8Array): void {
  const { rims } = lane
  const length = spansIn(lane)
  const width = (t1 - t0) / pixels
  const whole = 255 / width
  const sum: Sum = { busy: new Float64Array(lanes.stages), seen: new Int16Array(lanes.stages), length: 0 }
  let i = firstMark(rims, t0, 0, 0, true) >> 1
  for (let p = 0; p < pixels && i < length; p++) {
    const b = t0 + (p + 1) * width
    const began = markAt(rims, 2 * i)
    if (began >= b) continue
    const a = t0 + p * width
    const next = i + 1
    if (next === length || markAt(rims, 2 * next) >= b) {
      const ended = markAt(rims, 2 * i + 1)
      stage[p] = lane.stage[i]
      share[p] = part((ended < b ? ended : b) - (began > a ? began : a), whole)
      if (ended <= b) i = next
      continue
    }
    const far = Math.min(next + lanes.block * DENSE, length - 1)
    const j = markAt(rims, 2 * far) < b ? addBlocks(lanes, lane, i, a, b, sum) : addUp(lane, i, a, b, sum)
    stage[p] = longest(sum)
    share[p] = part(settle(sum), whole)
    i = markAt(rims, 2 * j - 1) <= b ? j : j - 1
  }
}

/** Fills in from the sums at the edges of parts, where most parts hold many spans. */
function crowdedStates(lanes: Lanes, lane: Lane, from: number, t0: Micros, t1: Micros, pixels: number, stage: Int16Array, share: Uint8Array): void {
  const { sums } = lane
  const { heads, after: marks, length } = lane.rims
  const { stages } = lanes
  const blocks = Math.ceil(length / BLOCK)
  const perSum = lanes.block / PAIRS
  const width = (t1 - t0) / pixels
  const whole = 255 / width
  let before = new Float64Array(stages)
  let after = new Float64Array(stages)
  workedUntil(lanes, lane, from - 1, t0, before)
  const rims = new Int32Array(AHEAD)
  let block = from
  /** Blocks in a part, if all parts had the same number. */
  const stride = Math.floor((bisectLeft(heads, t1, from, blocks) - from) / pixels)
  for (let q = 0; q < pixels; q += AHEAD) {
    const end = Math.min(pixels, q + AHEAD)
    // Find the blocks of the next edges and read one value of each, so that memory loads while the next is searched for.
    for (let p = q; p < end; p++) {
      block = firstAfter(heads, blocks, t0 + (p + 1) * width, block, block + stride)
      const k = block > 0 ? block - 1 : 0
      rims[p - q] = block
      looked[0] += marks[k * BLOCK] + lane.stage[k * PAIRS] + sums[Math.floor(k / perSum) * stages]
    }
    for (let p = q; p < end; p++) {
      workedUntil(lanes, lane, rims[p - q] - 1, t0 + (p + 1) * width, after)
      let most = -1
      let greatest = 0
      let all = 0
      for (let s = 0; s < stages; s++) {
        const time = after[s] - before[s]
        all += time
        if (time > greatest) {
          greatest = time
          most = s
        }
      }
      if (most >= 0) {
        stage[p] = most
        share[p] = part(all, whole)
      }
      const swap = before
      before = after
      after = swap
    }
  }
}

/** Adds to `busy` how long a worker was at each stage in [t0, t1), exactly. */
export function addBusy(lanes: Lanes, worker: number, t0: Micros, t1: Micros, busy: Float64Array): void {
  const lane = lanes.lanes[worker]
  if (lane === undefined || !(t1 > t0)) return
  const sums = new Float64Array(lanes.stages)
  workedUntil(lanes, lane, blockBefore(lane, t1), t1, sums)
  for (let s = 0; s < sums.length; s++) busy[s] += sums[s]
  workedUntil(lanes, lane, blockBefore(lane, t0), t0, sums)
  for (let s = 0; s < sums.length; s++) busy[s] -= sums[s]
}

/** Returns how many spans of a worker lie at least partly in [t0, t1), and the first of them. */
export function spansWithin(lanes: Lanes, worker: number, t0: Micros, t1: Micros): { readonly first: number; readonly count: number } {
  const lane = lanes.lanes[worker]
  if (lane === undefined) return { first: 0, count: 0 }
  const first = firstMark(lane.rims, t0, 0, 0, true) >> 1
  return { first, count: ((firstMark(lane.rims, t1, 2 * first) + 1) >> 1) - first }
}

/** Returns when span `i` of a worker began. */
export function spanBegan(lanes: Lanes, worker: number, i: number): Micros {
  return markAt(lanes.lanes[worker].rims, 2 * i)
}
export function spanLength(lanes: Lanes, worker: number, i: number): Micros {
  const { rims } = lanes.lanes[worker]
  return markAt(rims, 2 * i + 1) - markAt(rims, 2 * i)
}

/** Returns the last span of a worker that lies at least partly in [t0, t1]: by default, the one at t0; null where there is none. */
export function spanAt(lanes: Lanes, worker: number, t0: Micros, t1 = t0): { readonly began: Micros; readonly ended: Micros } | null {
  const { first, count } = spansWithin(lanes, worker, t0, t1 + 1)
  if (count === 0) return null
  const began = spanBegan(lanes, worker, first + count - 1)
  return { began, ended: began + spanLength(lanes, worker, first + count - 1) }
}

/** Returns when the next span of a worker after `t` begins, at one stage or any (-1); Infinity where there is none. */
export function nextSpan(lanes: Lanes, worker: number, stage: number, t: Micros): Micros {
  const lane = lanes.lanes[worker]
  if (lane === undefined) return Infinity
  let i = (firstMark(lane.rims, t, 0, 0, true) + 1) >> 1
  while (stage >= 0 && i < spansIn(lane) && lane.stage[i] !== stage) i++
  return i < spansIn(lane) ? markAt(lane.rims, 2 * i) : Infinity
}

function spansIn({ rims }: Lane): number {
  return rims.length / 2
}

/** Returns the block of marks with the last span that begins before `t`; -1: none does. */
function blockBefore({ rims }: Lane, t: Micros): number {
  return bisectLeft(rims.heads, t, 0, Math.ceil(rims.length / BLOCK)) - 1
}

/** How long each stage was worked at. `seen` lists the stages with any work. */
interface Sum {
  readonly busy: Float64Array
  readonly seen: Int16Array
  length: number
}

/**
 * Adds up the spans from i on that begin before `b`. Only the first and the last may reach beyond [a, b). Returns the first
 * that begins later.
 */
function addUp(lane: Lane, i: number, a: Micros, b: Micros, sum: Sum): number {
  const { rims, stage } = lane
  let j = i
  for (; 2 * j < rims.length; j++) {
    const began = markAt(rims, 2 * j)
    if (began >= b) break
    const ended = markAt(rims, 2 * j + 1)
    add(sum, stage[j], (ended < b ? ended : b) - (began > a ? began : a))
  }
  return j
}

/** The same by the sums before the blocks, where many spans lie between. */
function addBlocks(lanes: Lanes, lane: Lane, i: number, a: Micros, b: Micros, sum: Sum): number {
  const { rims } = lane
  const before = new Float64Array(lanes.stages)
  const after = new Float64Array(lanes.stages)
  workedUntil(lanes, lane, Math.floor((markAt(rims, 2 * i) < a ? i : i - 1) / PAIRS), a, before)
  const j = (firstMark(rims, b, 2 * i + 2) + 1) >> 1
  workedUntil(lanes, lane, Math.floor((j - 1) / PAIRS), b, after)
  for (let s = 0; s < lanes.stages; s++) if (after[s] > before[s]) add(sum, s, after[s] - before[s])
  return j
}

/** Fills in how long each stage was worked at until `t`. Block k of marks holds the last span that begins before `t` (-1: none). */
function workedUntil({ block, stages }: Lanes, { rims: { heads, after, length }, stage, sums }: Lane, k: number, t: Micros, into: Float64Array): void {
  if (k < 0) {
    into.fill(0)
    return
  }
  const first = Math.floor((k * PAIRS) / block)
  for (let s = 0; s < stages; s++) into[s] = sums[first * stages + s]
  for (let at = (first * block) / PAIRS; at <= k; at++) {
    // Exact: the head is whole, so a multiple of the last bit of `t`.
    const rest = t - heads[at]
    const end = at * BLOCK + BLOCK < length ? at * BLOCK + BLOCK : length
    let i = at * BLOCK
    for (; i < end && after[i + 1] < rest; i += 2) into[stage[i >> 1]] += after[i + 1] - after[i]
    if (i < end && after[i] < rest) into[stage[i >> 1]] += rest - after[i]
  }
}

function add(sum: Sum, stage: number, time: Micros): void {
  if (sum.busy[stage] === 0) sum.seen[sum.length++] = stage
  sum.busy[stage] += time
}

/** Returns the stage that was worked at longest; the first of equals. */
function longest({ busy, seen, length }: Sum): number {
  let most = seen[0]
  for (let k = 1; k < length; k++) {
    const s = seen[k]
    if (busy[s] > busy[most] || (busy[s] === busy[most] && s < most)) most = s
  }
  return most
}

/** Returns all the work and empties the sum. */
function settle(sum: Sum): Micros {
  let all = 0
  for (let k = 0; k < sum.length; k++) {
    all += sum.busy[sum.seen[k]]
    sum.busy[sum.seen[k]] = 0
  }
  sum.length = 0
  return all
}

/** Returns a byte of at least 1, so that the shortest work stays visible. */
function part(busy: Micros, whole: number): number {
  const byte = (busy * whole + 0.5) | 0
  return byte < 1 ? 1 : byte > 255 ? 255 : byte
}

function createLane(stages: number): Lane {
  return { rims: createMarks(), stage: new Uint8Array(PAIRS), total: new Float64Array(stages), sums: new Float64Array(0) }
}
