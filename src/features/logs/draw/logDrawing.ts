import { max } from 'd3-array'
import { t } from '../../../language/translate.ts'
import type { Marks } from '../../../measures/series/marks.ts'
import { greatest, type Steps } from '../../../measures/series/steps.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type Context, createSheet, pixelRatio } from '../../../views/drawing/canvas.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../../../views/drawing/drawing.ts'
import { clock, count, two } from '../../../views/drawing/format.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { linePath } from '../../../views/drawing/svg.ts'
import { timeStep, timeTicks } from '../../../views/drawing/timeTicks.ts'
import { type TimeBand, type TimePlot, valuePoints } from '../../../views/plots/timePlot.ts'
import { createTimeAxis } from '../../../views/timeline/paintAxis.ts'
import { decisionPainter, queuePainter, seatPainter } from '../../../views/timeline/paintSteps.ts'
import type { Band, LaneRows, TimelineLayout } from '../../../views/timeline/timelineLayout.ts'
import { createNavigation, type TimeEvents } from '../../../views/timeline/timelineNavigation.ts'
import { plotOf, timeAtX } from '../../../views/timeline/timelinePlot.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'

interface FitOverLog {
  readonly palette: Palette
  /** The times of the log. */
  readonly time: Float64Array
  /** In the order of the pipeline, with the queues of the log and of the run at these times. */
  readonly stages: readonly {
    readonly name: string
    readonly colourIndex: number
    readonly logged: Float64Array
    readonly run: Float64Array
  }[]
  /** What the run does not explain. */
  readonly gaps: readonly { readonly name: string; readonly from: Micros; readonly to: Micros }[]
}

/** Returns each stage's queue of the run over the logged one. Stretches that the run does not explain have a ground of their own. */
export function fitBands({ palette, time, stages, gaps }: FitOverLog): readonly TimeBand[] {
  const height = stages.length <= 4 ? 84 : 56
  return stages.map(({ name, colourIndex, logged, run }) => ({
    title: name,
    height,
    values: [max(logged) ?? 0, max(run) ?? 0],
    parts: 3,
    whole: true,
    write: count,
    series: (plot) => [
      ...gaps
        .filter((gap) => gap.name === name)
        .map((gap) => ({ d: ground(gap, plot), fill: palette.accent, opacity: 0.16, part: 'gap' })),
      { d: linePath(valuePoints(time, logged, plot)), stroke: palette.soft, width: 3, opacity: 0.55, part: 'logged' },
      {
        d: linePath(valuePoints(time, run, plot)),
        stroke: stageColour(palette, colourIndex).text,
        width: 1.5,
        part: 'run',
      },
    ],
  }))
}

function ground({ from, to }: FitOverLog['gaps'][number], { x, y }: TimePlot): string {
  const [foot, top] = y.range()
  return `M${x(from).toFixed(1)},${foot}V${top}H${x(to).toFixed(1)}V${foot}Z`
}

/** The positions of all parts of a log's drawing, in pixels of the page. */
type LogLayout = Pick<TimelineLayout, 'width' | 'height' | 'narrow' | 'plot' | 'pill' | 'queues' | 'foot' | 'axis'> &
  /** The seats that the system had, its decisions, the marks where the rule differs, and the seats of the rule. */
  Readonly<Record<'actual' | 'decided' | 'differing' | 'rule', Band>>

const BAND = 34
const GAP = 12
const MARKS = 5
const DECIDED = 16
const AXIS = 28
const MAX_QUEUES_HEIGHT = 240
const PITCH = 38

/** Returns the layout from top to bottom. Many queues share the height of a few. `staffed`: the log has numbers of workers. `decides`: the decisions of the system are known. */
function logLayout(width: number, stages: number, staffed: boolean, decides: boolean): LogLayout {
  const narrow = width < 640
  const left = narrow ? 100 : 140
  const plot = { x: left, width: Math.max(40, width - left - (narrow ? 12 : 20)) }
  const pill = { y: 4, height: 18 }
  const pitch = stages * PITCH <= MAX_QUEUES_HEIGHT ? PITCH : MAX_QUEUES_HEIGHT / stages
  const queues: LaneRows = {
    y: 30,
    height: Math.ceil(pitch * stages),
    pitch,
    row: pitch > 8 ? Math.round(pitch * 0.78) : pitch,
    labelEvery: Math.max(1, Math.ceil(14 / pitch)),
  }
  const actual = { y: queues.y + queues.height + GAP, height: staffed ? BAND : 0 }
  const decided = { y: actual.y + actual.height + (staffed && decides ? 4 : 0), height: decides ? DECIDED : 0 }
  const differing = { y: decided.y + decided.height + (staffed || decides ? 4 : 0), height: MARKS }
  const rule = { y: differing.y + MARKS + 4, height: BAND }
  const foot = rule.y + BAND + 4
  return { width, height: foot + AXIS, narrow, plot, pill, queues, actual, decided, differing, rule, foot, axis: AXIS }
}

