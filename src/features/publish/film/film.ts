import { currentPalette } from '../../../app/base/page/theme.ts'
import { handsAt, lostAt } from '../../../app/draw/canvas/runOnCanvas.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { marksIn } from '../../../app/share/files/exportRun.ts'
import { t, tStored } from '../../../language/translate.ts'
import { type Frame, frameAt, isPresent } from '../../../measures/frame/frame.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { greatest } from '../../../measures/series/steps.ts'
import { waysIn } from '../../../measures/workers/ways.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { fillDisc } from '../../../views/drawing/canvas.ts'
import { clock } from '../../../views/drawing/format.ts'
import { fittedText, paintedText } from '../../../views/drawing/paintedText.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { paintMoving } from '../../../views/pipeline/flowPaths.ts'
import { MAX_DISCS, paintCard, placeOnCard } from '../../../views/pipeline/stageCard.ts'
import { workerGroup } from '../../../views/pipeline/workerGroup.ts'
import { type FaultMark, MARK_RADIUS, placedMarks, ROW_HEIGHT, ROW_OFFSET } from '../../../views/timeline/faultMark.ts'
import { paintAxis } from '../../../views/timeline/paintAxis.ts'
import { paintLabels } from '../../../views/timeline/paintLabels.ts'
import { lanePainter } from '../../../views/timeline/paintLanes.ts'
import { decisionPainter, queuePainter, seatPainter } from '../../../views/timeline/paintSteps.ts'
import { laneCount, teamsIn } from '../../../views/timeline/teams.ts'
import type { TimelineData } from '../../../views/timeline/timelineData.ts'
import { timelineLayout } from '../../../views/timeline/timelineLayout.ts'
import { plotOf, xOf } from '../../../views/timeline/timelinePlot.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { noFilmOf } from './shoot.ts'

/** The whole run that a film shows, and its title. */
interface FilmData extends Omit<TimelineData, 'playhead'> {
  readonly title: string
  /** Faults and other mid-run events, in order of time. */
  readonly marks: readonly Pick<FaultMark, 'time' | 'kind' | 'label' | 'colourIndex'>[]
}

/** The width of the layout, which is then scaled to the canvas. */
const WIDTH = 1280
const MARGIN = 40
const HEAD = 60
const CARDS = { height: 150, head: 33, gap: 14, widest: 230, large: 200 }
const RECORD = 368

/**
 * Returns a function that draws a run on a canvas at any time, over the range that the film shows. The whole record is painted once; each
 * frame covers the part after its time. `window`: how long a worker is on its way, in the time of the run.
 */
export function filmOf(canvas: HTMLCanvasElement, run: Run, range: TimeRange, window: Micros): (time: Micros) => void {
  const { scenario, trace, chart } = run
  extendChart(chart)
  const palette = currentPalette()
  const end = endOf(trace)
  const data: FilmData = {
    ...chart,
    palette,
    title: tStored(scenario.title) || 'Apportion',
    range,
    end,
    stages: scenario.stages.map(({ name }, s) => ({ name, colourIndex: s })),
    stageOrder: stageNumbers(scenario),
    workers: frameAt(trace, end).workers.length,
    marks: marksIn(run),
    version: chart.rows,
  }
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) throw noFilmOf(canvas)
  const ratio = canvas.width / WIDTH
  const below = RECORD + 8 + (data.marks.length > 0 ? ROW_HEIGHT + ROW_OFFSET : 0)
  const layout = timelineLayout(WIDTH, canvas.height / ratio - below, data.stages.length, laneCount(teamsIn(data)))
  const record = recordOf(data, layout, ratio)
  return (time) => {
    const frame = frameAt(trace, time)
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.fillStyle = palette.ground
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(record, 0, Math.round(RECORD * ratio))
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawHead(context, data, frame)
    context.save()
    drawCards(context, data, run, frame, window)
    context.restore()
    context.translate(0, RECORD)
    drawPlayhead(context, data, layout, time)
  }
}

type Context = CanvasRenderingContext2D
type Layout = ReturnType<typeof timelineLayout>

/** Returns the whole record, painted as in the timeline of the page. */
function recordOf(data: FilmData, layout: Layout, ratio: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(layout.width * ratio)
  canvas.height = Math.round((layout.height + ROW_HEIGHT + ROW_OFFSET) * ratio)
  const context = canvas.getContext('2d')
  const axis = document.createElement('canvas')
  axis.width = canvas.width
  axis.height = Math.round(layout.axis * ratio)
  const axisContext = axis.getContext('2d')
  if (context === null || axisContext === null) return canvas
  const whole: TimelineData = { ...data, palette: { ...data.palette, panel: data.palette.ground }, playhead: 0 }
  const plot = plotOf(layout, data.range, data.end, ratio)
  queuePainter()(context, plot, layout.queues, whole)
  decisionPainter()(context, plot, layout, whole)
  seatPainter()(context, plot, layout, whole)
  lanePainter()(context, plot, layout.workers, whole)
  paintLabels(context, ratio, layout, whole)
  paintAxis(axisContext, ratio, layout, whole)
  context.drawImage(axis, 0, Math.round(layout.foot * ratio))
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.translate(0, layout.foot + layout.axis)
  drawFaults(context, data, layout)
  return canvas
}

