import type { Micros } from '../../scenario/model/scenario.ts'
import type { TimelineData } from './timelineData.ts'
import { type Gestures, listenToGestures } from './timelineGestures.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { createPlayhead } from './timelinePlayhead.ts'
import { timeAtX } from './timelinePlot.ts'
import { fitRange, paddedRange, panRange, revealRange, type TimeRange, zoomRange } from './timelineRange.ts'

/** What a person asks of a drawing over time. */
export interface TimeEvents {
  /** The person points at an instant. */
  seek(time: Micros): void
  /** The person asks for another range. It is shown once `update` says so. */
  showRange(range: TimeRange): void
  /** The person has selected a range, or none. Left out where nothing can be selected. */
  select?(selection: TimeRange | null): void
}

/** Asks for another range otherwise than by pointer. */
export interface Navigation {
  /** Asks for a range `factor` times as long around an instant: by default that under the pointer, else the playhead if it is visible. */
  zoom(factor: number, at?: Micros): void
  /** Asks to move by a share of the range: 0.5 is half a screen later. */
  pan(share: number): void
  /** Asks for the whole run. */
  fit(): void
  /** Asks for a range, with some room on either side. */
  show(range: TimeRange): void
  /** Asks to move until an instant is visible. */
  reveal(time: Micros): void
}

interface Listening extends TimeEvents, Pick<Gestures, 'press' | 'scrolls'> {
  /** Where a press only moves the playhead. */
  readonly axis: HTMLElement
}

type Shown = Pick<TimelineData, 'range' | 'end' | 'playhead' | 'palette'>
type Room = Pick<TimelineLayout, 'width' | 'plot' | 'pill' | 'foot'>

interface ListeningNavigation extends Navigation {
  /** The element of the playhead. */
  readonly playhead: HTMLElement
  /** Places the playhead. What was asked for since the last time is done or refused. */
  place(data: Shown, layout: Room): void
  /** Returns the instant below a point of the window. */
  timeAt(clientX: number): Micros
  stop(): void
}

/** Lets a person move the playhead of a drawing over time, and ask for other ranges, by pointer and by calls. */
export function createNavigation(host: HTMLElement, { axis, seek, showRange, select, press, scrolls }: Listening): ListeningNavigation {
  const head = createPlayhead()
  let shown: { readonly data: Shown; readonly layout: Room } | null = null
  /** The range asked for since the last update. Of two keys or wheels within one frame, the second goes on from there. */
  let proposed: TimeRange | null = null
  /** The x of the pointer. */
  let hovered: number | null = null

  const propose = (change: (data: Shown) => TimeRange): void => {
    if (shown === null) return
    const { data } = shown
    proposed = change(proposed === null ? data : { ...data, range: proposed })
    showRange(proposed)
  }
  /** The end of what can be shown: the run, or while it grows the range beyond it. */
  const reach = ({ end, range }: Shown): Micros => Math.max(end, range[1])
  const xOf = (clientX: number): number => clientX - host.getBoundingClientRect().left
  const timeUnder = (x: number): Micros => (shown === null ? 0 : timeAtX(shown.layout, proposed ?? shown.data.range, x))
  /** The instant at a place, but none after the run. */
  const instantAt = (x: number): Micros => Math.min(shown?.data.end ?? 0, Math.round(timeUnder(x)))
  function centre({ range: [from, to], playhead }: Shown): Micros {
    if (hovered !== null) return timeUnder(hovered)
    return playhead >= from && playhead <= to ? playhead : (from + to) / 2
  }
  function mark(a: number, b: number): void {
    const [from, to] = [instantAt(Math.min(a, b)), instantAt(Math.max(a, b))]
    select?.(to > from ? [from, to] : null)
  }
  const navigation: Navigation = {
    zoom: (factor, at) => propose((data) => zoomRange(data.range, factor, at ?? centre(data), reach(data))),
    pan: (share) => propose((data) => panRange(data.range, share * (data.range[1] - data.range[0]), reach(data))),
    fit: () => propose((data) => fitRange(data.end)),
    show: (range) => propose((data) => paddedRange(range, reach(data))),
    reveal(time) {
      const [from, to] = shown?.data.range ?? [time, time]
      if (time < from || time > to) propose((data) => revealRange(data.range, time, reach(data)))
    },
  }
  const stop = listenToGestures(host, {
    seek: (x) => shown !== null && seek(instantAt(x)),
    press,
    select: select && mark,
    shown: () => shown && { range: proposed ?? shown.data.range, plot: shown.layout.plot, end: reach(shown.data) },
    showRange: (range) => propose(() => range),
    fit: navigation.fit,
    hover: (x) => {
      hovered = x
    },
    grip: ({ target, clientX }) => (target === axis ? 0 : head.grip(target, xOf(clientX))),
    scrolls,
  })
  return {
    ...navigation,
    playhead: head.element,
    place(data, layout) {
      head.place(data, layout)
      shown = { data, layout }
      proposed = null
    },
    timeAt: (clientX) => Math.round(timeUnder(xOf(clientX))),
    stop() {
      stop()
      head.end()
    },
  }
}
