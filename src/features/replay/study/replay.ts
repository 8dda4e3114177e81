import type { LoadCode } from '../../../engine/engine.ts'
import { t } from '../../../language/translate.ts'
import { clearJournal, createJournal, type Journal } from '../../../pipeline/journal.ts'
import * as log from '../../../pipeline/rows.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import { hasCode, type Micros, type Scenario } from '../../../scenario/model/scenario.ts'
import { needsCode, type StartCode } from '../../../scheduler/codePolicy.ts'
import { createCore } from '../../../scheduler/core.ts'
import { dispatch } from '../../../scheduler/dispatch.ts'
import type { Pools } from '../../../scheduler/resize.ts'
import { beginning, journalBetween } from '../../../trace/journalBetween.ts'
import { type Trace, timeOf, traceRow } from '../../../trace/trace.ts'
import { groupingOf } from '../../../workload/groups.ts'
import { routingOf, sizesOf, startUpsOf, victimsOf } from '../../../workload/service.ts'

export interface DecisionRecord {
  /** The seats of every stage after the decision. */
  readonly seats: readonly number[]
  /** The hash of the scheduler's input. */
  readonly hash: number
}

/** The first place where the core and the record differ. A row or a decision is null if that side has none there. */
export type Difference = {
  /** The row of the trace at which they differ, and its time. */
  readonly row: number
  readonly time: Micros
  /** The decision of that instant or the last one before it; -1 if there was none yet. */
  readonly decision: number
} & (
  | { readonly kind: 'row'; readonly recorded: log.Row | null; readonly replayed: log.Row | null }
  | { readonly kind: 'decision'; readonly recorded: DecisionRecord | null; readonly replayed: DecisionRecord | null }
  /** The core threw: these facts cannot have happened. */
  | { readonly kind: 'refused'; readonly reason: string }
)

/** The outcome of a replay, so far or at the end. */
export interface Replay {
  /** How many decisions the record has, and how many of them were reproduced with all that followed. */
  readonly decisions: number
  readonly reproduced: number
  /** How many orders and consequences were reproduced. */
  readonly answers: number
  readonly difference: Difference | null
}

/**
 * Returns a replay in progress. It takes the record in pieces, which can be sent to another thread one by one. `serviceOf` returns the service time of
 * a job at a stage, by default that of the workload; the code of a policy runs in `startCode`. A run of a person's own functions counts the ends of
 * threads.
 */
export function createReplayer(
  scenario: Scenario,
  serviceOf?: (stage: number, job: number) => Micros,
  startCode?: StartCode,
  engine?: EngineName,
) {
  const core = createCore(
    scenario,
    sizesOf(scenario, serviceOf),
    groupingOf(scenario),
    routingOf(scenario),
    startCode,
    startUpsOf(scenario),
    victimsOf(scenario),
  )
  if (engine === 'functions' || (engine === 'threads' && hasCode(scenario))) core.state.threadEnds = new Map()
  return {
    core,
    journal: createJournal(),
    /** By stage, the recorded seats after the decisions so far. */
    seats: new Uint16Array(scenario.stages.length),
    /** The number of rows in the pieces before the present one. */
    rows: 0,
    /** How many decisions, and how many orders and consequences, were reproduced so far. */
    decisions: 0,
    answers: 0,
    difference: null as Difference | null,
    controllers: createControllerLog(scenario.stages.length),
  }
}

export type Replayer = ReturnType<typeof createReplayer>

/**
 * Plays the facts of one more piece of the record through the core and compares its answers with the recorded rows and
 * decisions. Returns whether all was reproduced; after a difference it takes nothing. README.md explains how a dispatch is found.
 */
