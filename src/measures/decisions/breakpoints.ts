import type { Ballot } from '../../allocation/ballot.ts'
import { t } from '../../language/translate.ts'
import { BUSY, countStaffed, IDLE } from '../../pipeline/counts.ts'
import { applySeats } from '../../pipeline/journal.ts'
import { tieOrder } from '../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { decisionIndexAt, follow, type RowVisitor } from '../../trace/follow.ts'
import { rowsUntil, stateBefore, type Trace, timeOf } from '../../trace/trace.ts'
import { ballotOf } from './decision.ts'
import { type EstimateHistory, estimatesBefore } from './estimateHistory.ts'
import { type RuleComparison, seatsBy } from './ruleComparison.ts'
import { createSpeech, merged, plain, type SentencePart, sentence, tParts } from './speech.ts'

/** A condition that stops playback: it holds at the end of an instant but not before. */
export type Condition =
  /** A stage has no worker any more. Stage null: any. */
  | { readonly kind: 'deserted'; readonly stage: number | null }
  /** More than `above` jobs wait at a stage. */
  | { readonly kind: 'queue'; readonly stage: number | null; readonly above: number }
  /** This rule would now give other seats than the decision, and agreed with the one before. */
  | { readonly kind: 'disagree'; readonly rule: RuleComparison['rule']; readonly power: number }
  /** A worker has changed stage `times` times in (t - 1 s, t]. */
  | { readonly kind: 'moves'; readonly times: number }

/** Moves within this time are counted together. */
export const MOVES_WITHIN: Micros = 1_000_000

/** A condition that was met: where, by which worker, how far. */
export interface BreakCause {
  readonly condition: Condition
  /** The stage of `deserted` and `queue`, else -1. */
  readonly stage: number
  /** The worker of `moves`, else -1. */
  readonly worker: number
  /** Jobs waiting, seats that would move, moves; 0 for `deserted`. */
  readonly amount: number
}

export interface Hit {
  readonly time: Micros
  /** By condition, then by stage or worker. */
  readonly causes: readonly BreakCause[]
}

/**
 * Returns a search for the first instant after `after` at which a condition is met. It goes row by row with its own counts, so
 * playback can let it run ahead a few thousand rows a frame. The trace may still grow.
 *
 *   rows      . . . after . . . . . clearUntil . . . .
 *             warm up |  nothing met  |  to be read
 *
 * It begins as far before `after` as conditions look back: before the current decision, and before the second in which moves
 * count. Costs a fold from a checkpoint.
 */
export function createBreakpointSearch(
  trace: Trace,
  estimateHistory: EstimateHistory,
  conditions: readonly Condition[],
  after: Micros,
) {
  const decided = decisionIndexAt(trace, after)
  let row = rowsUntil(trace, after)
  if (decided >= 0 && conditions.some(({ kind }) => kind === 'disagree')) row = trace.decisions.row[decided]
  if (conditions.some(({ kind }) => kind === 'moves')) row = Math.min(row, rowsUntil(trace, after - MOVES_WITHIN - 1))
  const { counts, seats, decisions } = stateBefore(trace, row)
  const { stages } = trace.topology
  const breakpointSearch = {
    trace,
    estimateHistory,
    conditions,
    after,
    /** No condition is met until here, so playback can continue. */
    clearUntil: after,
    counts,
    hands: null,
    rows: row,
    decision: decisions,
    seats,
    stageOf: tieOrder(trace.scenario),
    /** By stage: present workers, now and at the end of the previous instant; jobs that waited then. */
    staffed: new Int32Array(stages),
    staffedBefore: new Int32Array(stages),
    waitingBefore: new Int32Array(stages),
    /** By condition: whether the rule differed at the last decision; by worker, when it last moved. */
    disagreed: conditions.map(() => false),
    moves: conditions.map(() => Array.from(counts.status, (): Micros[] => [])),
    causes: [] as BreakCause[],
  }
  countStaffed(counts, breakpointSearch.staffed)
  decide(breakpointSearch)
  close(breakpointSearch)
  return breakpointSearch
}

export type BreakpointSearch = ReturnType<typeof createBreakpointSearch>

/** Reads at most `maxRows` rows up to `until`. Returns the first hit, which ends the search; else null. */
export function advanceSearch(breakpointSearch: BreakpointSearch, until: Micros, maxRows = Infinity): Hit | null {
  const { trace, counts } = breakpointSearch
  for (let left = maxRows; ; ) {
    const time = breakpointSearch.rows < trace.length ? timeOf(trace, breakpointSearch.rows) : Infinity
    const over = time > counts.time
    if (over) {
      const causes = close(breakpointSearch)
      if (causes.length > 0 && counts.time > breakpointSearch.after) return { time: counts.time, causes }
    }
    if (time === Infinity || time > until || left <= 0) {
      breakpointSearch.clearUntil = Math.max(
        breakpointSearch.clearUntil,
        Math.min(until, (over ? time : counts.time) - 1),
      )
      return null
    }
    let to = breakpointSearch.rows + 1
    while (to < trace.length && to - breakpointSearch.rows < left && timeOf(trace, to) === time) to++
    left -= to - breakpointSearch.rows
    take(breakpointSearch, to)
  }
}

