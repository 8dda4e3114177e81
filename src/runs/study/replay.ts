import { t } from '../../language/translate.ts'
import { clearJournal, createJournal, type Journal } from '../../pipeline/journal.ts'
import { beganAt, endedAt, FINISHED, isFact, pushFinished, pushRow, type Row, type Rows, rowAt, rowTime, STOPPED, TICK } from '../../pipeline/rows.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { type Core, createCore, dispatch } from '../../scheduler/dispatch.ts'
import { beginning, journalBetween } from '../../trace/journalBetween.ts'
import { type Trace, timeOf, traceRow } from '../../trace/trace.ts'
import { groupingOf } from '../../workload/groups.ts'
import { routingOf } from '../../workload/routes.ts'
import { createServices } from '../../workload/service.ts'

/** What a decision said, and of what. */
export interface DecisionRecord {
  /** Of every stage, after it. */
  readonly seats: readonly number[]
  /** Of what it saw. */
  readonly hash: number
}

/**
 * The first place where the core says something else than the record. A row or a decision that is null is one that the
 * record, or the core, does not have there.
 */
export type Difference = {
  /** The row of the trace at which they part, and its time. */
  readonly row: number
  readonly time: Micros
  /** The decision of that instant, or the last before it; -1: there was none yet. */
  readonly decision: number
} & (
  | { readonly kind: 'row'; readonly recorded: Row | null; readonly replayed: Row | null }
  | { readonly kind: 'decision'; readonly recorded: DecisionRecord | null; readonly replayed: DecisionRecord | null }
  /** The core could not take these facts at all: nothing of the kind can have happened. */
  | { readonly kind: 'refused'; readonly reason: string }
)

/** What came of a replay, so far or in the end. */
export interface Replay {
  /** Decisions of the record, and those of them that came out again with all that followed from them. */
  readonly decisions: number
  readonly reproduced: number
  /** Orders and consequences that came out again. */
  readonly answers: number
  readonly difference: Difference | null
}

/** A replay under way. It takes the record in pieces, so that it can be sent to another thread bit by bit. */
export interface Replayer {
  readonly core: Core
  readonly journal: Journal
  /** The seats by stage after the decisions so far, as recorded. */
  readonly seats: Uint16Array
  /** Rows of the pieces before the one at hand. */
  rows: number
  /** Decisions, and orders and consequences, that came out again so far. */
  decisions: number
  answers: number
  difference: Difference | null
}

/** `sizeOf` tells what a job costs at a stage, as for the core: what the workload foretells unless given. */
export function createReplayer(scenario: Scenario, sizeOf: (stage: number, job: number) => Micros = createServices(scenario).at): Replayer {
  return {
    core: createCore(scenario, sizeOf, groupingOf(scenario), routingOf(scenario)),
    journal: createJournal(),
    seats: new Uint16Array(scenario.stages.length),
    rows: 0,
    decisions: 0,
    answers: 0,
    difference: null,
  }
}

/**
 * Plays the facts of one more piece of the record (see `piecesOf`) through the core, instant by instant, and holds what it
 * answers against the rows and decisions recorded. Returns whether all was reproduced; after a difference nothing is taken.
 *
 * Where one dispatch ended and the next began is not recorded, and need not be: a dispatch took facts of one time, up to
 * the answers or the decision that follow them. Facts of one time that nothing stands between may have come in several
 * dispatches of which the earlier had no answer; those did nothing but take their facts in, so together it is the same. Only a
 * tick, at which controllers learn something even if they ask for nothing, has to be the last fact of its dispatch.
 */
export function takePiece(replayer: Replayer, recorded: Journal): boolean {
  const { rows, decisions } = recorded
  let d = 0
  for (let at = 0; at < rows.length && replayer.difference === null; ) {
    const facts = factsFrom(recorded, at, d)
    let end = facts
    while (end < rows.length && !isFact(rows.kind[end])) end++
    let decided = d
    while (decided < decisions.length && decisions.row[decided] <= end) decided++
    replayer.difference = playInstant(replayer, recorded, { at, facts, end, d, decided })
    if (replayer.difference !== null) return false
    replayer.answers += end - facts
    replayer.decisions += decided - d
    d = decided
    at = end
  }
  replayer.rows += rows.length
  return replayer.difference === null
}

/** How it stands; `decisions` is the number of decisions of the whole record. */
export function outcomeOf({ decisions: reproduced, answers, difference }: Pick<Replayer, 'decisions' | 'answers' | 'difference'>, decisions: number): Replay {
  return { decisions, reproduced, answers, difference }
}

/** Plays a recorded run through the core again, at once and on this thread. */
export function replay(trace: Trace, sizeOf?: (stage: number, job: number) => Micros): Replay {
  const replayer = createReplayer(trace.scenario, sizeOf)
  for (const piece of journalPieces(trace)) if (!takePiece(replayer, piece)) break
  return outcomeOf(replayer, trace.decisions.length)
}

/** Rows in a piece, about: an instant is never cut. */
const PIECE = 1 << 15

/** The record of a run in pieces that begin and end with an instant, each a journal of its own. */
export function* journalPieces(trace: Trace, size = PIECE): Generator<Journal, void, undefined> {
  const { decisions, length } = trace
  for (let from = beginning; from.rows < length; ) {
    let rows = Math.min(length, from.rows + size)
    while (rows < length && (timeOf(trace, rows) === timeOf(trace, rows - 1) || !isFact(traceRow(trace, rows).kind))) rows++
    let d = from.decisions
    while (d < decisions.length && decisions.row[d] <= rows) d++
    const to = { rows, decisions: d }
    yield journalBetween(trace, from, to)
    from = to
  }
}

