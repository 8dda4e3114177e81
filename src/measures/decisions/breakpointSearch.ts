import { countRow } from '../../pipeline/countRow.ts'
import { BUSY, IDLE, type Tally } from '../../pipeline/counts.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { decisionIndexAt } from '../../trace/decisionTime.ts'
import { eachRow, rowsUntil, stateBefore, type Trace, timeOf } from '../../trace/trace.ts'
import { type Cause, type Condition, type Hit, MOVES_WITHIN } from './breakpoints.ts'
import { ballotOf, tieOrder } from './decision.ts'
import { type Beliefs, estimatesBefore } from './estimateHistory.ts'
import { seatsBy } from './ruleComparison.ts'

/**
 * A search through a trace, which may still grow, for the first instant later than `after` at which a condition is met.
 * It goes row by row with counts of its own, so that whoever plays can let it run ahead, a few thousand rows a frame.
 *
 *   rows      . . . after . . . . . clearUntil . . . .
 *             warm up |  nothing met  |  to be looked at
 */
export interface Hunt {
  readonly trace: Trace
  readonly beliefs: Beliefs
  readonly conditions: readonly Condition[]
  readonly after: Micros
  /** No instant from `after` to this one meets any condition: so far may be played. */
  clearUntil: Micros
  readonly tally: Tally
  /** The next row, and the next decision. */
  row: number
  decision: number
  readonly seats: Uint16Array
  readonly stageOf: readonly number[]
  /** By stage: workers whose post is there now, and at the end of the instant before; jobs that waited then. */
  readonly posted: Int32Array
  readonly postedBefore: Int32Array
  readonly waitingBefore: Int32Array
  /** By condition: whether the rule gave other seats at the decision before; by worker, when it moved the last times. */
  readonly parted: boolean[]
  readonly moves: readonly (readonly Micros[][])[]
  /** What has been met at the instant in hand. */
  causes: Cause[]
}

/**
 * Begins as far before `after` as conditions look back: before the decision in force, and before the second in which moves
 * count. Costs a fold from a checkpoint.
 */
export function createHunt(trace: Trace, beliefs: Beliefs, conditions: readonly Condition[], after: Micros): Hunt {
  const decided = decisionIndexAt(trace, after)
  let row = rowsUntil(trace, after)
  if (decided >= 0 && conditions.some(({ kind }) => kind === 'disagree')) row = trace.decisions.row[decided]
  if (conditions.some(({ kind }) => kind === 'moves')) row = Math.min(row, rowsUntil(trace, after - MOVES_WITHIN - 1))
  const { tally, seats, decisions } = stateBefore(trace, row)
  const { stages } = trace.topology
  const hunt: Hunt = {
    trace,
    beliefs,
    conditions,
    after,
    clearUntil: after,
    tally,
    row,
    decision: decisions,
    seats,
    stageOf: tieOrder(trace.scenario),
    posted: new Int32Array(stages),
    postedBefore: new Int32Array(stages),
    waitingBefore: new Int32Array(stages),
    parted: conditions.map(() => false),
    moves: conditions.map(() => Array.from(tally.status, () => [])),
    causes: [],
  }
  for (let w = 0; w < tally.status.length; w++) post(hunt, w, 1)
  decide(hunt)
  close(hunt)
  return hunt
}

/**
 * Looks at the rows of time `until` at the latest, at most `most` of them. Returns the first hit, after which the hunt is
 * over; else null, and `clearUntil` says how far there is none. Of an instant all rows must be there.
 */
export function advance(hunt: Hunt, until: Micros, most = Infinity): Hit | null {
  const { trace, tally } = hunt
  for (let left = most; ; ) {
    const time = hunt.row < trace.length ? timeOf(trace, hunt.row) : Infinity
    const over = time > tally.time
    if (over) {
      const causes = close(hunt)
      if (causes.length > 0 && tally.time > hunt.after) return { time: tally.time, causes }
    }
    if (time === Infinity || time > until || left <= 0) {
      hunt.clearUntil = Math.max(hunt.clearUntil, Math.min(until, (over ? time : tally.time) - 1))
      return null
    }
    let to = hunt.row + 1
    while (to < trace.length && to - hunt.row < left && timeOf(trace, to) === time) to++
    left -= to - hunt.row
    take(hunt, to)
  }
}

