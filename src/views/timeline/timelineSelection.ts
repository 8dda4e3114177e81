import { sameParts } from '../drawing/drawing.ts'
import { setAttributes } from '../drawing/svg.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'

interface SelectionMark {
  readonly element: HTMLElement
  place(data: TimelineData, layout: TimelineLayout): void
}

/** Creates the mark over the selected range. It is an element of its own, so that selecting repaints nothing. */
export function createSelection(): SelectionMark {
  const element = document.createElement('div')
  Object.assign(element.style, { position: 'absolute', left: '0', pointerEvents: 'none', borderStyle: 'solid', borderWidth: '0 1px', boxSizing: 'border-box' })
  element.dataset.part = 'selection'

  let placed: readonly unknown[] = []
  function place({ selection, range, palette }: TimelineData, layout: TimelineLayout): void {
    const parts = [selection, ...range, palette, layout]
    if (sameParts(parts, placed)) return
    placed = parts
    const { plot, pill, foot } = layout
    const plotEnd = plot.x + plot.width
    const left = selection ? Math.max(plot.x, xOf(layout, range, selection[0])) : 0
    const right = selection ? Math.min(plotEnd, xOf(layout, range, selection[1])) : -1
    const hidden = right < plot.x || left > plotEnd || right < left
    setAttributes(element, { hidden: hidden ? '' : null })
    if (hidden) return
    const top = pill.y + pill.height
    Object.assign(element.style, {
      top: `${top}px`,
      height: `${foot + 22 - top}px`,
      width: `${Math.max(2, right - left).toFixed(2)}px`,
      transform: `translateX(${left.toFixed(2)}px)`,
      background: `${palette.accent}1c`,
      borderColor: palette.accent,
    })
  }

  return { element, place }
}