interface Instant {
  /** Facts are the rows [at, facts), answers [facts, end). */
  readonly at: number
  readonly facts: number
  readonly end: number
  /** Decisions [d, decided) stand here; of one dispatch there is at most one. */
  readonly d: number
  readonly decided: number
}

function factsFrom({ rows, decisions }: Journal, at: number, d: number): number {
  const time = rowTime(rows, at)
  const stop = d < decisions.length ? Math.max(decisions.row[d], at + 1) : rows.length
  let i = at
  while (i < stop && i < rows.length && isFact(rows.kind[i]) && rowTime(rows, i) === time) {
    // Once it is stopped a core decides nothing, whatever it was told before.
    if (rows.kind[i++] === TICK && rows.kind[i] !== STOPPED) break
  }
  return i
}

/** Null if the core answers as recorded. */
function playInstant(replayer: Replayer, recorded: Journal, instant: Instant): Difference | null {
  const { core, journal } = replayer
  const { at, facts, end, d, decided } = instant
  const count = facts - at
  const place = (row: number) => ({
    row: replayer.rows + row,
    time: rowTime(recorded.rows, Math.min(row, recorded.rows.length - 1)),
    decision: replayer.decisions - (decided > d ? 0 : 1),
  })
  clearJournal(journal)
  for (let i = at; i < facts; i++) copyRow(recorded.rows, i, journal.rows)
  try {
    if (count > 0) dispatch(core, journal, 0)
    // Nobody is sent off here.
    core.state.granted.length = 0
  } catch (error) {
    return { ...place(at), kind: 'refused', reason: error instanceof Error ? error.message : String(error) }
  }
  let same = 0
  while (facts + same < end && count + same < journal.rows.length && equalRows(recorded.rows, facts + same, journal.rows, count + same)) same++
  const rowsDiffer = facts + same < end || count + same < journal.rows.length
  const parts = facts + same
  const decision = compareDecisions(replayer, recorded, instant)
  // Whichever stands first: a decision stands before the orders that follow from it.
  if (decision !== null && !(rowsDiffer && parts < decision.row)) {
    const { row, ...said } = decision
    return { ...place(row), kind: 'decision', ...said }
  }
  if (!rowsDiffer) return null
  return {
    ...place(parts),
    kind: 'row',
    recorded: parts < end ? rowAt(recorded.rows, parts) : null,
    replayed: count + same < journal.rows.length ? rowAt(journal.rows, count + same) : null,
  }
}

/** Where the decisions of an instant differ, and how; null if they do not. What was recorded is taken over as it stands. */
function compareDecisions(
  { core, journal, seats }: Replayer,
  { decisions }: Journal,
  { at, d, decided }: Instant,
): { readonly row: number; readonly recorded: DecisionRecord | null; readonly replayed: DecisionRecord | null } | null {
  const own = journal.decisions
  let equal = decided - d === own.length && own.length < 2
  if (decided > d) {
    const from = d === 0 ? 0 : decisions.ends[d - 1]
    const changes = decisions.ends[d] - from
    for (let c = 0; c < changes; c++) {
      seats[decisions.stage[from + c]] = decisions.seats[from + c]
      equal &&= own.stage[c] === decisions.stage[from + c] && own.seats[c] === decisions.seats[from + c]
    }
    equal &&= changes === own.changes && own.row[0] === decisions.row[d] - at && own.hash[0] === decisions.hash[d]
  }
  if (equal) return null
  const replayed: number[] = []
  core.stageOf.forEach((stage, k) => {
    replayed[stage] = core.seats[k]
  })
  return {
    row: decided > d ? decisions.row[d] : at + own.row[0],
    recorded: decided > d ? { seats: [...seats], hash: decisions.hash[d] } : null,
    replayed: own.length > 0 ? { seats: replayed, hash: own.hash[0] } : null,
  }
}

function copyRow(from: Rows, i: number, to: Rows): void {
  if (from.kind[i] === FINISHED) pushFinished(to, rowTime(from, i), from.stage[i], from.worker[i], from.job[i], beganAt(from, i), endedAt(from, i))
  else pushRow(to, rowTime(from, i), from.kind[i], from.stage[i], from.worker[i], from.job[i])
}

function equalRows(a: Rows, i: number, b: Rows, j: number): boolean {
  return rowTime(a, i) === rowTime(b, j) && a.kind[i] === b.kind[j] && a.stage[i] === b.stage[j] && a.worker[i] === b.worker[j] && a.job[i] === b.job[j]
}

/** What a thread that replays offers to the page: the pieces of a record one after another, the first with its scenario. */
export interface Replaying {
  replayPiece(scenario: Scenario | null, piece: Journal): Pick<Replayer, 'decisions' | 'answers' | 'difference'>
}

/** The thread's end. */
export function createReplaying(): Replaying {
  let replayer: Replayer | null = null
  return {
    replayPiece(scenario, piece) {
      if (scenario !== null) replayer = createReplayer(scenario)
      if (replayer === null) throw new Error(t('the record begins without its scenario'))
      takePiece(replayer, piece)
      const { decisions, answers, difference } = replayer
      return { decisions, answers, difference }
    },
  }
}
