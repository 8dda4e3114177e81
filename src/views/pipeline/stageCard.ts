import { extent, max } from 'd3-array'
import { t } from '../../language/translate.ts'
import type { ServiceNow } from '../../measures/frame/frame.ts'
import type { Context } from '../drawing/canvas.ts'
import { count, duration } from '../drawing/format.ts'
import { type Palette, type StageColour, stageColour } from '../drawing/palette.ts'
import { areaPath, linePath } from '../drawing/svg.ts'
import { paintQueue } from './queueDots.ts'
import { discUnder, paintWorkerDiscs, placeOfDisc, type WorkerDisc } from './workerDiscs.ts'

/** With more workers in a run the cards show numbers instead of discs, all cards alike. */
export const MAX_DISCS = 256

/** `slow`: a mark stands before the text. */
export type StageNote = { readonly texts: readonly string[]; readonly slow: boolean }

/** A measured mean of fewer services says little. */
const MEASURED = 5
/** How far a measured mean may be above the declared one before the card marks it. */
const SLOWER = 1.25

/** Returns what a service costs now if the scenario changes it, and on real workers what was measured; else null. */
export function serviceNote(
  { before, now, measured, services }: Omit<ServiceNow, 'service'>,
  real: boolean,
): StageNote | null {
  const changed = now === before ? null : `${duration(before)} → ${duration(now)}`
  if (!real || services < MEASURED) return changed === null ? null : { texts: [changed], slow: now > before }
  const measuredText = t('measured {time}', { time: duration(measured) })
  const texts =
    changed === null
      ? [measuredText]
      : [`${changed} · ${measuredText}`, `${duration(now)} · ${measuredText}`, measuredText]
  return { texts, slow: now > before || measured > SLOWER * now }
}

/** The workers of a stage that are too many for a disc each. Made by `workerGroup.ts`, which is fetched when a run needs it. */
export interface WorkerGroup {
  readonly followed: boolean
  has(worker: number): boolean
  paint(context: Context, data: StageCardData, width: number): void
  /** Returns the middle of what `paint` paints. */
  middle(width: number): { readonly x: number; readonly y: number }
}

export interface StageCardData {
  readonly palette: Palette
  /** On a low card: without the dots of the queue. */
  readonly low: boolean
  readonly colourIndex: number
  readonly waiting: number
  /** Parts of jobs that wait in front of the queue for their other parts. They do not count for the bound. */
  readonly gathering: number
  readonly capacity: number | null
  /** The longest this queue gets: what a full bar stands for. */
  readonly most: number
  /** The place in the queue, from 0, of the followed job; -1: it is not here. */
  readonly followed: number
  readonly workers: readonly WorkerDisc[]
  /** In place of the discs, where a run has too many workers. */
  readonly group?: WorkerGroup | null
  readonly openSeats: number
  /** Workers that were lost here. */
  readonly lost?: number
  /** The present service time if it differs from the head of the card. The longest text that fits is shown. */
  readonly note?: StageNote | null
  /** The distribution of the service time; null leaves its place empty. Compared by identity. */
  readonly shape: DistributionShape | null
}

const NUMBER_BASELINE = 23
/** Of the line between the number and the queue: its text touches neither. */
const NOTE_BASELINE = 36
const QUEUE = 43
const RULE = 75
const WORKERS = { full: 82, low: 40 }
const DIGIT = 17
const MARK = 8

type CardWorkers = Pick<StageCardData, 'workers' | 'group' | 'openSeats' | 'lost' | 'low'>

const workersAt = ({ low }: CardWorkers) => (low ? WORKERS.low : WORKERS.full)

/** Returns the worker at a point of a card, in the place of `paintCard`, or `open` for an open seat; null if there is neither. */
export function workerOnCard(data: CardWorkers, width: number, x: number, y: number): number | 'open' | null {
  const below = y - workersAt(data)
  if (data.group) return data.openSeats > 0 && below >= 0 ? 'open' : null
  return discUnder(data, width, x, below)
}

/** Returns the middle of a worker's disc on a card, or of the number of those that are only counted; null if it is not there. */
export function placeOnCard(
  data: CardWorkers,
  width: number,
  worker: number,
): { readonly x: number; readonly y: number } | null {
  const place = data.group?.has(worker) ? data.group.middle(width) : placeOfDisc(data, width, worker)
  return place === null ? null : { x: place.x, y: place.y + workersAt(data) }
}

/** Paints the changing part of a stage's card, `width` wide from the origin on. The page itself shows the name above it. */
export function paintCard(context: Context, data: StageCardData, width: number): void {
  paintFace(context, data, width)
  paintWorkers(context, data, width)
}

/** Paints the workers of a card, whose progress changes in every frame. */
export function paintWorkers(context: Context, data: StageCardData, width: number): void {
  context.save()
  context.translate(0, workersAt(data))
  if (data.group) data.group.paint(context, data, width)
  else paintWorkerDiscs(context, { ...data, colour: stageColour(data.palette, data.colourIndex) }, width)
  context.restore()
}

