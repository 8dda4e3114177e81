import { createStore } from 'zustand/vanilla'
import type { Marks } from '../../../measures/series/marks.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import type { FaultMark } from '../../../views/timeline/faultMark.ts'
import type { Timeline } from '../../../views/timeline/timeline.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import type { Run } from '../run/runStore.ts'
import { part, type Session } from '../session.ts'
import { repaint } from './painter.ts'

/** The stage, worker or job that is highlighted, by its number in the scenario. */
export type Focus =
  | { readonly kind: 'stage'; readonly stage: number }
  | { readonly kind: 'worker'; readonly worker: number }
  | { readonly kind: 'job'; readonly job: number }

interface TimelineState {
  /** The range whose figures are shown. */
  readonly selection: TimeRange | null
  readonly focus: Focus | null
  /** The team of workers whose lanes are shown, up to the second worker; null: all. */
  readonly opened: readonly [from: number, to: number] | null
  /** A request for a new fault: at an instant or at the playhead (null), from a point of the window. */
  readonly asked: FaultRequest | null
  /** Returns what is noted at instants of a run; null: nothing. */
  readonly notesOf: (run: Run) => TimelineNotes | null
}

/** What a feature notes at instants of a run: a row of marks on the timeline, with words. */
export interface TimelineNotes {
  /** The heading of the row. */
  readonly name: string
  readonly marks: Marks
  /** Returns what is noted in a range, as the lines of a tooltip; null: nothing. */
  tell(range: TimeRange): readonly string[] | null
}

export interface FaultRequest {
  readonly time: Micros | null
  readonly x: number
  readonly y: number
}

export const timelineStore = part(() =>
  createStore<TimelineState>(() => ({ selection: null, focus: null, opened: null, asked: null, notesOf: () => null })),
)

/** What the panel of tools shows: all of them, from the search on or the pauses alone; null while it is closed. */
export const toolsStore = part(() =>
  createStore<{ readonly open: 'all' | 'find' | 'pauses' | null }>(() => ({ open: null })),
)

/** The run, its visible range (null: all), the drawing of the timeline, and drawings with the same axis. Not a store, because it may change in every frame. */
export const shownTimeline = part(
  (): ShownTimeline => ({ run: null, range: null, timeline: null, below: null, marks: [] }),
)

interface ShownTimeline {
  run: Run | null
  range: TimeRange | null
  timeline: Timeline | null
  below: ((range: TimeRange) => void) | null
  /** The faults shown in the band below the axis. */
  marks: readonly FaultMark[]
}

export function askFault(session: Session, asked: FaultRequest | null): void {
  timelineStore(session).setState({ asked })
}

function redraw(session: Session, change: Partial<TimelineState>): void {
  timelineStore(session).setState(change)
  repaint(session)
}

/** Shows notes of a feature from now on. The timeline asks for them at every frame. */
export const noteOnTimeline = (session: Session, notesOf: TimelineState['notesOf']): void =>
  redraw(session, { notesOf })

export const openTeam = (session: Session, opened: TimelineState['opened']): void => redraw(session, { opened })

export const selectRange = (session: Session, selection: TimeRange | null): void => redraw(session, { selection })

export const focusOn = (session: Session, focus: Focus | null): void => redraw(session, { focus })

export function showRange(session: Session, range: TimeRange | null): void {
  shownTimeline(session).range = range
  repaint(session)
}

export function showSelection(session: Session): void {
  const { selection } = timelineStore(session).getState()
  if (selection !== null) shownTimeline(session).timeline?.show(selection)
}

/** Clears the selection, else the highlight, else closes the team that is opened. Returns whether there was one. */
export function clearLast(session: Session): boolean {
  const { selection, focus, opened } = timelineStore(session).getState()
  if (selection !== null) selectRange(session, null)
  else if (focus !== null) focusOn(session, null)
  else if (opened !== null) openTeam(session, null)
  return selection !== null || focus !== null || opened !== null
}
