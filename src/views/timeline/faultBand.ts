import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Drawing, fitCanvas, pixelRatio } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { sabotageLayout } from './faultLayout.ts'
import { createMark, type DrawnMark, type FaultMark, OFF, ROW, showMark } from './faultMark.ts'
import { paintAxis } from './paintAxis.ts'
import { timelineLayout } from './timelineLayout.ts'
import { timeAtX } from './timelinePlot.ts'
import type { TimeRange } from './timelineRange.ts'

export interface FaultBandData {
  readonly palette: Palette
  readonly range: TimeRange
  /** In order of time. */
  readonly marks: readonly FaultMark[]
  /** Draws the axis itself, where no timeline stands above. */
  readonly axis: boolean
}

export interface SabotageOptions {
  /** What a mark says of itself while it is dragged to an instant. */
  whenAt(key: string, time: Micros): { readonly time: Micros; readonly when: string }
  /** Somebody has moved a mark: to an instant, or by so many hundredths of what is shown. */
  onMove(key: string, to: Micros): void
  onStep(key: string, hundredths: number): void
  onRemove(key: string): void
  /** Somebody wants to change a mark in words. */
  onOpen(key: string): void
  /** Somebody wants another mark, at an instant; by a key, which knows of none, null. Asked at a point of the window. */
  onAdd(at: { readonly time: Micros | null; readonly x: number; readonly y: number }): void
}

export interface FaultBandDrawing extends Drawing<FaultBandData> {
  focus(key: string): void
  /** Where a mark is on the page; null: it is not to be seen. */
  boxOf(key: string): DOMRect | null
}

const AXIS = 28
/** What a hand moves that means to drag, in pixels of the page. */
const MEANT = 3

/**
 * What befalls a run midway, as marks below the axis of time. A mark is a slider: dragged, moved by arrows, changed by a click or
 * Enter, taken away by Delete.
 */