function take(breakpointSearch: BreakpointSearch, to: number): void {
  const { counts } = breakpointSearch
  let stood = -1
  const before: RowVisitor = (rows, i) => {
    const worker = rows.worker[i]
    if (worker < 0) return
    stood = counts.stage[worker]
    addStaffed(breakpointSearch, worker, -1)
  }
  follow(breakpointSearch, to - breakpointSearch.rows, before, (rows, i) => {
    const worker = rows.worker[i]
    if (worker >= 0) {
      addStaffed(breakpointSearch, worker, 1)
      if (stood >= 0 && counts.stage[worker] !== stood && counts.movedFrom[worker] === stood)
        move(breakpointSearch, worker)
    }
    decide(breakpointSearch)
  })
}

/** Adds `by` to the number of workers at a worker's stage. */
function addStaffed({ counts: { status, stage }, staffed }: BreakpointSearch, worker: number, by: 1 | -1): void {
  if (stage[worker] >= 0 && (status[worker] === IDLE || status[worker] === BUSY)) staffed[stage[worker]] += by
}

/** A hit if there are now enough moves within a second, and were not a microsecond ago. */
function move(breakpointSearch: BreakpointSearch, worker: number): void {
  const { time } = breakpointSearch.counts
  breakpointSearch.conditions.forEach((condition, c) => {
    if (condition.kind !== 'moves') return
    const moves = breakpointSearch.moves[c][worker]
    moves.push(time)
    if (moves.length > condition.times + 1) moves.shift()
    const enough = moves.length >= condition.times && moves[moves.length - condition.times] > time - MOVES_WITHIN
    // With one earlier move there were enough moves a microsecond ago already.
    const already = moves.length > condition.times && moves[0] >= time - MOVES_WITHIN
    if (enough && !already) breakpointSearch.causes.push({ condition, stage: -1, worker, amount: condition.times })
  })
}

/** Applies the decision before the next row, and asks other rules about its votes. */
function decide(breakpointSearch: BreakpointSearch): void {
  const { trace, seats, stageOf, counts } = breakpointSearch
  const { decisions } = trace
  const d = breakpointSearch.decision
  if (d >= decisions.length || decisions.row[d] !== breakpointSearch.rows) return
  breakpointSearch.decision++
  applySeats(decisions, d, seats)
  let ballot: Ballot | null = null
  breakpointSearch.conditions.forEach((condition, c) => {
    if (condition.kind !== 'disagree') return
    ballot ??= ballotOf(
      trace,
      breakpointSearch,
      estimatesBefore(breakpointSearch.estimateHistory, breakpointSearch.rows, counts),
      stageOf,
    )
    const elsewhere = seatsBy(condition.rule, condition.power, ballot).reduce(
      (sum, n, k) => sum + Math.abs(n - seats[stageOf[k]]),
      0,
    )
    // A moved seat counts twice, at both stages. Where seats stay empty the sum may be odd.
    if (elsewhere > 0 && !breakpointSearch.disagreed[c])
      breakpointSearch.causes.push({ condition, stage: -1, worker: -1, amount: Math.ceil(elsewhere / 2) })
    breakpointSearch.disagreed[c] = elsewhere > 0
  })
}

/** Ends the current instant. Returns the conditions that were met in it. */
function close(breakpointSearch: BreakpointSearch): BreakCause[] {
  const { staffed, staffedBefore, waitingBefore, counts, conditions } = breakpointSearch
  const found = breakpointSearch.causes
  for (const condition of conditions) {
    if (condition.kind !== 'deserted' && condition.kind !== 'queue') continue
    const first = condition.stage ?? 0
    const last = condition.stage ?? staffed.length - 1
    for (let s = first; s <= last; s++) {
      if (condition.kind === 'deserted') {
        if (staffed[s] === 0 && staffedBefore[s] > 0) found.push({ condition, stage: s, worker: -1, amount: 0 })
      } else if (counts.waiting[s] > condition.above && waitingBefore[s] <= condition.above)
        found.push({ condition, stage: s, worker: -1, amount: counts.waiting[s] })
    }
  }
  staffedBefore.set(staffed)
  waitingBefore.set(counts.waiting)
  if (found.length === 0) return found
  breakpointSearch.causes = []
  return found.sort(
    (a, b) =>
      conditions.indexOf(a.condition) - conditions.indexOf(b.condition) || a.stage - b.stage || a.worker - b.worker,
  )
}

const MAX_CAUSES = 3

/** Returns why playback has stopped: "Validate has lost its last worker." */
export function causesSentence(
  scenario: Scenario,
  causes: readonly BreakCause[],
  ruleName: (condition: Extract<Condition, { kind: 'disagree' }>) => string,
): SentencePart[] {
  const speech = createSpeech(scenario)
  const clauseOf = ({ condition, stage, worker, amount }: BreakCause): SentencePart[] => {
    switch (condition.kind) {
      case 'deserted':
        return tParts('<stage></stage> has lost its last worker', { stage: [speech.stage(stage)] })
      case 'queue':
        return tParts(
          'more than {n, number} wait at <stage></stage>: {amount, number}',
          { stage: [speech.stage(stage)] },
          { n: condition.above, amount },
        )
      case 'disagree':
        return [
          plain(
            t('{rule} would move {n, plural, one {# worker} other {# workers}}', {
              rule: ruleName(condition),
              n: amount,
            }),
          ),
        ]
      case 'moves':
        return tParts(
          'worker <worker></worker>: {n, plural, one {# move} other {# moves}} in 1 s',
          { worker: [speech.worker(worker)] },
          { n: condition.times },
        )
    }
  }
  const sentences = causes.slice(0, MAX_CAUSES).flatMap((cause) => sentence(clauseOf(cause)))
  return merged([
    ...sentences,
    ...(causes.length > MAX_CAUSES ? sentence([plain(t('{n, number} more', { n: causes.length - MAX_CAUSES }))]) : []),
  ])
}
