import { createStore } from 'zustand/vanilla'
import type { Micros } from '../../../scenario/model/scenario.ts'
import type { FaultMark } from '../../../views/timeline/faultMark.ts'
import type { Timeline } from '../../../views/timeline/timeline.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { repaint } from './painter.ts'

/** What somebody has looked for; stages, workers and jobs by their numbers in the scenario. */
export type Focus =
  | { readonly kind: 'stage'; readonly stage: number }
  | { readonly kind: 'worker'; readonly worker: number }
  | { readonly kind: 'job'; readonly job: number }

interface TimelineState {
  /** The stretch whose figures are shown. */
  readonly selection: TimeRange | null
  /** What stands out. */
  readonly focus: Focus | null
  /** Somebody wants something to befall the run: at an instant, or where the playhead stands; asked at a point of the window. */
  readonly asked: SabotageAsked | null
}

export interface SabotageAsked {
  readonly time: Micros | null
  readonly x: number
  readonly y: number
}

export const timelineStore = createStore<TimelineState>(() => ({ selection: null, focus: null, asked: null }))

/** The stretch shown, null: the whole run; the drawing that moves it; and who stands on the same axis. Not in a store: it may change every frame. */
export const shownTimeline: {
  range: TimeRange | null
  timeline: Timeline | null
  below: ((range: TimeRange) => void) | null
  /** What befalls the run, as the band below the axis has it. */
  marks: readonly FaultMark[]
} = {
  range: null,
  timeline: null,
  below: null,
  marks: [],
}

export function askSabotage(asked: SabotageAsked | null): void {
  timelineStore.setState({ asked })
}

export function showRange(range: TimeRange | null): void {
  shownTimeline.range = range
  repaint()
}

export function selectRange(selection: TimeRange | null): void {
  timelineStore.setState({ selection })
  repaint()
}

export function focusOn(focus: Focus | null): void {
  timelineStore.setState({ focus })
  repaint()
}

/** Zooms to what is selected. */
export function showSelection(): void {
  const { selection } = timelineStore.getState()
  if (selection !== null) shownTimeline.timeline?.show(selection)
}

/** Takes back what was done last: the selection, then the search. Returns whether there was anything. */
export function clearLast(): boolean {
  const { selection, focus } = timelineStore.getState()
  if (selection !== null) selectRange(null)
  else if (focus !== null) focusOn(null)
  return selection !== null || focus !== null
}
