import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { listenToPulls, type Pulls } from '../drawing/dragging.ts'
import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import {
  createMark,
  type DrawnMark,
  type FaultMark,
  faultLayout,
  ROW_HEIGHT,
  ROW_OFFSET,
  showMark,
} from './faultMark.ts'
import { createTimeAxis } from './paintAxis.ts'
import { timelineLayout } from './timelineLayout.ts'
import { timeAtX } from './timelinePlot.ts'
import type { TimeRange } from './timelineRange.ts'

export interface FaultBandData {
  readonly palette: Palette
  readonly range: TimeRange
  /** In order of time. */
  readonly marks: readonly FaultMark[]
  /** Whether to draw the axis, where no timeline is above. */
  readonly axis: boolean
}

export interface FaultBandEvents {
  /** Returns the time a mark gets when it is dragged to an instant, and its text there. */
  whenAt(key: string, time: Micros): { readonly time: Micros; readonly when: string }
  /** The person has moved a mark: to an instant, or by a number of hundredths of the range. */
  move(key: string, to: Micros): void
  step(key: string, hundredths: number): void
  remove(key: string): void
  open(key: string): void
  /** The person asks for a new mark at an instant, null if by a key, and at a point of the window. */
  add(at: { readonly time: Micros | null; readonly x: number; readonly y: number }): void
}

export interface FaultBandDrawing extends Drawing<FaultBandData> {
  focus(key: string): void
  /** Returns the place of a mark on the page; null if it is not visible. */
  boxOf(key: string): DOMRect | null
}

/** The mark that is taken hold of, and the instant that it is dragged to; null if it is only pressed. */
type Held = { readonly key: string; time: Micros | null }

const hiddenWords = (hidden: number) => t('{hidden} more: zoom in', { hidden })

/** Returns an estimate of the width of a text, in pixels. */
const widthOf = (text: string) => Math.ceil(text.length * 6.1)

