import { bisectLeft } from 'd3-array'
import { resized } from '../../pipeline/column.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { appendMark, BLOCK, createMarks, firstMark, type Marks, markAt } from './marks.ts'

/**
 * Which worker worked at which stage, one lane per worker. A picture of any time costs a few steps per pixel, with many spans in
 * it: see laneStates.ts. Each block of spans begins with how long each stage was worked at so far. A pixel is the difference
 * of these sums at its edges, plus the few spans from block to edge, so it is exact:
 *
 *   spans    ▂▂▆▆▆▂▂▆ | ▆▆▂▂▂▆▆▂ | ▂▂▂▂▆▆▂▂ | ▆▆▂
 *   pixel        [-----------------------)
 *   at its edges ▂▂▆▆ (block 0)     ▂▂▂▂ after sums[2]
 */
export interface Lanes {
  readonly stages: number
  /** Spans in a block: at least the number of stages, so that the sums take no more room than the spans. */
  readonly block: number
  length: number
  readonly lanes: WorkerLane[]
}

/** The spans of one worker, in order of time, without overlaps. 13 bytes each with three stages. */
export interface WorkerLane {
  /** Beginnings and ends in turn: span i lasts from mark 2 i to mark 2 i + 1. */
  readonly edges: Marks
  stage: Uint8Array
  /** How long each stage was worked at so far, and the same before every block, one after another. */
  readonly total: Float64Array
  sums: Float64Array
}

export const PAIRS = BLOCK / 2
export function createLanes(stages: number): Lanes {
  return { stages, block: PAIRS * Math.max(1, Math.ceil(stages / PAIRS)), length: 0, lanes: [] }
}

