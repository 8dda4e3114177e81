import { bisectLeft } from 'd3-array'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Lanes, PAIRS, spansIn, type WorkerLane, workedUntil } from './lanes.ts'
import { BLOCK, firstAfter, firstMark, markAt } from './marks.ts'

/** Blocks in a pixel from which on sums are cheaper than adding up its spans. */
const DENSE = 0.5
/** Edges looked up at once. */
const AHEAD = 16
/** Sums up what was read only to load it, so that no compiler leaves the read out. */
const looked = new Float64Array(1)

/** Fills in by pixel the stage at which a worker worked longest (-1: none) and how much it worked, 0 to 255. Exact at any zoom, in plain loops. */
export function laneStates(
  lanes: Lanes,
  worker: number,
  t0: Micros,
  t1: Micros,
  pixels: number,
  stage: Int16Array,
  share: Uint8Array,
): void {
  const lane = lanes.lanes[worker]
  stage.fill(-1, 0, pixels)
  share.fill(0, 0, pixels)
  if (lane === undefined) return
  const { heads, length } = lane.edges
  const blocks = Math.ceil(length / BLOCK)
  const from = bisectLeft(heads, t0, 0, blocks)
  if (bisectLeft(heads, t1, from, blocks) - from >= DENSE * pixels * (lanes.block / PAIRS))
    crowdedStates(lanes, lane, from, t0, t1, pixels, stage, share)
  else sparseStates(lanes, lane, t0, t1, pixels, stage, share)
}

/** Fills in from the spans themselves, part by part. */
function sparseStates(
  lanes: Lanes,
  lane: WorkerLane,
  t0: Micros,
  t1: Micros,
  pixels: number,
  stage: Int16Array,
  share: Uint8Array,
): void {
  const { edges } = lane
  const length = spansIn(lane)
  const width = (t1 - t0) / pixels
  const whole = 255 / width
  const sum: Sum = { busy: new Float64Array(lanes.stages), seen: new Int16Array(lanes.stages), length: 0 }
  let i = firstMark(edges, t0, 0, 0, true) >> 1
  for (let p = 0; p < pixels && i < length; p++) {
    const b = t0 + (p + 1) * width
    const began = markAt(edges, 2 * i)
    if (began >= b) continue
    const a = t0 + p * width
    const next = i + 1
    if (next === length || markAt(edges, 2 * next) >= b) {
      const ended = markAt(edges, 2 * i + 1)
      stage[p] = lane.stage[i]
      share[p] = part((ended < b ? ended : b) - (began > a ? began : a), whole)
      if (ended <= b) i = next
      continue
    }
    const far = Math.min(next + lanes.block * DENSE, length - 1)
    const j = markAt(edges, 2 * far) < b ? addBlocks(lanes, lane, i, a, b, sum) : addUp(lane, i, a, b, sum)
    stage[p] = longest(sum)
    share[p] = part(settle(sum), whole)
    i = markAt(edges, 2 * j - 1) <= b ? j : j - 1
  }
}

/** Fills in from the sums at the edges of parts, where most parts hold many spans. */
function crowdedStates(
  lanes: Lanes,
  lane: WorkerLane,
  from: number,
  t0: Micros,
  t1: Micros,
  pixels: number,
  stage: Int16Array,
  share: Uint8Array,
): void {
  const { sums } = lane
  const { heads, after: marks, length } = lane.edges
  const { stages } = lanes
  const blocks = Math.ceil(length / BLOCK)
  const perSum = lanes.block / PAIRS
  const width = (t1 - t0) / pixels
  const whole = 255 / width
  let before = new Float64Array(stages)
  let after = new Float64Array(stages)
  workedUntil(lanes, lane, from - 1, t0, before)
  const edges = new Int32Array(AHEAD)
  let block = from
  /** Blocks in a part, if all parts had the same number. */
  const stride = Math.floor((bisectLeft(heads, t1, from, blocks) - from) / pixels)
  for (let q = 0; q < pixels; q += AHEAD) {
    const end = Math.min(pixels, q + AHEAD)
    // Find the blocks of the next edges and read one value of each, so that memory loads while the next is searched for.
    for (let p = q; p < end; p++) {
      block = firstAfter(heads, blocks, t0 + (p + 1) * width, block, block + stride)
      const k = block > 0 ? block - 1 : 0
      edges[p - q] = block
      // Stryker disable next-line all: the value is not used
      looked[0] += marks[k * BLOCK] + lane.stage[k * PAIRS] + sums[Math.floor(k / perSum) * stages]
    }
    for (let p = q; p < end; p++) {
      workedUntil(lanes, lane, edges[p - q] - 1, t0 + (p + 1) * width, after)
      let busiest = -1
      let greatest = 0
      let all = 0
      for (let s = 0; s < stages; s++) {
        const time = after[s] - before[s]
        all += time
        if (time > greatest) {
          greatest = time
          busiest = s
        }
      }
      if (busiest >= 0) {
        stage[p] = busiest
        share[p] = part(all, whole)
      }
      const swap = before
      before = after
      after = swap
    }
  }
}

/** How long each stage was worked at. `seen` lists the stages with any work. */
type Sum = { readonly busy: Float64Array; readonly seen: Int16Array; length: number }

/** Adds up the spans from i on that begin before `b`. Only the first and the last may reach beyond [a, b). Returns the first that begins later. */
function addUp(lane: WorkerLane, i: number, a: Micros, b: Micros, sum: Sum): number {
  const { edges, stage } = lane
  let j = i
  for (; 2 * j < edges.length; j++) {
    const began = markAt(edges, 2 * j)
    if (began >= b) break
    const ended = markAt(edges, 2 * j + 1)
    add(sum, stage[j], (ended < b ? ended : b) - (began > a ? began : a))
  }
  return j
}

/** Like addUp, but by the sums before the blocks, where many spans lie between. */
function addBlocks(lanes: Lanes, lane: WorkerLane, i: number, a: Micros, b: Micros, sum: Sum): number {
  const { edges } = lane
  const before = new Float64Array(lanes.stages)
  const after = new Float64Array(lanes.stages)
  workedUntil(lanes, lane, Math.floor((markAt(edges, 2 * i) < a ? i : i - 1) / PAIRS), a, before)
  const j = (firstMark(edges, b, 2 * i + 2) + 1) >> 1
  workedUntil(lanes, lane, Math.floor((j - 1) / PAIRS), b, after)
  for (let s = 0; s < lanes.stages; s++) if (after[s] > before[s]) add(sum, s, after[s] - before[s])
  return j
}

function add(sum: Sum, stage: number, time: Micros): void {
  if (sum.busy[stage] === 0) sum.seen[sum.length++] = stage
  sum.busy[stage] += time
}

/** Returns the stage that was worked at longest; the first of equals. */
function longest({ busy, seen, length }: Sum): number {
  let busiest = seen[0]
  for (let k = 1; k < length; k++) {
    const s = seen[k]
    if (busy[s] > busy[busiest] || (busy[s] === busy[busiest] && s < busiest)) busiest = s
  }
  return busiest
}

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