/** Takes the rows up to `to`, which are of one instant. */
function take(hunt: Hunt, to: number): void {
  const { trace, tally } = hunt
  eachRow(trace, hunt.row, to, (rows, i, row) => {
    const worker = rows.worker[i]
    if (worker < 0) countRow(trace.topology, tally, rows, i)
    else {
      const stood = tally.stage[worker]
      post(hunt, worker, -1)
      countRow(trace.topology, tally, rows, i)
      post(hunt, worker, 1)
      if (stood >= 0 && tally.stage[worker] !== stood && tally.movedFrom[worker] === stood) move(hunt, worker)
    }
    hunt.row = row + 1
    decide(hunt)
  })
}

/** Counts a worker in or out where its post is. */
function post({ tally: { status, stage }, posted }: Hunt, worker: number, by: 1 | -1): void {
  if (stage[worker] >= 0 && (status[worker] === IDLE || status[worker] === BUSY)) posted[stage[worker]] += by
}

/** A worker has changed stage: is it the move that makes them so many within a second, which they were not a microsecond ago? */
function move(hunt: Hunt, worker: number): void {
  const { time } = hunt.tally
  hunt.conditions.forEach((condition, c) => {
    if (condition.kind !== 'moves') return
    const moves = hunt.moves[c][worker]
    moves.push(time)
    if (moves.length > condition.times + 1) moves.shift()
    const enough = moves.length >= condition.times && moves[moves.length - condition.times] > time - MOVES_WITHIN
    // With the one before those they were as many a microsecond ago already.
    const already = moves.length > condition.times && moves[0] >= time - MOVES_WITHIN
    if (enough && !already) hunt.causes.push({ condition, stage: -1, worker, amount: condition.times })
  })
}

/** Takes the decision that stands before the next row, if there is one: its seats, and what other rules say to its votes. */
function decide(hunt: Hunt): void {
  const { trace, seats, stageOf, tally } = hunt
  const { decisions } = trace
  const d = hunt.decision
  if (d >= decisions.length || decisions.row[d] !== hunt.row) return
  hunt.decision++
  for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++) seats[decisions.stage[c]] = decisions.seats[c]
  if (!hunt.conditions.some(({ kind }) => kind === 'disagree')) return
  const ballot = ballotOf(trace, hunt, estimatesBefore(hunt.beliefs, hunt.row, tally), stageOf)
  hunt.conditions.forEach((condition, c) => {
    if (condition.kind !== 'disagree') return
    const elsewhere = seatsBy(condition.rule, condition.power, ballot).reduce((sum, n, k) => sum + Math.abs(n - seats[stageOf[k]]), 0)
    // A seat that stands elsewhere is one too many there and one too few here; where a policy leaves seats empty it may be odd.
    if (elsewhere > 0 && !hunt.parted[c]) hunt.causes.push({ condition, stage: -1, worker: -1, amount: Math.ceil(elsewhere / 2) })
    hunt.parted[c] = elsewhere > 0
  })
}

/** The instant in hand is over. Returns what was met at it, by condition, and remembers how things stand. */
function close(hunt: Hunt): Cause[] {
  const { posted, postedBefore, waitingBefore, tally, conditions } = hunt
  const found = hunt.causes
  for (const condition of conditions) {
    if (condition.kind !== 'deserted' && condition.kind !== 'queue') continue
    const first = condition.stage ?? 0
    const last = condition.stage ?? posted.length - 1
    for (let s = first; s <= last; s++) {
      if (condition.kind === 'deserted') {
        if (posted[s] === 0 && postedBefore[s] > 0) found.push({ condition, stage: s, worker: -1, amount: 0 })
      } else if (tally.waiting[s] > condition.above && waitingBefore[s] <= condition.above)
        found.push({ condition, stage: s, worker: -1, amount: tally.waiting[s] })
    }
  }
  postedBefore.set(posted)
  waitingBefore.set(tally.waiting)
  if (found.length === 0) return found
  hunt.causes = []
  return found.sort((a, b) => conditions.indexOf(a.condition) - conditions.indexOf(b.condition) || a.stage - b.stage || a.worker - b.worker)
}