export function takePiece(replayer: Replayer, recorded: Journal): boolean {
  const { rows, decisions } = recorded
  let d = 0
  for (let at = 0; at < rows.length && replayer.difference === null; ) {
    const facts = factsFrom(recorded, at, d)
    let end = facts
    while (end < rows.length && !log.isFact(rows.kind[end])) end++
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

/** Returns the outcome so far; `decisions` is the number of decisions of the whole record. */
export function outcomeOf({ decisions: reproduced, answers, difference }: Replayer, decisions: number): Replay {
  return { decisions, reproduced, answers, difference }
}

export function replay(trace: Trace, sizeOf?: (stage: number, job: number) => Micros, startCode?: StartCode): Replay {
  const replayer = createReplayer(trace.scenario, sizeOf, startCode, trace.engine)
  for (const piece of journalPieces(trace)) if (!takePiece(replayer, piece)) break
  return outcomeOf(replayer, trace.decisions.length)
}

/** About how many rows a piece has: an instant is never cut. */
const PIECE = 1 << 15

/** Yields the record of a run in pieces that begin and end with an instant, each a journal. */
export function* journalPieces(trace: Trace, size = PIECE): Generator<Journal, void, undefined> {
  const { decisions, length } = trace
  for (let from = beginning; from.rows < length; ) {
    let rows = Math.min(length, from.rows + size)
    while (
      rows < length &&
      (timeOf(trace, rows) === timeOf(trace, rows - 1) || !log.isFact(traceRow(trace, rows).kind))
    )
      rows++
    let d = from.decisions
    while (d < decisions.length && decisions.row[d] <= rows) d++
    const to = { rows, decisions: d }
    yield journalBetween(trace, from, to)
    from = to
  }
}

/** The facts are the rows [at, facts), the answers the rows [facts, end), the decisions [d, decided). One dispatch makes at most one. */
type Instant = Readonly<Record<'at' | 'facts' | 'end' | 'd' | 'decided', number>>

/** Returns where the facts of the dispatch that begins at a row end. */
function factsFrom({ rows, decisions }: Journal, at: number, d: number): number {
  const time = log.rowTime(rows, at)
  const stop = d < decisions.length ? Math.max(decisions.row[d], at + 1) : rows.length
  let i = at
  while (i < stop && i < rows.length && log.isFact(rows.kind[i]) && log.rowTime(rows, i) === time) {
    // A tick ends its dispatch, unless Stop follows: a stopped core decides nothing.
    if (rows.kind[i++] === log.TICK && rows.kind[i] !== log.STOPPED) break
  }
  return i
}

/** Returns null if the core answers as recorded. */
function playInstant(replayer: Replayer, recorded: Journal, instant: Instant): Difference | null {
  const { core, journal } = replayer
  const { at, facts, end, d, decided } = instant
  const count = facts - at
  const place = (row: number) => ({
    row: replayer.rows + row,
    time: log.rowTime(recorded.rows, Math.min(row, recorded.rows.length - 1)),
    decision: replayer.decisions - (decided > d ? 0 : 1),
  })
  clearJournal(journal)
  for (let i = at; i < facts; i++) copyRow(recorded.rows, i, journal.rows)
  try {
    if (count > 0) dispatch(core, journal, 0)
    if (core.pools !== null) noteTick(replayer.controllers, core.pools)
    // No worker is started here.
    core.state.granted.length = 0
  } catch (error) {
    return { ...place(at), kind: 'refused', reason: error instanceof Error ? error.message : String(error) }
  }
  // The first answers that differ: in the record, and of the core.
  let parts = facts
  let own = count
  while (parts < end && own < journal.rows.length && log.sameRow(recorded.rows, parts, journal.rows, own)) {
    parts++
    own++
  }
  const rowsDiffer = parts < end || own < journal.rows.length
  const decision = compareDecisions(replayer, recorded, instant)
  // A decision comes before its orders.
  if (decision !== null && !(rowsDiffer && parts < decision.row)) {
    const { row, ...rest } = decision
    return { ...place(row), kind: 'decision', ...rest }
  }
  if (!rowsDiffer) return null
  return {
    ...place(parts),
    kind: 'row',
    recorded: parts < end ? log.rowAt(recorded.rows, parts) : null,
    replayed: own < journal.rows.length ? log.rowAt(journal.rows, own) : null,
  }
}

/** Returns how the decisions of an instant differ, or null if they are equal. Takes over what was recorded. */
function compareDecisions({ core, journal, seats }: Replayer, { decisions }: Journal, { at, d, decided }: Instant) {
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

function copyRow(from: log.Rows, i: number, to: log.Rows): void {
  if (from.kind[i] === log.FINISHED)
    log.pushFinished(
      to,
      log.rowTime(from, i),
      from.stage[i],
      from.worker[i],
      from.job[i],
      log.beganAt(from, i),
      log.endedAt(from, i),
    )
  else log.pushRow(to, log.rowTime(from, i), from.kind[i], from.stage[i], from.worker[i], from.job[i])
}

export type ReplayHead = Pick<Trace, 'scenario' | 'engine'>

/** Replays a record that arrives in pieces; the first piece has the head. */
export function createReplaying() {
  let replayer: Replayer | null = null
  return {
    /** Returns whether the record and the replay are equal so far. */
    async replayPiece(head: ReplayHead | null, piece: Journal, loadCode?: LoadCode): Promise<boolean> {
      if (head !== null)
        replayer = createReplayer(
          head.scenario,
          undefined,
          needsCode(head.scenario) ? await loadCode?.() : undefined,
          head.engine,
        )
      if (replayer === null) throw new Error(t('the record begins without its scenario'))
      return takePiece(replayer, piece)
    },
    /** The outputs of the pool controllers so far. */
    controllers: () => replayer?.controllers ?? createControllerLog(0),
  }
}

/** The outputs of the controllers of a run, tick by tick. */
export interface ControllerLog {
  readonly times: Micros[]
  /** By stage, then by tick: the output of a PID controller, or the workers that a predictive one wants. */
  readonly outputs: readonly number[][]
  /** The same: by what an adaptive controller multiplies its gains, or a predictive one its profile. */
  readonly factors: readonly number[][]
}

export function createControllerLog(stages: number): ControllerLog {
  return {
    times: [],
    outputs: Array.from({ length: stages }, () => []),
    factors: Array.from({ length: stages }, () => []),
  }
}

/** Records the memory of the controllers, if there was a tick since the last entry. */
export function noteTick({ times, outputs, factors }: ControllerLog, { ticked, memory }: Pools): void {
  if (ticked < 0 || ticked === times[times.length - 1]) return
  times.push(ticked)
  for (let stage = 0; stage < memory.length; stage++) {
    outputs[stage].push(memory[stage].output)
    factors[stage].push(memory[stage].factor)
  }
}