/** Draws the marks of faults below the axis. */
function drawFaults(context: Context, { marks, palette, range }: FilmData, layout: Layout): void {
  for (const { tip, x, y, colour, icon, label } of placedMarks(marks, layout, range, 1, {
    ...palette,
    panel: palette.ground,
  })) {
    context.fillStyle = colour.fill
    context.fillRect(tip - 0.75, -4, 1.5, y)
    fillDisc(context, x, y, MARK_RADIUS, colour.fill)
    context.save()
    context.translate(x - 8, y - 8)
    context.strokeStyle = colour.on
    context.lineWidth = 2
    context.lineCap = context.lineJoin = 'round'
    context.stroke(new Path2D(icon))
    context.restore()
    if (label !== null)
      write(
        context,
        paintedText(label.text),
        label.x,
        y + 4,
        colour.text,
        `400 12px ${palette.font}`,
        label.end ? 'right' : 'left',
      )
  }
}

function drawHead(context: Context, { palette, title }: FilmData, { time, workers }: Frame): void {
  context.font = `700 22px ${palette.font}`
  write(context, fittedText(context, title, WIDTH - 2 * MARGIN - 300), MARGIN, 42, palette.ink, context.font)
  const hands = t('{n, plural, one {# worker} other {# workers}}', { n: workers.filter(isPresent).length })
  write(context, `${hands} · ${clock(time)}`, WIDTH - MARGIN, 42, palette.ink, `600 22px ${palette.font}`, 'right')
}

/** Draws the stages side by side, as cards like those on the page and a third larger where there is room, and the workers that move between them. */
function drawCards(
  context: Context,
  { palette, stages, stageOrder, queues }: FilmData,
  run: Run,
  frame: Frame,
  window: Micros,
): void {
  const crowded = frame.workers.length > MAX_DISCS
  const ways = crowded ? [] : waysIn(run.chart.lanes, frame, window)
  const rowWidth = WIDTH - 2 * MARGIN
  const by = Math.min(4 / 3, Math.max(1, rowWidth / stageOrder.length / CARDS.large))
  context.scale(by, by)
  const cardsTop = (HEAD + RECORD) / 2 / by - CARDS.height / 2
  const pitch = Math.min(CARDS.widest + CARDS.gap, (rowWidth / by + CARDS.gap) / stageOrder.length)
  const width = pitch - Math.min(CARDS.gap, pitch * 0.15)
  const left = (WIDTH / by - (stageOrder.length - 1) * pitch - width) / 2
  const pad = Math.min(14, width * 0.12)
  const inside = width - 2 * pad
  const cardOf = (s: number) => {
    const { waiting, seats, staffed, busy } = frame.stages[s]
    const workers = crowded ? [] : handsAt({ run, frame }, s, [], ways)
    const openSeats = Math.max(0, seats - staffed)
    const group = crowded ? workerGroup(staffed, busy, () => false, false) : null
    const still = { gathering: 0, capacity: null, followed: -1, shape: null, low: false }
    const longestQueue = greatest(queues[s])
    const lost = crowded ? 0 : lostAt(frame, s)
    return {
      ...still,
      palette,
      colourIndex: stages[s].colourIndex,
      waiting,
      most: longestQueue,
      workers,
      group,
      openSeats,
      lost,
    }
  }
  stageOrder.forEach((s, k) => {
    const { name, colourIndex } = stages[s]
    context.save()
    context.translate(left + k * pitch, cardsTop)
    context.beginPath()
    context.roundRect(0, 0, width, CARDS.height, 10)
    context.fillStyle = palette.panel
    context.fill()
    context.strokeStyle = palette.rule
    context.lineWidth = 1
    context.stroke()
    context.clip()
    context.font = `600 14px ${palette.font}`
    write(context, fittedText(context, name, inside), pad, 24, stageColour(palette, colourIndex).text, context.font)
    context.translate(pad, CARDS.head)
    paintCard(context, cardOf(s), inside)
    context.restore()
  })
  const moves = ways.flatMap(({ worker, from, to, fraction }) => {
    const place = placeOnCard(cardOf(to), inside, worker)
    const { fill, on } = stageColour(palette, stages[to].colourIndex)
    const [x1, x2] = [from, to].map((s) => left + stageOrder.indexOf(s) * pitch)
    const [y1, y2] = [cardsTop + CARDS.height - 20, cardsTop + CARDS.head + (place?.y ?? 0)]
    return place === null
      ? []
      : [
          {
            x1: x1 + width / 2,
            y1,
            x2: x2 + pad + place.x,
            y2,
            fraction,
            under: 0,
            worker: worker + 1,
            colour: fill,
            on,
          },
        ]
  })
  const empty = { cards: [], links: [], ring: null, scale: 1, reducedMotion: false, paint: null }
  paintMoving(context, { ...empty, palette, moves })
}

/** Draws the playhead, and dims everything after it. */
function drawPlayhead(context: Context, { palette, range }: FilmData, layout: Layout, time: Micros): void {
  const { plot, decisions, foot } = layout
  const x = xOf(layout, range, Math.min(range[1], Math.max(range[0], time)))
  context.globalAlpha = 0.72
  context.fillStyle = palette.ground
  context.fillRect(x, decisions.y - 4, plot.x + plot.width - x + 1, foot - decisions.y + 4)
  context.globalAlpha = 1
  context.fillStyle = palette.accent
  context.fillRect(x - 1, decisions.y - 4, 2, foot - decisions.y + 4)
}

function write(
  context: Context,
  text: string,
  x: number,
  y: number,
  colour: string,
  font: string,
  align: CanvasTextAlign = 'left',
): void {
  context.font = font
  context.fillStyle = colour
  context.textAlign = align
  context.textBaseline = 'alphabetic'
  context.fillText(text, x, y)
}
