import type { Micros } from '../scenario/scenario.ts'
import { firstAfter, firstAtLeast } from './search.ts'

/**
 * Who worked where, one lane a worker, kept so that a picture of any stretch of time costs a few steps a pixel however
 * many spans lie in it. Spans are appended as they are learned. Before every block of spans stands how long each stage
 * has been worked at so far. That and the few spans from there to an instant say how long until that instant; a pixel is
 * the difference of the sums at its rims, to the last digit:
 *
 *   spans    ▂▂▆▆▆▂▂▆ | ▆▆▂▂▂▆▆▂ | ▂▂▂▂▆▆▂▂ | ▆▆▂
 *   pixel        [-----------------------)
 *   at its rims  ▂▂▆▆ (block 0)     ▂▂▂▂ after sums[2]
 */
export interface Lanes {
  readonly stages: number
  /** Spans in a block: as many as there are stages, so that the sums take no more room than the spans, but at least 8. */
  readonly block: number
  /** Spans in all lanes. */
  length: number
  readonly lanes: Lane[]
}

/** The spans of one worker in columns, in order of time; none overlaps the next. */
interface Lane {
  length: number
  began: Float64Array
  ended: Float64Array
  stage: Int16Array
  /** How long each stage has been worked at so far, and the same before every block, one after another. */
  readonly total: Float64Array
  sums: Float64Array
  /** When the first span of every block began: searching here touches far less memory. */
  first: Float64Array
}

/** Blocks in a pixel from which on sums are cheaper than adding its spans up. */
const DENSE = 2
/** Rims looked up in one go. */
const AHEAD = 64
/** Adds up what was only looked at, so that no compiler leaves it out. */
const looked = new Float64Array(1)

export function createLanes(stages: number): Lanes {
  return { stages, block: Math.max(8, stages), length: 0, lanes: [] }
}

/**
 * Says that `worker` worked at `stage` from `began` to `ended`. The spans of one worker come in order; where clocks let
 * one begin before the last has ended, it is cut to begin there. Spans without length are left out.
 */
export function appendSpan(lanes: Lanes, worker: number, stage: number, began: Micros, ended: Micros): void {
  while (lanes.lanes.length <= worker) lanes.lanes.push(createLane(lanes.stages))
  const lane = lanes.lanes[worker]
  const i = lane.length
  const from = i > 0 && began < lane.ended[i - 1] ? lane.ended[i - 1] : began
  if (!(ended > from)) return
  if (i === lane.began.length) grow(lane)
  if (i % lanes.block === 0) openBlock(lane, i / lanes.block, from)
  lane.began[i] = from
  lane.ended[i] = ended
  lane.stage[i] = stage
  lane.total[stage] += ended - from
  lane.length = i + 1
  lanes.length++
}

/**
 * What a worker did in each of `pixels` equal parts of [t0, t1): `stage[p]` is the stage it worked at longest in part p
 * (of equals the first), -1 where it did not work at all; `share[p]` says how much of the part it worked, 0 to 255. Exact
 * at any zoom. Plain loops: with a million spans on the screen this is what a frame spends its time on.
 */
export function laneStates(lanes: Lanes, worker: number, t0: Micros, t1: Micros, pixels: number, stage: Int16Array, share: Uint8Array): void {
  const lane = lanes.lanes[worker]
  stage.fill(-1, 0, pixels)
  share.fill(0, 0, pixels)
  if (lane === undefined) return
  const blocks = Math.ceil(lane.length / lanes.block)
  const from = firstAtLeast(lane.first, blocks, t0)
  if (firstAtLeast(lane.first, blocks, t1, from) - from >= DENSE * pixels) crowdedStates(lanes, lane, from, t0, t1, pixels, stage, share)
  else sparseStates(lanes, lane, t0, t1, pixels, stage, share)
}