export function mountSabotageBand(host: HTMLElement, options: SabotageOptions): FaultBandDrawing {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  const rowsHost = document.createElement('div')
  rowsHost.dataset.part = 'rows'
  const more = document.createElement('span')
  more.dataset.part = 'more'
  rowsHost.append(more)
  host.append(canvas, rowsHost)
  const context = canvas.getContext('2d')
  const drawn = new Map<string, DrawnMark>()
  let width: number | null = null
  let last: FaultBandData | null = null
  let drag: { readonly key: string; readonly id: number; readonly from: number; moved: boolean; time: Micros } | null = null

  function update(data: FaultBandData): void {
    width ??= host.clientWidth
    const room = timelineLayout(width, 300, 1, 1)
    canvas.style.display = data.axis ? 'block' : 'none'
    if (data.axis && context !== null) {
      const ratio = pixelRatio()
      fitCanvas(canvas, width, AXIS, ratio)
      paintAxis(context, ratio, room, data)
    }
    const held = drag
    const rows = data.marks.length > 2 ? 2 : 1
    rowsHost.style.height = `${rows * ROW + OFF}px`
    const marks =
      held === null ? data.marks : data.marks.map((mark) => (mark.key === held.key && held.moved ? { ...mark, ...options.whenAt(mark.key, held.time) } : mark))
    const sorted = [...marks].sort((a, b) => a.time - b.time)
    const places = sabotageLayout(
      sorted.map(({ words, time, when, key }) => ({ time, words: Math.ceil((held?.key === key && held.moved ? when : words).length * 6.1) + 12 })),
      room,
      data.range,
      rows,
    )
    let hidden = 0
    let shown = 0
    const gone = new Map(drawn)
    sorted.forEach((mark, i) => {
      const place = places[i]
      if (place === null) {
        if (mark.time >= data.range[0] && mark.time <= data.range[1]) hidden++
        return
      }
      gone.delete(mark.key)
      const own = drawnOf(mark)
      showMark(own, mark, place, data, held?.key === mark.key && held.moved)
      // In order of time, so that Tab goes from left to right. Moving what has the focus would take it away.
      const at = rowsHost.children[shown++]
      if (at !== own.host && !own.host.contains(document.activeElement)) rowsHost.insertBefore(own.host, at)
    })
    for (const [key, old] of gone) {
      // What a hand holds goes on hearing of it.
      if (key === held?.key) continue
      old.host.remove()
      drawn.delete(key)
    }
    more.textContent = hidden === 0 ? '' : t('{hidden} more where others stand: zoom in', { hidden })
    last = data
  }

  function drawnOf(mark: FaultMark): DrawnMark {
    const made = drawn.get(mark.key) ?? createMark(mark)
    if (!drawn.has(mark.key)) rowsHost.insertBefore(made.host, more)
    drawn.set(mark.key, made)
    return made
  }

  const timeUnder = (x: number): Micros => {
    if (last === null || width === null) return 0
    return Math.round(timeAtX(timelineLayout(width, 300, 1, 1), last.range, x - host.getBoundingClientRect().left))
  }
  const keyUnder = (target: EventTarget | null): string | null =>
    target instanceof Element ? (target.closest<HTMLElement>('[data-key]')?.dataset.key ?? null) : null

  function down(event: PointerEvent): void {
    const key = keyUnder(event.target)
    if (event.button !== 0 || key === null) return
    rowsHost.setPointerCapture(event.pointerId)
    drag = { key, id: event.pointerId, from: event.clientX, moved: false, time: drawn.get(key)?.mark.time ?? 0 }
  }
  function move(event: PointerEvent): void {
    if (drag === null || event.pointerId !== drag.id) return
    if (Math.abs(event.clientX - drag.from) >= MEANT) drag.moved = true
    if (!drag.moved) return
    drag.time = timeUnder(event.clientX)
    if (last !== null) update(last)
  }
  function up(event: PointerEvent): void {
    if (drag === null || event.pointerId !== drag.id) return
    const { key, moved, time } = drag
    release()
    if (moved) options.onMove(key, time)
    else options.onOpen(key)
  }
  function release(): void {
    drag = null
    if (last !== null) update(last)
  }
  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = keyUnder(event.target)
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key]
    if (event.key === 'Escape' && drag !== null) release()
    else if (event.key === '+' || event.key === 'Insert') {
      const { left: x, top: y } = (event.target as Element).getBoundingClientRect()
      options.onAdd({ time: null, x, y })
    } else if (key === null) return
    else if (step !== undefined) options.onStep(key, event.shiftKey && Math.abs(step) === 1 ? step * 10 : step)
    else if ((event.key === 'Home' || event.key === 'End') && last !== null) options.onMove(key, Math.round(last.range[event.key === 'Home' ? 0 : 1]))
    else if (event.key === 'Delete' || event.key === 'Backspace') options.onRemove(key)
    else if (event.key === 'Enter' || event.key === ' ') options.onOpen(key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  function menu(event: MouseEvent): void {
    event.preventDefault()
    // A finger that rests before it drags asks for no menu.
    if (drag !== null) return
    const key = keyUnder(event.target)
    const { clientX: x, clientY: y } = event
    if (key === null) options.onAdd({ time: timeUnder(x), x, y })
    else options.onOpen(key)
  }
  const off = new AbortController()
  const { signal } = off
  rowsHost.addEventListener('pointerdown', down, { signal })
  rowsHost.addEventListener('pointermove', move, { signal })
  rowsHost.addEventListener('pointerup', up, { signal })
  rowsHost.addEventListener('pointercancel', release, { signal })
  // Escape is heard wherever the focus is while a mark is dragged.
  host.addEventListener('keydown', press, { signal })
  host.addEventListener('contextmenu', menu, { signal })

  return {
    update,
    resize() {
      width = null
      if (last !== null) update(last)
    },
    destroy() {
      off.abort()
      host.replaceChildren()
    },
    focus: (key) => drawn.get(key)?.host.focus(),
    boxOf: (key) => {
      const own = drawn.get(key)
      return own === undefined ? null : own.body.getBoundingClientRect()
    },
  }
}