export function faceParts({
  palette,
  low,
  colourIndex,
  waiting,
  gathering,
  capacity,
  most,
  followed,
  shape,
  note,
}: StageCardData): readonly unknown[] {
  return [palette, low, colourIndex, waiting, gathering, capacity, most, followed, shape, note?.texts[0], note?.slow]
}

/** Paints the parts of a card that change when a job comes or goes: the queue as a number and as dots, the shape of the service time. */
export function paintFace(context: Context, data: StageCardData, width: number): void {
  const { palette, waiting, gathering, note } = data
  const colour = stageColour(palette, data.colourIndex)
  const at = (x: number, y: number, paint: () => void) => {
    context.save()
    context.translate(x, y)
    paint()
    context.restore()
  }
  const write = (text: string, x: number, y: number, font: string, fill: string, align: CanvasTextAlign = 'left') => {
    context.font = `${font} ${palette.font}`
    context.fillStyle = fill
    context.textAlign = align
    context.fillText(text, x, y)
  }
  at(0, 0, () => {
    context.textBaseline = 'alphabetic'
    const number = count(waiting)
    write(number, -1, NUMBER_BASELINE, '700 27px', palette.ink)
    write(t('waiting'), context.measureText(number).width + 3, NUMBER_BASELINE, '400 11.5px', palette.soft)
    if (note) paintNote(context, note, colour.text, palette.font, width, NOTE_BASELINE)
    else if (gathering > 0)
      write(t('{n, number} gather', { n: gathering }), width, NOTE_BASELINE, '400 9.5px', palette.soft, 'right')
    if (data.low) return
    context.fillStyle = palette.rule
    context.fillRect(0, RULE, width, 1)
  })
  // The shape stands beside the number, whose width is estimated from its digits.
  const wide = Math.min(74, width - count(waiting).length * DIGIT - 56)
  const { shape } = data
  if (shape !== null && wide >= 36)
    at(width - wide, NUMBER_BASELINE - 16, () => paintShape(context, shape, colour, wide, 16))
  if (!data.low) at(0, QUEUE, () => paintQueue(context, { ...data, colour }, width))
}

/** Paints the present service time, up to the right edge; after a mark if the stage got slower. */
export function paintNote(
  context: Context,
  { texts, slow }: StageNote,
  colour: string,
  font: string,
  right: number,
  baseline: number,
): void {
  context.font = `600 9.5px ${font}`
  context.fillStyle = context.strokeStyle = colour
  context.textAlign = 'right'
  const room = right - (slow ? MARK + 4 : 0)
  const text = texts.find((each) => context.measureText(each).width <= room) ?? texts[texts.length - 1]
  context.fillText(text, right, baseline, room)
  if (!slow) return
  const [x, y] = [right - Math.min(room, context.measureText(text).width) - MARK - 4, baseline - MARK]
  context.lineWidth = 1.3
  // An hourglass, as on the axis of time.
  context.stroke(new Path2D(`M${x} ${y}h6l-6 ${MARK}h6l-6 -${MARK}z`))
}

/** A distribution as it is drawn: its density at points ascending in x, and single values with a probability of their own. */
export interface DistributionShape {
  readonly curve: readonly { readonly x: number; readonly y: number }[]
  /** The single values: a constant has one. `y` is relative to the most probable. */
  readonly masses: readonly { readonly x: number; readonly y: number }[]
}

/** Returns the SVG paths of a shape that fills a box. */
export function shapePaths({ curve, masses }: DistributionShape, width: number, height: number) {
  const foot = height - 0.75
  const [low = 0, high = 0] = extent([...curve, ...masses], ({ x }) => x)
  const most = max(curve, ({ y }) => y) || 1
  const x = (value: number) => (high > low ? ((value - low) / (high - low)) * (width - 2) + 1 : width / 2)
  // Straight lines will do: the points are a pixel or two apart.
  const points =
    curve.length < 2 ? [] : curve.map((point) => [x(point.x), foot - (point.y / most) * (height - 2)] as const)
  const needles = masses
    .map((mass) => `M${x(mass.x).toFixed(2)} ${foot}V${(foot - mass.y * (height - 3)).toFixed(2)}`)
    .join('')
  return {
    area: areaPath(points, foot),
    line: linePath(points),
    masses: needles + (points.length === 0 ? `M1 ${foot}H${width - 1}` : ''),
  }
}

const cachedPaths = new WeakMap<
  DistributionShape,
  { readonly width: number; readonly height: number; readonly area: Path2D; readonly drawn: Path2D }
>()

/** Paints a shape in a box at the origin. Its paths are cached, since it is painted at every frame. */
function paintShape(
  context: Context,
  shape: DistributionShape,
  colour: StageColour,
  width: number,
  height: number,
): void {
  let paths = cachedPaths.get(shape)
  if (paths === undefined || paths.width !== width || paths.height !== height) {
    const { area, line, masses } = shapePaths(shape, width, height)
    paths = { width, height, area: new Path2D(area), drawn: new Path2D(line + masses) }
    cachedPaths.set(shape, paths)
  }
  context.fillStyle = colour.wash
  context.fill(paths.area)
  context.strokeStyle = colour.fill
  context.lineWidth = 1.4
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.stroke(paths.drawn)
}