/** Adds a span in which `worker` worked at `stage`. Spans of a worker come in order; one that begins before the last has ended is cut; empty ones are dropped. */
export function appendSpan(lanes: Lanes, worker: number, stage: number, began: Micros, ended: Micros): void {
  while (lanes.lanes.length <= worker) lanes.lanes.push(createLane(lanes.stages))
  const lane = lanes.lanes[worker]
  const i = spansIn(lane)
  const last = i > 0 ? markAt(lane.edges, 2 * i - 1) : began
  const from = began < last ? last : began
  if (!(ended > from)) return
  appendMark(lane.edges, from)
  appendMark(lane.edges, ended)
  if (i === lane.stage.length) lane.stage = resized(lane.stage, lane.edges.after.length / 2)
  if (i % lanes.block === 0) {
    const row = (i / lanes.block) * lanes.stages
    if (row === lane.sums.length)
      lane.sums = resized(lane.sums, Math.ceil(lane.stage.length / lanes.block) * lanes.stages)
    lane.sums.set(lane.total, row)
  }
  lane.stage[i] = stage
  lane.total[stage] += ended - from
  lanes.length++
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
export function spansWithin(
  lanes: Lanes,
  worker: number,
  t0: Micros,
  t1: Micros,
): { readonly first: number; readonly count: number } {
  const lane = lanes.lanes[worker]
  if (lane === undefined) return { first: 0, count: 0 }
  const first = firstMark(lane.edges, t0, 0, 0, true) >> 1
  return { first, count: ((firstMark(lane.edges, t1, 2 * first) + 1) >> 1) - first }
}

export function spanBegan(lanes: Lanes, worker: number, i: number): Micros {
  return markAt(lanes.lanes[worker].edges, 2 * i)
}
export function spanLength(lanes: Lanes, worker: number, i: number): Micros {
  const { edges } = lanes.lanes[worker]
  return markAt(edges, 2 * i + 1) - markAt(edges, 2 * i)
}

/** Returns the last span of a worker that lies at least partly in [t0, t1]: by default, the one at t0; null if there is none. */
export function spanAt(
  lanes: Lanes,
  worker: number,
  t0: Micros,
  t1 = t0,
): { readonly began: Micros; readonly ended: Micros } | null {
  const { first, count } = spansWithin(lanes, worker, t0, t1 + 1)
  if (count === 0) return null
  const began = spanBegan(lanes, worker, first + count - 1)
  return { began, ended: began + spanLength(lanes, worker, first + count - 1) }
}

/** Returns when the next span of a worker after `t` begins, at one stage or any (-1); Infinity if there is none. */
export function nextSpan(lanes: Lanes, worker: number, stage: number, t: Micros): Micros {
  const lane = lanes.lanes[worker]
  if (lane === undefined) return Infinity
  let i = (firstMark(lane.edges, t, 0, 0, true) + 1) >> 1
  while (stage >= 0 && i < spansIn(lane) && lane.stage[i] !== stage) i++
  return i < spansIn(lane) ? markAt(lane.edges, 2 * i) : Infinity
}

export function spansIn({ edges }: WorkerLane): number {
  return edges.length / 2
}

/** Returns the block of marks with the last span that begins before `t`; -1: none does. */
function blockBefore({ edges }: WorkerLane, t: Micros): number {
  return bisectLeft(edges.heads, t, 0, Math.ceil(edges.length / BLOCK)) - 1
}

/** Fills in how long each stage was worked at until `t`. Block k of marks holds the last span that begins before `t` (-1: none). */
export function workedUntil(
  { block, stages }: Lanes,
  { edges: { heads, after, length }, stage, sums }: WorkerLane,
  k: number,
  t: Micros,
  into: Float64Array,
): void {
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

function createLane(stages: number): WorkerLane {
  return {
    edges: createMarks(),
    stage: new Uint8Array(PAIRS),
    total: new Float64Array(stages),
    sums: new Float64Array(0),
  }
}

/** Returns how far a worker is with its job at time t, 0 to 1, from the recorded spans; null when none covers t. */
export function progressAt({ lanes }: Lanes, worker: number, t: Micros): number | null {
  const edges = lanes[worker]?.edges
  if (edges === undefined) return null
  const end = firstMark(edges, t, 0, 0, true)
  // Between the end of one span and the beginning of the next.
  if (end % 2 === 0) return null
  const began = markAt(edges, end - 1)
  return (t - began) / (markAt(edges, end) - began)
}

/**
 * Fills in how many of the workers from `from` to `to - 1` worked at each stage, on average, in each of `pixels` equal parts of [t0, t1). `into` has a
 * column for each stage, with room for two numbers more. A span changes four of them, however many parts it covers: they hold differences
 * first, which are then added up. `underway`: by worker, the stage of work that has not ended (-1: none) and when it began.
 */
export function teamShares(
  lanes: Lanes,
  [from, to]: readonly [from: number, to: number],
  t0: Micros,
  t1: Micros,
  pixels: number,
  into: readonly Float64Array[],
  underway?: readonly { readonly stage: number; readonly since: Micros }[],
): void {
  for (const column of into) column.fill(0, 0, pixels + 2)
  const perMicro = pixels / (t1 - t0)
  for (let worker = from; worker < to; worker++) {
    const now = underway?.[worker]
    if (now !== undefined && now.stage >= 0) addSpan(into[now.stage], (now.since - t0) * perMicro, pixels, pixels)
    const { first, count } = spansWithin(lanes, worker, t0, t1)
    if (count === 0) continue
    const { edges, stage } = lanes.lanes[worker]
    for (let i = first; i < first + count; i++)
      addSpan(
        into[stage[i]],
        (markAt(edges, 2 * i) - t0) * perMicro,
        (markAt(edges, 2 * i + 1) - t0) * perMicro,
        pixels,
      )
  }
  for (const column of into) for (let p = 1; p < pixels; p++) column[p] += column[p - 1]
}

/** Adds a span between two points, in parts, to the differences of a column. */
function addSpan(column: Float64Array, a: number, b: number, pixels: number): void {
  const from = a > 0 ? a : 0
  const until = b < pixels ? b : pixels
  if (!(until > from)) return
  const i = Math.floor(from)
  const j = Math.floor(until)
  column[i] += i + 1 - from
  column[i + 1] += from - i
  column[j] += until - j - 1
  column[j + 1] -= until - j
}
