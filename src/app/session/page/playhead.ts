import { moveAfter, moveBefore } from '../../../measures/workers/moves.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime } from '../../../trace/follow.ts'
import { endOf, rowsUntil, type Trace, timeOf } from '../../../trace/trace.ts'
import { forkHere } from '../branches/branchRuns.ts'
import { playback } from '../run/playback.ts'
import { movePlayback, runStore } from '../run/runStore.ts'
import { start } from '../run/startStop.ts'
import type { Session } from '../session.ts'
import { shownTimeline } from './timelineStore.ts'

/** Moves the playhead and pauses. */
export function seek(session: Session, time: number): void {
  const { run } = runStore(session).getState()
  if (run === null) return
  movePlayback(session, {
    time: Math.max(0, Math.min(Math.round(time), reachOf(session, run.trace))),
    playing: false,
    following: false,
  })
}

/** Pauses, or plays from the playhead; from the start if it is at the end. Without a run it starts one. */
export function togglePlaying(session: Session): void {
  const { run } = runStore(session).getState()
  const { time, playing } = playback(session)
  if (run === null) void start(session)
  else if (playing) movePlayback(session, { playing: false, following: false })
  else movePlayback(session, { playing: true, time: time >= reachOf(session, run.trace) ? 0 : time })
}

/** Moves the playhead to the end of a running run and keeps it there. */
export const followLive = (session: Session): void => movePlayback(session, { playing: true, following: true })

const reachOf = (session: Session, trace: Trace): Micros => Math.max(endOf(trace), playback(session).reach)

/** Moves the playhead to the next instant at which anything happened, or to the one before. */
export function stepInstant(session: Session, by: 1 | -1): void {
  const trace = runStore(session).getState().run?.trace
  if (trace === undefined || trace.length === 0) return
  const { time } = playback(session)
  const until = rowsUntil(trace, time)
  const lastBefore = rowsUntil(trace, Math.ceil(time) - 1) - 1
  goTo(
    session,
    by < 0
      ? lastBefore < 0
        ? 0
        : timeOf(trace, lastBefore)
      : until < trace.length
        ? timeOf(trace, until)
        : endOf(trace),
  )
}

/** Moves the playhead to the next decision, or to the one before. */
export function stepDecision(session: Session, by: 1 | -1): void {
  const trace = runStore(session).getState().run?.trace
  if (trace === undefined || trace.decisions.length === 0) return
  const { time } = playback(session)
  const present = decisionIndexAt(trace, time)
  const onIt = present >= 0 && decisionTime(trace, present) === time
  const d = by > 0 ? present + 1 : onIt ? present - 1 : present
  if (d >= 0 && d < trace.decisions.length) goTo(session, decisionTime(trace, d))
}

/** Moves the playhead to an instant and scrolls the timeline there. */
export function goTo(session: Session, time: number): void {
  seek(session, time)
  shownTimeline(session).timeline?.reveal(playback(session).time)
}

/** Moves the playhead to the next decision that sent a worker to another stage, or to the one before. */
export function stepMove(session: Session, by: 1 | -1): void {
  const trace = runStore(session).getState().run?.trace
  if (trace === undefined) return
  const d = (by > 0 ? moveAfter : moveBefore)(trace, playback(session).time)
  if (d >= 0) seek(session, decisionTime(trace, d))
}

/** Begins a branch of the run on the screen where the playhead stands. */
export function forkAtPlayhead(session: Session): void {
  if (runStore(session).getState().run === null) return
  movePlayback(session, { playing: false, following: false })
  forkHere(session)
}