/** From the spans themselves, part by part. */
function sparseStates(lanes: Lanes, lane: Lane, t0: Micros, t1: Micros, pixels: number, stage: Int16Array, share: Uint8Array): void {
  const { began, ended, length } = lane
  const width = (t1 - t0) / pixels
  const sum: Sum = { busy: new Float64Array(lanes.stages), seen: new Int16Array(lanes.stages), length: 0 }
  let i = firstAtLeast(ended, length, t0, 0, true)
  for (let p = 0; p < pixels && i < length; p++) {
    const b = t0 + (p + 1) * width
    if (began[i] >= b) continue
    const a = t0 + p * width
    const next = i + 1
    if (next === length || began[next] >= b) {
      stage[p] = lane.stage[i]
      share[p] = part(overlap(began[i], ended[i], a, b), width)
      if (ended[i] <= b) i = next
      continue
    }
    const j = began[Math.min(next + lanes.block * DENSE, length - 1)] < b ? addBlocks(lanes, lane, i, a, b, sum) : addUp(lane, i, a, b, sum)
    stage[p] = longest(sum)
    share[p] = part(settle(sum), width)
    i = ended[j - 1] <= b ? j : j - 1
  }
}

/** From the sums at the parts' rims, where many spans lie in most. */
function crowdedStates(lanes: Lanes, lane: Lane, from: number, t0: Micros, t1: Micros, pixels: number, stage: Int16Array, share: Uint8Array): void {
  const { first, began, ended, sums } = lane
  const { stages } = lanes
  const blocks = Math.ceil(lane.length / lanes.block)
  const width = (t1 - t0) / pixels
  let before = new Float64Array(stages)
  let after = new Float64Array(stages)
  workedUntil(lanes, lane, firstAtLeast(began, lane.length, t0) - 1, t0, before)
  const rims = new Int32Array(AHEAD)
  let block = from
  let stride = 0
  for (let q = 0; q < pixels; q += AHEAD) {
    const end = Math.min(pixels, q + AHEAD)
    // The blocks in which the next rims lie, and a look at each: what is far in memory comes while the next is searched for.
    for (let p = q; p < end; p++) {
      const start = block
      // Where many blocks lie in one part, as many lie in the next.
      block = firstAfter(first, blocks, t0 + (p + 1) * width, start, start + stride)
      stride = block - start
      const k = block > 0 ? block - 1 : 0
      rims[p - q] = block
      looked[0] += began[k * lanes.block] + ended[k * lanes.block] + lane.stage[k * lanes.block] + sums[k * stages]
    }
    for (let p = q; p < end; p++) {
      workedUntil(lanes, lane, rims[p - q] > 0 ? (rims[p - q] - 1) * lanes.block : -1, t0 + (p + 1) * width, after)
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
        share[p] = part(all, width)
      }
      const swap = before
      before = after
      after = swap
    }
  }
}

/** How long a worker was at each stage in [t0, t1), exactly; added to `busy`. */
export function addBusy(lanes: Lanes, worker: number, t0: Micros, t1: Micros, busy: Float64Array): void {
  const lane = lanes.lanes[worker]
  if (lane === undefined || !(t1 > t0)) return
  const sums = new Float64Array(lanes.stages)
  workedUntil(lanes, lane, firstAtLeast(lane.began, lane.length, t1) - 1, t1, sums)
  for (let s = 0; s < sums.length; s++) busy[s] += sums[s]
  workedUntil(lanes, lane, firstAtLeast(lane.began, lane.length, t0) - 1, t0, sums)
  for (let s = 0; s < sums.length; s++) busy[s] -= sums[s]
}

/** How many spans of a worker lie, at least in part, in [t0, t1), and which is the first of them. */
export function spansWithin(lanes: Lanes, worker: number, t0: Micros, t1: Micros): { readonly first: number; readonly count: number } {
  const lane = lanes.lanes[worker]
  if (lane === undefined) return { first: 0, count: 0 }
  const first = firstAtLeast(lane.ended, lane.length, t0, 0, true)
  return { first, count: firstAtLeast(lane.began, lane.length, t1, first) - first }
}

/** How long span `i` of a worker is, and when it began. */
export function spanBegan(lanes: Lanes, worker: number, i: number): Micros {
  return lanes.lanes[worker].began[i]
}
export function spanLength(lanes: Lanes, worker: number, i: number): Micros {
  return lanes.lanes[worker].ended[i] - lanes.lanes[worker].began[i]
}

/** When the next span after `t` of a worker begins, at one stage or at any (-1); Infinity where there is none. */
export function nextSpan(lanes: Lanes, worker: number, stage: number, t: Micros): Micros {
  const lane = lanes.lanes[worker]
  if (lane === undefined) return Infinity
  let i = firstAtLeast(lane.began, lane.length, t, 0, true)
  while (stage >= 0 && i < lane.length && lane.stage[i] !== stage) i++
  return i < lane.length ? lane.began[i] : Infinity
}