interface LogData {
  readonly palette: Palette
  readonly range: TimeRange
  readonly end: Micros
  readonly playhead: Micros
  /** The part that is marked. */
  readonly part: TimeRange | null
  readonly stages: readonly { readonly name: string; readonly colourIndex: number }[]
  /** By stage. `actualSeats` is empty if the log does not say how many workers there were. */
  readonly queues: readonly Steps[]
  readonly actualSeats: readonly Steps[]
  readonly ruleSeats: readonly Steps[]
  /** When the system's own scheduler decided; null: unknown. */
  readonly decided: Marks | null
  /** When the two differ. */
  readonly differing: Marks
  /** The maximum number of seats at one time, which is the height of a band. */
  readonly workers: number
  /** The name of the rule. */
  readonly rule: string
}

interface LogDrawing extends Drawing<LogData> {
  /** Returns the time that a mark covers at a point of the window; null where no decisions are drawn. */
  decidedUnder(clientX: number, clientY: number): TimeRange | null
}

/** Half the width in which the pointer finds a mark, in pixels. */
const REACH = 4

/** Draws the queues of a log over time, and below them the seats of the system and those of a rule, with the playhead. */
export function mountLogDrawing(host: HTMLElement, events: TimeEvents): LogDrawing {
  const sheet = createSheet()
  const axis = createTimeAxis()
  const names = document.createElement('div')
  names.setAttribute('aria-hidden', 'true')
  names.className = 'log-names'
  const { playhead, place, stop } = createNavigation(host, { ...events, axis: axis.canvas, scrolls: true })
  Object.assign(host.style, { position: 'relative', overflow: 'clip' })
  const mark = document.createElement('div')
  mark.className = 'log-part'
  host.append(sheet.canvas, mark, axis.canvas, names, playhead)
  const paintQueues = queuePainter()
  const paintSeats = seatPainter()
  const paintMarks = decisionPainter()
  let layout: LogLayout | null = null
  let painted: readonly unknown[] = []
  let range: TimeRange = [0, 1]

  function draw(data: LogData, { width }: HostSize, before: LogData | null): void {
    if (width === 0) return
    const { palette, end, queues, actualSeats, decided, ruleSeats, rule, stages, workers } = data
    const ratio = pixelRatio()
    const parts = [palette, ...data.range, end, queues, actualSeats, decided, ruleSeats, rule, workers, width, ratio]
    if (layout === null || before === null || !sameParts(parts, painted)) {
      painted = parts
      layout = logLayout(width, stages.length, actualSeats.length > 0, decided !== null)
      host.style.height = `${layout.height}px`
      sheet.fit(width, layout.foot, ratio)
      drawNames(layout, data)
      const at = layout
      sheet.paint((context) => paint(context, at, data, ratio))
    }
    range = data.range
    axis.draw(layout, data)
    place(data, layout)
    placeMark(data, layout)
  }

  function placeMark({ part, range: [begin, end] }: LogData, { plot, foot }: LogLayout): void {
    const x = (time: Micros) => plot.x + Math.min(1, Math.max(0, (time - begin) / (end - begin))) * plot.width
    mark.hidden = part === null
    if (part !== null)
      Object.assign(mark.style, {
        left: `${x(part[0])}px`,
        width: `${Math.max(2, x(part[1]) - x(part[0]))}px`,
        height: `${foot}px`,
      })
  }

  function paint(
    context: Context,
    at: LogLayout,
    { palette, range, end, stages, queues, actualSeats, decided, ruleSeats, differing, workers }: LogData,
    ratio: number,
  ): void {
    const plot = plotOf(at, range, end, ratio)
    const stageOrder = stages.map((_, s) => s)
    paintQueues(context, plot, at.queues, { queues, stageOrder, stages, palette })
    if (actualSeats.length > 0)
      paintSeats(
        context,
        plot,
        { seats: at.actual },
        { seats: actualSeats, stageOrder, stages, palette, workers, highlight: null },
      )
    paintSeats(
      context,
      plot,
      { seats: at.rule },
      { seats: ruleSeats, stageOrder, stages, palette, workers, highlight: null },
    )
    if (decided !== null) paintMarks(context, plot, { decisions: at.decided }, { decisions: decided, palette })
    paintMarks(context, plot, { decisions: at.differing }, { decisions: differing, palette })
  }

  /** Draws names as elements, so that those too long for their row are cut with an ellipsis. A queue also has its greatest length. */
  function drawNames(at: LogLayout, { stages, queues, actualSeats, decided, rule, palette }: LogData): void {
    const nameAt = (text: string, y: number, height: number, most = '') => {
      const element = document.createElement('div')
      const name = document.createElement('span')
      const number = document.createElement('small')
      name.textContent = text
      number.textContent = most
      number.style.color = palette.soft
      element.append(name, number)
      Object.assign(element.style, {
        top: `${y}px`,
        height: `${height}px`,
        lineHeight: `${height}px`,
        width: `${at.plot.x - 9}px`,
      })
      return element
    }
    const rows = at.queues
    names.replaceChildren(
      ...stages.flatMap(({ name }, s) => {
        const top = rows.y + s * rows.pitch
        return s % rows.labelEvery === 0 ? [nameAt(name, top, Math.max(rows.row, 12), count(greatest(queues[s])))] : []
      }),
      ...(actualSeats.length > 0 ? [nameAt(t('Your system'), at.actual.y, at.actual.height)] : []),
      ...(decided !== null ? [nameAt(t('Its decisions'), at.decided.y, at.decided.height)] : []),
      nameAt(at.narrow ? t('Policy') : rule, at.rule.y, at.rule.height),
    )
  }

  function decidedUnder(clientX: number, clientY: number): TimeRange | null {
    const { left, top } = host.getBoundingClientRect()
    const [x, y] = [clientX - left, clientY - top]
    if (layout === null || y < layout.decided.y || y >= layout.decided.y + layout.decided.height) return null
    return [timeAtX(layout, range, x - REACH), timeAtX(layout, range, x + REACH)]
  }

  return { ...createDrawing(host, draw, stop), decidedUnder }
}

