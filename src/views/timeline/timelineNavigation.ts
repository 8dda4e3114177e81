import type { Micros } from '../../scenario/model/scenario.ts'
import { pixelRatio } from '../drawing/canvas.ts'
import { clock } from '../drawing/format.ts'
import { createSlide, moveTo, setStyle } from '../drawing/svg.ts'
import type { TimelineData } from './timelineData.ts'
import { type Gestures, listenToGestures } from './timelineGestures.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { timeAtX, xOf } from './timelinePlot.ts'
import { fitRange, paddedRange, panRange, revealRange, type TimeRange, zoomRange } from './timelineRange.ts'

/** The requests of a person to a drawing over time. */
export interface TimeEvents {
  /** The person points at an instant. */
  seek(time: Micros): void
  /** The person asks for another range. It is shown once `update` says so. */
  showRange(range: TimeRange): void
  /** The person has selected a range, or none. Left out where nothing can be selected. */
  select?(selection: TimeRange | null): void
}

/** Requests for another range without a pointer. */
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

/** Lets a person move the playhead of a drawing over time, and ask for other ranges, by pointer and by calls. */
export function createNavigation(host: HTMLElement, { axis, seek, showRange, select, press, scrolls }: Listening) {
  const head = createPlayhead()
  let shown: { readonly data: Shown; readonly layout: Room } | null = null
  /** The range asked for since the last update. Of two keys or wheels within one frame, the second continues from there. */
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
    /** Places the playhead. Earlier requests are then done or refused. */
    place(data: Shown, layout: Room): void {
      head.place(data, layout)
      shown = { data, layout }
      proposed = null
    },
    /** Returns the instant below a point of the window. */
    timeAt: (clientX: number): Micros => Math.round(timeUnder(xOf(clientX))),
    stop(): void {
      stop()
      head.end()
    },
  }
}

type Placed = Pick<TimelineData, 'range' | 'playhead' | 'labelTime' | 'palette'>
/** The least distance of the pill from the edge, and the most that it reaches over the words before the plot. */
const MARGIN = 6
/** How far around the pill it can be taken hold of. */
const REACH = { mouse: '-4px -6px', touch: '-13px -12px' }

/** Creates the line and the pill with the time, by which it is dragged. They are elements of their own, so that moving them repaints nothing. */
function createPlayhead() {
  const element = document.createElement('div')
  const line = document.createElement('div')
  const pill = document.createElement('div')
  const time = document.createElement('span')
  const reach = document.createElement('div')
  Object.assign(element.style, { position: 'absolute', left: '0', top: '0', pointerEvents: 'none' })
  Object.assign(line.style, { position: 'absolute', left: '-0.5px', width: '1.5px' })
  Object.assign(pill.style, {
    position: 'absolute',
    left: '0',
    whiteSpace: 'nowrap',
    textAlign: 'center',
    borderRadius: '9px',
    pointerEvents: 'auto',
    userSelect: 'none',
    cursor: 'inherit',
    // A finger that starts here moves the playhead, in whatever direction it goes.
    touchAction: 'none',
  })
  pill.dataset.part = 'handle'
  Object.assign(reach.style, {
    position: 'absolute',
    inset: matchMedia('(pointer: coarse)').matches ? REACH.touch : REACH.mouse,
  })
  pill.append(time, reach)
  element.append(line, pill)
  const slide = createSlide(element)
  let placed: Room | null = null
  let painted: TimelineData['palette'] | null = null
  let shown = ''
  let half = 0
  let lineX = 0

  function place({ range, playhead, labelTime = playhead, palette }: Placed, layout: Room): void {
    if (layout !== placed) {
      Object.assign(line.style, {
        top: `${layout.pill.y + layout.pill.height - 1}px`,
        height: `${layout.foot + 5 - layout.pill.y - layout.pill.height}px`,
      })
      Object.assign(pill.style, { top: `${layout.pill.y}px`, height: `${layout.pill.height}px` })
      placed = layout
    }
    if (palette !== painted) {
      line.style.background = palette.accent
      Object.assign(pill.style, {
        background: `${ridges(palette.onAccent)}, ${palette.accent}`,
        color: palette.onAccent,
        font: `600 11px/18px ${palette.font}`,
        fontVariantNumeric: 'tabular-nums',
      })
      painted = palette
    }
    const ratio = pixelRatio()
    const exact = xOf(layout, range, playhead)
    const x = Math.round(exact * ratio) / ratio
    const inside = x >= layout.plot.x - 1 && x <= layout.plot.x + layout.plot.width + 1
    setStyle(element, 'visibility', inside ? 'visible' : 'hidden')
    if (!inside) return
    lineX = exact
    slide.to(x)
    const text = clock(labelTime)
    if (text !== shown) {
      time.textContent = text
      // The width is estimated from the number of letters: measuring them would lay out the page at every frame.
      if (text.length !== shown.length) {
        half = Math.round(text.length * 3.15 + 9 + RIDGES)
        pill.style.width = `${half * 2}px`
      }
      shown = text
    }
    moveTo(pill, Math.min(layout.width - half - MARGIN, Math.max(layout.plot.x - MARGIN + half, x)) - x - half)
  }

  /** Returns how far from the line the pill is held, in pixels; null if the pointer is not on it. */
  const grip = (target: EventTarget | null, x: number) =>
    target instanceof Node && pill.contains(target) ? x - lineX : null
  return { element, place, grip, end: slide.end }
}

/** Room for the ridges at either end of the pill, which show that it can be dragged. */
const RIDGES = 5
function ridges(colour: string): string {
  const bar = (at: string) => `linear-gradient(${colour}, ${colour}) ${at} 50% / 1px 7px no-repeat`
  return ['6px', '8.5px', 'calc(100% - 6px)', 'calc(100% - 8.5px)'].map(bar).join(', ')
}