/** Draws mid-run events as marks below the axis: sliders that are dragged or moved by arrow keys, opened by a click or Enter, removed by Delete. */
export function mountFaultBand(host: HTMLElement, events: FaultBandEvents): FaultBandDrawing {
  const axis = createTimeAxis()
  const rowsHost = document.createElement('div')
  rowsHost.dataset.part = 'rows'
  const more = document.createElement('span')
  more.dataset.part = 'more'
  rowsHost.append(more)
  host.append(axis.canvas, rowsHost)
  const drawn = new Map<string, DrawnMark>()
  let layout = timelineLayout(0, 300, 1, 1)
  let shown: FaultBandData | null = null
  let held: Held | null = null

  function draw(data: FaultBandData, { width }: HostSize): void {
    shown = data
    layout = timelineLayout(width, 300, 1, 1)
    axis.canvas.style.display = data.axis ? 'block' : 'none'
    if (data.axis) axis.draw(layout, data)
    const [dragged, to] = [held?.key, held?.time ?? null]
    const rows = data.marks.length > 2 ? 2 : 1
    rowsHost.style.height = `${rows * ROW_HEIGHT + ROW_OFFSET}px`
    const marks =
      to === null
        ? data.marks
        : data.marks.map((mark) => (mark.key === dragged ? { ...mark, ...events.whenAt(mark.key, to) } : mark))
    const isDragged = (key: string) => to !== null && key === dragged
    const sorted = [...marks].sort((a, b) => a.time - b.time)
    const placeable = sorted.map(({ label, time, when, key }) => ({
      time,
      labelWidth: widthOf(isDragged(key) ? when : label) + 12,
    }))
    const isHidden = (place: unknown, i: number) =>
      place === null && sorted[i].time >= data.range[0] && sorted[i].time <= data.range[1]
    const placed = faultLayout(placeable, layout, data.range, rows)
    const places = placed.some(isHidden)
      ? faultLayout(placeable, layout, data.range, rows, widthOf(hiddenWords(marks.length)) + 16)
      : placed
    const hidden = places.filter(isHidden).length
    let next = 0
    const gone = new Map(drawn)
    sorted.forEach((mark, i) => {
      const place = places[i]
      if (place === null) return
      gone.delete(mark.key)
      const own = drawnOf(mark)
      showMark(own, mark, place, data, isDragged(mark.key))
      // In order of time, so that Tab goes from left to right. An element that has the focus would lose it by moving.
      const at = rowsHost.children[next++]
      if (at !== own.host && !own.host.contains(document.activeElement)) rowsHost.insertBefore(own.host, at)
    })
    for (const [key, old] of gone) {
      // A pressed mark must continue to receive pointer events.
      if (key === held?.key) continue
      old.host.remove()
      drawn.delete(key)
    }
    more.textContent = hidden === 0 ? '' : hiddenWords(hidden)
  }

  function drawnOf(mark: FaultMark): DrawnMark {
    const made = drawn.get(mark.key) ?? createMark(mark)
    if (!drawn.has(mark.key)) rowsHost.insertBefore(made.host, more)
    drawn.set(mark.key, made)
    return made
  }

  const timeUnder = (x: number): Micros => {
    if (shown === null) return 0
    return Math.round(timeAtX(layout, shown.range, x - host.getBoundingClientRect().left))
  }
  const keyUnder = (target: EventTarget | null): string | null =>
    target instanceof Element ? (target.closest<HTMLElement>('[data-key]')?.dataset.key ?? null) : null

  function release(): void {
    held = null
    redraw()
  }
  function redraw(): void {
    if (shown !== null) drawing.update(shown)
  }
  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = keyUnder(event.target)
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key]
    if (event.key === 'Escape' && held !== null) release()
    else if (event.key === '+' || event.key === 'Insert') {
      const { left: x, top: y } = (event.target as Element).getBoundingClientRect()
      events.add({ time: null, x, y })
    } else if (key === null) return
    else if (step !== undefined) events.step(key, event.shiftKey && Math.abs(step) === 1 ? step * 10 : step)
    else if ((event.key === 'Home' || event.key === 'End') && shown !== null)
      events.move(key, Math.round(shown.range[event.key === 'Home' ? 0 : 1]))
    else if (event.key === 'Delete' || event.key === 'Backspace') events.remove(key)
    else if (event.key === 'Enter' || event.key === ' ') events.open(key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  function menu(event: MouseEvent): void {
    event.preventDefault()
    // A finger that rests before it drags does not ask for the menu.
    if (held !== null) return
    const key = keyUnder(event.target)
    const { clientX: x, clientY: y } = event
    if (key === null) events.add({ time: timeUnder(x), x, y })
    else events.open(key)
  }
  const ended = new AbortController()
  const { signal } = ended
  const pulls: Pulls = {
    take(_, on) {
      const key = keyUnder(on)
      held = key === null ? null : { key, time: null }
    },
    pull([across]) {
      if (held === null || shown === null) return
      held.time = Math.round(timeAtX(layout, shown.range, across * rowsHost.clientWidth))
      redraw()
    },
    drop() {
      if (held === null) return
      const { key, time } = held
      release()
      if (time === null) events.open(key)
      else events.move(key, time)
    },
    cancel: release,
  }
  const stopDragging = listenToPulls(rowsHost, () => pulls)
  // On the host, so that Escape is heard wherever the focus is while a mark is dragged.
  host.addEventListener('keydown', press, { signal })
  host.addEventListener('contextmenu', menu, { signal })

  const drawing = createDrawing(host, draw, () => {
    ended.abort()
    stopDragging()
  })
  return {
    ...drawing,
    focus: (key) => drawn.get(key)?.host.focus(),
    boxOf: (key) => {
      const own = drawn.get(key)
      return own === undefined ? null : own.body.getBoundingClientRect()
    },
  }
}