/** Times from this one up are dates, in microseconds since 1970. Smaller numbers count from the start of the log. */
const DATES_FROM = 100_000_000_000_000
const SECOND = 1_000_000
const DAY = 86_400 * SECOND

/** Returns whether the times of a log that begins at `origin` are dates. */
export const hasDates = (origin: Micros): boolean => origin >= DATES_FROM

/** Returns the date and time of an instant since 1970: '2026-03-02 09:04:00'. */
export function dateText(instant: Micros): string {
  return new Date(instant / 1000)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')
}

/** Returns an instant of a log for people, in UTC: '09:04', '09:04:10', or a number of seconds if the log has no dates. */
export function logTime(origin: Micros, time: Micros): string {
  if (!hasDates(origin)) return clock(time)
  const seconds = Math.floor((origin + time) / SECOND) % 86_400
  const minutes = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`
  return seconds % 60 === 0 ? minutes : `${minutes}:${two(seconds % 60)}`
}

/** Returns the labels of an axis: round clock times where the log has dates. */
export function logTicks(origin: Micros): typeof timeTicks {
  if (!hasDates(origin)) return timeTicks
  return (t0, t1, most) => roundTimes(origin, t0, t1, most).map((time) => ({ time, label: logTime(origin, time) }))
}

/** Returns up to `most` + 1 instants from `t0` to `t1` that are round on the clock. */
export function roundTimes(origin: Micros, t0: Micros, t1: Micros, most: number): Micros[] {
  const step = Math.max(SECOND, timeStep((t1 - t0) / Math.max(1, most)))
  const shift = hasDates(origin) ? origin % Math.max(step, DAY) : 0
  const first = Math.ceil((t0 + shift) / step)
  const last = Math.floor((t1 + shift) / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => (first + k) * step - shift)
}
