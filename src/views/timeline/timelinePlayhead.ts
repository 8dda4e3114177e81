import { pixelRatio } from '../drawing/canvas.ts'
import { clock } from '../drawing/format.ts'
import { createSlide, moveTo, setStyle } from '../drawing/svg.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'

interface Playhead {
  readonly element: HTMLElement
  place(data: Placed, layout: Room): void
  /** Returns how far from the line the pill is held, in pixels; null if the pointer is not on it. */
  grip(target: EventTarget | null, x: number): number | null
  end(): void
}

type Placed = Pick<TimelineData, 'range' | 'playhead' | 'told' | 'palette'>
type Room = Pick<TimelineLayout, 'width' | 'plot' | 'pill' | 'foot'>
/** The least distance of the pill from the edge. */
const MARGIN = 6
/** How far around the pill it can be taken hold of. */
const REACH = { mouse: '-4px -6px', touch: '-13px -12px' }

/** Creates the line and the pill with the time, by which it is dragged. They are elements of their own, so that moving them repaints nothing. */
export function createPlayhead(): Playhead {
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
  Object.assign(reach.style, { position: 'absolute', inset: matchMedia('(pointer: coarse)').matches ? REACH.touch : REACH.mouse })
  pill.append(time, reach)
  element.append(line, pill)
  const slide = createSlide(element)
  let placed: Room | null = null
  let painted: TimelineData['palette'] | null = null
  let shown = ''
  let half = 0
  let lineX = 0

  function place({ range, playhead, told = playhead, palette }: Placed, layout: Room): void {
    if (layout !== placed) {
      Object.assign(line.style, { top: `${layout.pill.y + layout.pill.height - 1}px`, height: `${layout.foot + 5 - layout.pill.y - layout.pill.height}px` })
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
    const text = clock(told)
    if (text !== shown) {
      time.textContent = text
      // The width is estimated from the number of letters: measuring them would lay out the page at every frame.
      if (text.length !== shown.length) {
        half = Math.round(text.length * 3.15 + 9 + RIDGES)
        pill.style.width = `${half * 2}px`
      }
      shown = text
    }
    moveTo(pill, Math.min(layout.width - half - MARGIN, Math.max(half + MARGIN, x)) - x - half)
  }

  return { element, place, grip: (target, x) => (target instanceof Node && pill.contains(target) ? x - lineX : null), end: slide.end }
}

/** Room for the ridges at either end of the pill, which show that it can be dragged. */
const RIDGES = 5
function ridges(colour: string): string {
  const bar = (at: string) => `linear-gradient(${colour}, ${colour}) ${at} 50% / 1px 7px no-repeat`
  return ['6px', '8.5px', 'calc(100% - 6px)', 'calc(100% - 8.5px)'].map(bar).join(', ')
}
