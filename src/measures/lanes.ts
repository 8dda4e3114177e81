import type { Micros } from '../scenario/scenario.ts'
import { firstAtLeast } from './search.ts'

/**
 * Who worked where, one lane a worker, kept so that a picture of any stretch of time costs a few steps a pixel however
 * many spans lie in it. Spans are appended as they are learned. Before every block of spans stands how long each stage
 * has been worked at so far; a pixel is the difference of two of these and the spans at its rims:
 *
 *   spans    ▂▂▆▆▆▂▂▆ | ▆▆▂▂▂▆▆▂ | ▂▂▂▂▆▆▂▂ | ▆▆▂
 *   pixel         [-----------------------]
 *   counted       ▆▂▂▆   sums[2] - sums[1]  ▂▂
 */
export interface Lanes {
  readonly stages: number
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
}

const BLOCK = 64

export function createLanes(stages: number): Lanes {
  return { stages, length: 0, lanes: [] }
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
  if (i % BLOCK === 0) {
    const at = (i / BLOCK) * lanes.stages
    if (at + lanes.stages > lane.sums.length) lane.sums = longer(lane.sums, new Float64Array(Math.max(lane.sums.length * 2, at + lanes.stages)))
    lane.sums.set(lane.total, at)
  }
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
 */
export function laneStates(lanes: Lanes, worker: number, t0: Micros, t1: Micros, pixels: number, stage: Int16Array, share: Uint8Array): void {
  const lane = lanes.lanes[worker]
  stage.fill(-1, 0, pixels)
  share.fill(0, 0, pixels)
  if (lane === undefined) return
  const { began, ended, length } = lane
  const busy = new Float64Array(lanes.stages)
  const width = (t1 - t0) / pixels
  let i = firstAtLeast(ended, length, t0, 0, true)
  for (let p = 0; p < pixels && i < length; p++) {
    const a = t0 + p * width
    const b = t0 + (p + 1) * width
    if (ended[i] <= a) i = firstAtLeast(ended, length, a, i, true)
    if (i === length || began[i] >= b) continue
    if (began[i] <= a && ended[i] >= b) {
      stage[p] = lane.stage[i]
      share[p] = 255
      continue
    }
    const j = firstAtLeast(began, length, b, i + 1)
    if (j === i + 1) {
      stage[p] = lane.stage[i]
      share[p] = part(overlap(began[i], ended[i], a, b), width)
      continue
    }
    addUp(lane, lanes.stages, i, j, a, b, busy)
    let most = -1
    let longest = 0
    let sum = 0
    for (let s = 0; s < busy.length; s++) {
      sum += busy[s]
      if (busy[s] > longest) {
        longest = busy[s]
        most = s
      }
      busy[s] = 0
    }
    stage[p] = most
    share[p] = part(sum, width)
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

/** Adds to `busy` how long each stage was worked at in [a, b) by spans i to j - 1, of which only the first and the last may reach beyond. */
function addUp(lane: Lane, stages: number, i: number, j: number, a: Micros, b: Micros, busy: Float64Array): void {
  const from = (Math.floor(i / BLOCK) + 1) * BLOCK
  const to = Math.floor((j - 1) / BLOCK) * BLOCK
  if (to <= from) {
    scan(lane, i, j, a, b, busy)
    return
  }
  scan(lane, i, from, a, b, busy)
  const low = (from / BLOCK) * stages
  const high = (to / BLOCK) * stages
  for (let s = 0; s < stages; s++) busy[s] += lane.sums[high + s] - lane.sums[low + s]
  scan(lane, to, j, a, b, busy)
}

function scan({ began, ended, stage }: Lane, i: number, j: number, a: Micros, b: Micros, busy: Float64Array): void {
  for (let k = i; k < j; k++) busy[stage[k]] += overlap(began[k], ended[k], a, b)
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
  return { length: 0, began: new Float64Array(64), ended: new Float64Array(64), stage: new Int16Array(64), total: new Float64Array(stages), sums: new Float64Array(stages) }
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
