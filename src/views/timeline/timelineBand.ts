import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'

interface Band {
  readonly element: HTMLElement
  place(data: TimelineData, layout: TimelineLayout): void
}

/** The stretch somebody has marked, as an element over the picture: marking paints nothing else. */
export function createBand(): Band {
  const element = document.createElement('div')
  Object.assign(element.style, { position: 'absolute', left: '0', pointerEvents: 'none', borderStyle: 'solid', borderWidth: '0 1px', boxSizing: 'border-box' })
  element.dataset.part = 'selection'

  function place({ selection, range, palette }: TimelineData, layout: TimelineLayout): void {
    const { plot, pill, foot } = layout
    const rim = plot.x + plot.width
    const left = selection ? Math.max(plot.x, xOf(layout, range, selection[0])) : 0
    const right = selection ? Math.min(rim, xOf(layout, range, selection[1])) : -1
    element.hidden = right < plot.x || left > rim || right < left
    if (element.hidden) return
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
