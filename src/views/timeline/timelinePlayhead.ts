import { pixelRatio } from '../drawing/drawing.ts'
import { clock } from '../drawing/format.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'

interface Playhead {
  readonly element: HTMLElement
  place(data: Placed, layout: Room): void
  /** How far from the line a hand is that takes hold of the pill; null: of something else. */
  grip(target: EventTarget | null, x: number): number | null
}

type Placed = Pick<TimelineData, 'range' | 'playhead' | 'palette'>
type Room = Pick<TimelineLayout, 'width' | 'plot' | 'pill' | 'foot'>
/** What the pill keeps off the rim. */
const OFF = 6
/** How far beside the pill a hand still takes hold of it. */
const REACH = { mouse: '-4px -6px', touch: '-13px -12px' }

/** The line and the pill with the time, by which it is taken hold of, as elements of their own: moving them paints nothing else. */
export function createPlayhead(): Playhead {
  const element = document.createElement('div')
  const line = document.createElement('div')
  const pill = document.createElement('div')
  const time = document.createElement('span')
  const reach = document.createElement('div')
  Object.assign(element.style, { position: 'absolute', left: '0', top: '0', pointerEvents: 'none', willChange: 'transform' })
  Object.assign(line.style, { position: 'absolute', left: '-0.5px', width: '1.5px' })
  Object.assign(pill.style, {
    position: 'absolute',
    left: '0',
    font: '600 11px/18px inherit',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
    textAlign: 'center',
    borderRadius: '9px',
    pointerEvents: 'auto',
    userSelect: 'none',
    cursor: 'inherit',
    // Any way a finger goes from here, it moves the playhead.
    touchAction: 'none',
  })
  pill.dataset.part = 'handle'
  Object.assign(reach.style, { position: 'absolute', inset: matchMedia('(pointer: coarse)').matches ? REACH.touch : REACH.mouse })
  pill.append(time, reach)
  element.append(line, pill)
  let placed: Room | null = null
  let painted: TimelineData['palette'] | null = null
  let shown = ''
  let half = 0
  let stands = 0

  function place({ range, playhead, palette }: Placed, layout: Room): void {
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
    element.style.visibility = inside ? 'visible' : 'hidden'
    if (!inside) return
    stands = exact
    element.style.transform = `translateX(${x.toFixed(2)}px)`
    const text = clock(playhead)
    if (text !== shown) {
      time.textContent = text
      // As wide as the letters need, told by their number: measuring would cost a layout a frame.
      if (text.length !== shown.length) {
        half = Math.round(text.length * 3.15 + 9 + RIDGES)
        pill.style.width = `${half * 2}px`
      }
      shown = text
    }
    pill.style.transform = `translateX(${(Math.min(layout.width - half - OFF, Math.max(half + OFF, x)) - x - half).toFixed(2)}px)`
  }

  return { element, place, grip: (target, x) => (target instanceof Node && pill.contains(target) ? x - stands : null) }
}

/** Room for the ridges at either end, and the ridges: what can be taken hold of shows it. */
const RIDGES = 5
function ridges(colour: string): string {
  const bar = (at: string) => `linear-gradient(${colour}, ${colour}) ${at} 50% / 1px 7px no-repeat`
  return ['6px', '8.5px', 'calc(100% - 6px)', 'calc(100% - 8.5px)'].map(bar).join(', ')
}