/** How long each stage was worked at; `seen` lists those that were at all. */
interface Sum {
  readonly busy: Float64Array
  readonly seen: Int16Array
  length: number
}

/** Adds up the spans from i on that begin before `b`, of which only the first and the last may reach beyond [a, b). Returns the first that begins later. */
function addUp({ began, ended, stage, length }: Lane, i: number, a: Micros, b: Micros, sum: Sum): number {
  add(sum, stage[i], overlap(began[i], ended[i], a, b))
  let j = i + 1
  for (; j < length && began[j] < b; j++) add(sum, stage[j], (ended[j] < b ? ended[j] : b) - began[j])
  return j
}

/** The same by the sums before the blocks, where many spans lie between. */
function addBlocks(lanes: Lanes, lane: Lane, i: number, a: Micros, b: Micros, sum: Sum): number {
  const { began } = lane
  const j = firstAtLeast(began, lane.length, b, i + 1)
  const before = new Float64Array(lanes.stages)
  const after = new Float64Array(lanes.stages)
  workedUntil(lanes, lane, began[i] < a ? i : i - 1, a, before)
  workedUntil(lanes, lane, j - 1, b, after)
  for (let s = 0; s < lanes.stages; s++) if (after[s] > before[s]) add(sum, s, after[s] - before[s])
  return j
}

/** How long each stage was worked at until `t`, by the sums before the block of span `k`, which begins before `t` (-1: none does). Returns the first span that does not. */
function workedUntil({ block, stages }: Lanes, { began, ended, stage, sums, length }: Lane, k: number, t: Micros, into: Float64Array): number {
  if (k < 0) {
    into.fill(0)
    return 0
  }
  let j = k - (k % block)
  const row = (j / block) * stages
  for (let s = 0; s < stages; s++) into[s] = sums[row + s]
  for (; j < length && began[j] < t; j++) into[stage[j]] += (ended[j] < t ? ended[j] : t) - began[j]
  return j
}

function add(sum: Sum, stage: number, time: Micros): void {
  if (sum.busy[stage] === 0) sum.seen[sum.length++] = stage
  sum.busy[stage] += time
}

/** The stage worked at longest; of equals the first. */
function longest({ busy, seen, length }: Sum): number {
  let most = seen[0]
  for (let k = 1; k < length; k++) {
    const s = seen[k]
    if (busy[s] > busy[most] || (busy[s] === busy[most] && s < most)) most = s
  }
  return most
}

/** All that was worked; empties the sum. */
function settle(sum: Sum): Micros {
  let all = 0
  for (let k = 0; k < sum.length; k++) {
    all += sum.busy[sum.seen[k]]
    sum.busy[sum.seen[k]] = 0
  }
  sum.length = 0
  return all
}

function overlap(began: Micros, ended: Micros, a: Micros, b: Micros): Micros {
  return (ended < b ? ended : b) - (began > a ? began : a)
}

/** At least 1, so that the shortest work is not lost. */
function part(busy: Micros, width: Micros): number {
  const byte = Math.round((busy / width) * 255)
  return byte < 1 ? 1 : byte > 255 ? 255 : byte
}

function createLane(stages: number): Lane {
  return {
    length: 0,
    began: new Float64Array(64),
    ended: new Float64Array(64),
    stage: new Int16Array(64),
    total: new Float64Array(stages),
    sums: new Float64Array(stages * 2),
    first: new Float64Array(2),
  }
}

function openBlock(lane: Lane, block: number, began: Micros): void {
  const stages = lane.total.length
  if (block === lane.first.length) {
    lane.first = longer(lane.first, new Float64Array(block * 2))
    lane.sums = longer(lane.sums, new Float64Array(block * 2 * stages))
  }
  lane.first[block] = began
  lane.sums.set(lane.total, block * stages)
}

function grow(lane: Lane): void {
  const capacity = Math.ceil(lane.began.length * 1.25)
  lane.began = longer(lane.began, new Float64Array(capacity))
  lane.ended = longer(lane.ended, new Float64Array(capacity))
  lane.stage = longer(lane.stage, new Int16Array(capacity))
}

function longer<Column extends Float64Array | Int16Array>(column: Column, into: Column): Column {
  into.set(column)
  return into
}
