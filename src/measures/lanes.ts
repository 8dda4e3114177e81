import type { Micros } from '../scenario/scenario.ts'
import { firstAtLeast } from './search.ts'

/**
 * Who worked where, one lane a worker, kept so that a picture of any stretch of time costs a few steps a pixel however
 * many spans lie in it. Spans are appended as they are learned. Before every block of spans stands how long each stage
 * has been worked at so far; a pixel is the difference of two of these and the spans at its rims:
 *
 *   spans    ▂▂▆▆▆▂▂▆ | ▆▆▂▂▂▆▆▂ | ▂▂▂▂▆▆▂▂ | ▆▆▂
 *   pixel         [-----------------------]
 *   counted      ▆▂▂▆   sums[2] - sums[1]  ▂▂
 *
 * A pixel that holds three blocks or more is taken from block to block without its rims, if that moves each rim by no
 * more than a third of the pixel: nobody sees it, and it is four times as fast.
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
  /** When the first span of every block began: searching here first touches far less memory. */
  first: Float64Array
}

/** Blocks in a pixel from which on its rims do not matter. */
const DENSE = 3

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
 * (of equals the first), -1 where it did not work at all; `share[p]` says how much of the part it worked, 0 to 255.
 * Exact where a part holds few spans, see `Lanes` for where it holds many.
 */
export function laneStates(lanes: Lanes, worker: number, t0: Micros, t1: Micros, pixels: number, stage: Int16Array, share: Uint8Array): void {
  const lane = lanes.lanes[worker]
  stage.fill(-1, 0, pixels)
  share.fill(0, 0, pixels)
  if (lane === undefined) return
  const { began, ended, first, length } = lane
  const blocks = Math.ceil(length / lanes.block)
  const sum: Sum = { busy: new Float64Array(lanes.stages), seen: new Int16Array(lanes.stages), length: 0 }
  const width = (t1 - t0) / pixels
  let i = firstAtLeast(ended, length, t0, 0, true)
  let block = firstAtLeast(first, blocks, t0)
  for (let p = 0; p < pixels && i < length; p++) {
    const a = t0 + p * width
    const b = t0 + (p + 1) * width
    if (began[i] >= b) continue
    const from = block
    block = firstAtLeast(first, blocks, b, from)
    let whole = width
    if (block - from >= DENSE && block < blocks && first[from] - a <= width / 3 && first[block] - b <= width / 3) {
      addBlocks(lane, from, block, sum)
      whole = first[block] - first[from]
      i = block * lanes.block
      if (ended[i - 1] > b) i--
    } else {
      const j =
        i + 1 < length && began[i + 1] < b ? firstAtLeast(began, Math.min(length, block * lanes.block), b, Math.max(i + 1, (block - 1) * lanes.block)) : i + 1
      addUp(lanes, lane, i, j, a, b, sum)
      i = ended[j - 1] <= b ? j : j - 1
    }
    stage[p] = longest(sum)
    share[p] = part(settle(sum), whole)
  }
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

/** How long each stage was worked at; `seen` lists those that were at all. */
interface Sum {
  readonly busy: Float64Array
  readonly seen: Int16Array
  length: number
}

/** Adds up spans i to j - 1, of which only the first and the last may reach beyond [a, b). */
function addUp({ block }: Lanes, lane: Lane, i: number, j: number, a: Micros, b: Micros, sum: Sum): void {
  add(sum, lane.stage[i], overlap(lane.began[i], lane.ended[i], a, b))
  if (j === i + 1) return
  add(sum, lane.stage[j - 1], overlap(lane.began[j - 1], lane.ended[j - 1], a, b))
  const from = Math.ceil((i + 1) / block)
  const to = Math.floor((j - 1) / block)
  if (to <= from) {
    addWhole(lane, i + 1, j - 1, sum)
    return
  }
  addWhole(lane, i + 1, from * block, sum)
  addBlocks(lane, from, to, sum)
  addWhole(lane, to * block, j - 1, sum)
}

function addBlocks({ sums, total }: Lane, from: number, to: number, sum: Sum): void {
  const stages = total.length
  for (let s = 0; s < stages; s++) {
    const time = sums[to * stages + s] - sums[from * stages + s]
    if (time > 0) add(sum, s, time)
  }
}

function addWhole({ began, ended, stage }: Lane, i: number, j: number, sum: Sum): void {
  for (let k = i; k < j; k++) add(sum, stage[k], ended[k] - began[k])
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
  const capacity = Math.ceil(lane.began.length * 1.5)
  lane.began = longer(lane.began, new Float64Array(capacity))
  lane.ended = longer(lane.ended, new Float64Array(capacity))
  lane.stage = longer(lane.stage, new Int16Array(capacity))
}

function longer<Column extends Float64Array | Int16Array>(column: Column, into: Column): Column {
  into.set(column)
  return into
}
