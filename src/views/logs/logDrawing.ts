import { t } from '../../language/translate.ts'
import type { Marks } from '../../measures/series/marks.ts'
import { greatest, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Drawing, fitCanvas, pixelRatio } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import type { Palette } from '../drawing/palette.ts'
import { paintAxis } from '../timeline/paintAxis.ts'
import { decisionPainter, queuePainter, seatPainter } from '../timeline/paintSteps.ts'
import { listen } from '../timeline/timelineGestures.ts'
import { createPlayhead } from '../timeline/timelinePlayhead.ts'
import { plotOf, timeAtX } from '../timeline/timelinePlot.ts'
import { fitRange, panRange, type TimeRange, zoomRange } from '../timeline/timelineRange.ts'
import { type LogLayout, logLayout } from './logLayout.ts'

export interface LogData {
  readonly palette: Palette
  readonly range: TimeRange
  readonly end: Micros
  readonly playhead: Micros
  readonly stages: readonly { readonly name: string; readonly colourIndex: number }[]
  /** By stage. None in `had` where the log does not say how many workers there were. */
  readonly queues: readonly Steps[]
  readonly had: readonly Steps[]
  readonly given: readonly Steps[]
  /** Where the two differ. */
  readonly differing: Marks
  /** The most seats there were: the height of a band. */
  readonly workers: number
  /** What the rule is called. */
  readonly rule: string
}

export interface LogEvents {
  seek(time: Micros): void
  /** Somebody wants to see another stretch; it is shown once `update` says so. */
  show(range: TimeRange): void
}

/** The queues of a log over time, below them the seats that the system had and those that a rule would have given, and the playhead across. */
export function mountLogDrawing(host: HTMLElement, { seek, show }: LogEvents): Drawing<LogData> {
  const canvas = document.createElement('canvas')
  const axis = document.createElement('canvas')
  const names = document.createElement('div')
  for (const each of [canvas, axis]) {
    each.setAttribute('aria-hidden', 'true')
    each.style.display = 'block'
  }
  names.setAttribute('aria-hidden', 'true')
  names.className = 'log-names'
  const head = createPlayhead()
  Object.assign(host.style, { position: 'relative', overflow: 'clip', touchAction: 'pan-y' })
  host.append(canvas, axis, names, head.element)
  const context = canvas.getContext('2d')
  const axisContext = axis.getContext('2d')
  const paintQueues = queuePainter()
  const paintSeats = seatPainter()
  const paintMarks = decisionPainter()
  let width = 0
  let layout: LogLayout | null = null
  let last: LogData | null = null
  let painted: readonly unknown[] = []

  function update(data: LogData): void {
    if (width === 0) width = host.clientWidth
    last = data
    if (width === 0) return
    const { palette, range, end, queues, had, given, rule, stages, workers } = data
    const ratio = pixelRatio()
    const key = [palette, range[0], range[1], end, queues, had, given, rule, workers, width, ratio]
    if (layout === null || key.some((part, k) => part !== painted[k])) {
      painted = key
      layout = logLayout(width, stages.length, had.length > 0)
      host.style.height = `${layout.height}px`
      fitCanvas(canvas, width, layout.foot, ratio)
      fitCanvas(axis, width, layout.axis, ratio)
      label(layout, data)
      if (context !== null) paint(context, layout, data, ratio)
      if (axisContext !== null) paintAxis(axisContext, ratio, layout, data)
    }
    head.place(data, layout)
  }

  function paint(
    context: CanvasRenderingContext2D,
    at: LogLayout,
    { palette, range, end, stages, queues, had, given, differing, workers }: LogData,
    ratio: number,
  ): void {
    const plot = plotOf(at, range, end, ratio)
    const line = stages.map((_, s) => s)
    context.clearRect(0, 0, canvas.width, canvas.height)
    paintQueues(context, plot, at.queues, { queues, line, stages, palette })
    if (had.length > 0) paintSeats(context, plot, { seats: at.had }, { seats: had, line, stages, palette, workers, highlight: null })
    paintSeats(context, plot, { seats: at.given }, { seats: given, line, stages, palette, workers, highlight: null })
    paintMarks(context, plot, { decisions: at.differing }, { decisions: differing, palette })
  }

  /** Names as elements: what does not fit beside its row is cut with an ellipsis. Beside queues stands the longest. */
  function label(at: LogLayout, { stages, queues, had, rule, palette }: LogData): void {
    const word = (text: string, y: number, height: number, most = '') => {
      const element = document.createElement('div')
      const name = document.createElement('span')
      const number = document.createElement('small')
      name.textContent = text
      number.textContent = most
      number.style.color = palette.soft
      element.append(name, number)
      Object.assign(element.style, { top: `${y}px`, height: `${height}px`, lineHeight: `${height}px`, width: `${at.plot.x - 9}px` })
      return element
    }
    const rows = at.queues
    names.replaceChildren(
      ...stages.flatMap(({ name }, s) => {
        const top = rows.y + s * rows.pitch
        return s % rows.labelEvery === 0 ? [word(name, top, Math.max(rows.row, 12), count(greatest(queues[s])))] : []
      }),
      ...(had.length > 0 ? [word(t('Your system'), at.had.y, at.had.height)] : []),
      word(at.narrow ? t('The rule') : rule, at.given.y, at.given.height),
    )
  }

  const timeUnder = (x: number): Micros => (last === null || layout === null ? 0 : timeAtX(layout, last.range, x))
  /** Of two fingers that move before the next update the second goes on from where the first got. */
  const propose = (change: (data: LogData) => TimeRange): void => {
    if (last === null) return
    last = { ...last, range: change(last) }
    show(last.range)
  }
  const stopListening = listen(host, {
    seek: (x) => last !== null && seek(Math.min(last.end, timeUnder(x))),
    zoom: (factor, x) => propose(({ range, end }) => zoomRange(range, factor, timeUnder(x), end)),
    pan: (pixels) => propose(({ range, end }) => (layout === null ? range : panRange(range, (pixels / layout.plot.width) * (range[1] - range[0]), end))),
    fit: () => propose(({ end }) => fitRange(end)),
    grip: ({ target, clientX }) => (target === axis ? 0 : head.grip(target, clientX - host.getBoundingClientRect().left)),
    scrolls: true,
  })

  return {
    update,
    resize() {
      width = 0
      layout = null
      if (last !== null) update(last)
    },
    destroy() {
      stopListening()
      for (const each of [canvas, axis, names, head.element]) each.remove()
    },
  }
}
