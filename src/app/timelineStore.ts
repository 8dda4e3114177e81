import { createStore } from 'zustand/vanilla'
import type { Timeline } from '../views/timeline.ts'
import type { TimeRange } from '../views/timelineRange.ts'
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
}

export const timelineStore = createStore<TimelineState>(() => ({ selection: null, focus: null }))

/** The stretch shown, null: the whole run; and the drawing that moves it. Not in a store: it may change every frame. */
export const shown: { range: TimeRange | null; timeline: Timeline | null } = { range: null, timeline: null }

export function showRange(range: TimeRange | null): void {
  shown.range = range
  repaint()
}

export function select(selection: TimeRange | null): void {
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
  if (selection !== null) shown.timeline?.show(selection)
}

/** Takes back what was done last: the selection, then the search. Returns whether there was anything. */
export function clearLast(): boolean {
  const { selection, focus } = timelineStore.getState()
  if (selection !== null) select(null)
  else if (focus !== null) focusOn(null)
  return selection !== null || focus !== null
}
