import { moveAfter, moveBefore } from '../../../measures/decisions/moves.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime } from '../../../trace/decisionTime.ts'
import { endOf, rowsUntil, type Trace, timeOf } from '../../../trace/trace.ts'
import type { Session } from '../session.ts'
import { playback } from './playback.ts'
import { move, runStore } from './runStore.ts'
import { shownTimeline } from './timelineStore.ts'

export function seek(session: Session, time: number): void {
  const { run } = runStore(session).getState()
  if (run === null) return
  move(session, { time: Math.max(0, Math.min(Math.round(time), reachOf(session, run.trace))), playing: false, following: false })
}

/** Goes on from where the playhead stands, from the start if it stands at the end. */
export function togglePlaying(session: Session): void {
  const { run } = runStore(session).getState()
  if (run === null) return
  const atEnd = playback(session).time >= reachOf(session, run.trace)
  if (playback(session).playing) move(session, { playing: false, following: false })
  else move(session, { playing: true, time: atEnd ? 0 : playback(session).time })
}

/** Back to the end of a run that is under way. */
export function followLive(session: Session): void {
  move(session, { playing: true, following: true })
}

/** How far the playhead goes. */
function reachOf(session: Session, trace: Trace): Micros {
  return Math.max(endOf(trace), playback(session).reach)
}

/** To the next instant at which anything happened, or the one before. */
export function stepInstant(session: Session, by: 1 | -1): void {
  const trace = runStore(session).getState().run?.trace
  if (trace === undefined || trace.length === 0) return
  const until = rowsUntil(trace, playback(session).time)
  goTo(session, by < 0 ? beforeInstant(session, trace, until) : until < trace.length ? timeOf(trace, until) : endOf(trace))
}

/** To the next decision, or the one before. */
export function stepDecision(session: Session, by: 1 | -1): void {
  const trace = runStore(session).getState().run?.trace
  if (trace === undefined || trace.decisions.length === 0) return
  const present = decisionIndexAt(trace, playback(session).time)
  const onIt = present >= 0 && decisionTime(trace, present) === playback(session).time
  const d = by > 0 ? present + 1 : onIt ? present - 1 : present
  if (d >= 0 && d < trace.decisions.length) goTo(session, decisionTime(trace, d))
}

/** To an instant, which is then to be seen. */
export function goTo(session: Session, time: number): void {
  seek(session, time)
  shownTimeline(session).timeline?.reveal(playback(session).time)
}

/** To the next decision that sent a worker to another stage, or the one before. */
export function stepMove(session: Session, by: 1 | -1): void {
  const trace = runStore(session).getState().run?.trace
  if (trace === undefined) return
  const d = by > 0 ? moveAfter(trace, playback(session).time) : moveBefore(trace, playback(session).time)
  if (d >= 0) seek(session, decisionTime(trace, d))
}

function beforeInstant(session: Session, trace: Trace, until: number): number {
  let row = until - 1
  while (row >= 0 && timeOf(trace, row) >= playback(session).time) row--
  return row < 0 ? 0 : timeOf(trace, row)
}
