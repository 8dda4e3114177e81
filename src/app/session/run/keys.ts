import { moveAfter, moveBefore } from '../../../measures/decisions/moves.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime } from '../../../trace/decisionTime.ts'
import { endOf, rowsUntil, type Trace, timeOf } from '../../../trace/trace.ts'
import { isHidden } from '../../base/page/hiddenControls.ts'
import { handleHeldKey } from '../../watch/shortcuts/heldKeys.ts'
import { toNextBreak } from '../../watch/transport/breaking.ts'
import { redo, undo } from '../scenario/scenarioStore.ts'
import type { Session } from '../session.ts'
import { playback } from './playback.ts'
import { move, runStore, start, stop } from './runStore.ts'
import { print, setPresenting } from './showing.ts'
import { clearLast, shownTimeline, showSelection } from './timelineStore.ts'

/** The keys that work everywhere but in a field. Returns what ends them. */
export function listenToKeys(session: Session): () => void {
  const heard = (event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey
    // Nothing is done behind a dialog, and Escape shuts it.
    if (document.querySelector('dialog:modal') !== null) return
    if (isField(event.target) || event.defaultPrevented || (edits(event) && isHidden('editing')) || (shows(event) && isHidden('more'))) return
    if (command && event.key.toLowerCase() === 'z') act(event, event.shiftKey ? () => redo(session) : () => undo(session))
    else if (command && event.key.toLowerCase() === 'y') act(event, () => redo(session))
    else if (command && event.key === 'Enter') act(event, runStore(session).getState().phase === 'running' ? () => stop(session) : () => start(session))
    else if (command && event.key.toLowerCase() === 'p' && runStore(session).getState().phase === 'ended') act(event, () => print(session, true))
    else if (command || event.altKey) return
    else if (event.key === ' ' && !isControl(event.target)) act(event, () => togglePlaying(session))
    else if (event.key === '.') act(event, () => stepDecision(session, 1))
    else if (event.key === ',') act(event, () => stepDecision(session, -1))
    else if (event.key === '>') act(event, () => stepMove(session, 1))
    else if (event.key === '<') act(event, () => stepMove(session, -1))
    else if (event.key === 'n') act(event, () => toNextBreak(session))
    else if (event.key === 'k') act(event, () => forkAtPlayhead(session))
    else if (event.key === ']') act(event, () => stepInstant(session, 1))
    else if (event.key === '[') act(event, () => stepInstant(session, -1))
    else if (isEditor(event.target)) return
    else if (event.key === 'Escape') {
      if (clearLast(session)) event.preventDefault()
    } else if (event.shiftKey) return
    else if (event.key === 'p') act(event, () => setPresenting(session, true))
    else if (event.key === 'f') act(event, () => shownTimeline(session).timeline?.fit())
    else if (event.key === 'z') act(event, () => showSelection(session))
    else if (event.key === '/') act(event, () => document.querySelector<HTMLElement>('.timeline-search input')?.focus())
    else if (handleHeldKey(session, event)) event.preventDefault()
  }
  addEventListener('keydown', heard)
  return () => removeEventListener('keydown', heard)
}

/** Whether a key changes the scenario. */
function edits({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey ? /^[zy]$/i.test(key) : key === 'k'
}

/** Whether a key does what the menu More does: show the run to a room, or put it on paper. */
function shows({ key }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'p'
}

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

/** Goes on from where the playhead stands otherwise than the run. */
export function forkAtPlayhead(session: Session): void {
  if (runStore(session).getState().run === null) return
  // The playhead stays where it was pressed, though what forks may have to be fetched first.
  move(session, { playing: false, following: false })
  void import('../branches/branchRuns.ts').then((runs) => runs.forkHere(session))
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

function act(event: KeyboardEvent, what: () => unknown): void {
  event.preventDefault()
  what()
}

export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    // The editor of the scenario's text stands in a root of its own, behind which its fields are not seen.
    (target.isContentEditable || target.shadowRoot !== null || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && /^(radio|range|checkbox)$/.test(target.type))
  )
}

/** Where keys move stages, or belong to a menu that is open. */
function isEditor(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.stage, [role=menu]') !== null
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary, [role=menuitem], [type=checkbox], [type=radio]') !== null
}
