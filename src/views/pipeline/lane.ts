import { createCanvas, fitCanvas, pixelRatio } from '../drawing/canvas.ts'
import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import { type Palette, type StageColour, stageColour } from '../drawing/palette.ts'
import { DOT_PITCH, dotPath, ROW_PITCH } from './queueDots.ts'
import { paintNote, type StageNote } from './stageCard.ts'
import { paintWorkerDiscs, type WorkerDisc } from './workerDiscs.ts'

interface LaneStage {
  readonly name: string
  readonly colourIndex: number
  readonly waiting: number
  readonly workers: readonly WorkerDisc[]
  /** The present service time, if it has changed. */
  readonly note?: StageNote | null
}

export interface LaneData {
  readonly palette: Palette
  readonly stages: readonly LaneStage[]
  /** The longest queue of all lanes that are compared. */
  readonly most: number
  readonly workers: number
  /** Whether a note may come: its place is kept free, so that nothing moves. */
  readonly noted?: boolean
}

type Context = CanvasRenderingContext2D

/** Draws a pipeline as a row of cards: how many jobs wait at each stage, and who works there. */
export function mountLane(host: HTMLElement): Drawing<LaneData> {
  const canvas = createCanvas()
  host.append(canvas)
  const context = canvas.getContext('2d')

  function draw({ palette, stages, most, workers, noted }: LaneData, { width }: HostSize): void {
    if (context === null || width === 0) return
    const layout = laneLayout(width, stages.length, most, workers, noted)
    const ratio = pixelRatio()
    fitCanvas(canvas, width, layout.height, ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width, layout.height)
    stages.forEach((stage, s) => {
      const { x } = layout.cards[s]
      if (s > 0) paintLink(context, palette, layout.cards[s - 1].x + layout.cards[s - 1].width, x, layout.height / 2)
      context.save()
      context.translate(x, 0)
      paintStage(context, palette, stage, layout, layout.cards[s].width)
      context.restore()
    })
  }

  return createDrawing(host, draw)
}

function paintLink(context: Context, palette: Palette, from: number, to: number, y: number): void {
  context.fillStyle = palette.soft
  context.fillRect(from, y, to - from, 1)
}

function paintStage(
  context: Context,
  palette: Palette,
  { name, colourIndex, waiting, workers, note }: LaneStage,
  layout: LaneLayout,
  width: number,
): void {
  const { pad, height, workersY, discs } = layout
  const colour = stageColour(palette, colourIndex)
  const inner = width - 2 * pad
  context.beginPath()
  context.roundRect(0.5, 0.5, width - 1, height - 1, 8)
  context.fillStyle = palette.panel
  context.fill()
  context.strokeStyle = palette.rule
  context.stroke()
  paintHead(context, palette, name, colour, waiting, pad, width)
  if (note) {
    context.save()
    context.translate(pad, 0)
    paintNote(context, note, colour.text, palette.font, inner, NOTE_BASELINE)
    context.restore()
  }
  context.fillStyle = palette.rule
  context.fillRect(pad, workersY - 6, inner, 1)
  paintDots(context, waiting, colour, layout, inner)
  for (let from = 0; from < workers.length; from += layout.discsPerRow) {
    context.save()
    context.translate(pad, workersY + (from / layout.discsPerRow) * 31 * discs)
    context.scale(discs, discs)
    const row = workers.slice(from, from + layout.discsPerRow)
    paintWorkerDiscs(context, { palette, colour, workers: row, openSeats: 0 }, inner / discs)
    context.restore()
  }
}

function paintHead(
  context: Context,
  palette: Palette,
  name: string,
  colour: StageColour,
  waiting: number,
  pad: number,
  width: number,
): void {
  const narrow = width < 110
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  context.fillStyle = colour.fill
  context.beginPath()
  if (!narrow) context.roundRect(pad, 12, 10, 10, 3)
  context.fill()
  context.fillStyle = narrow ? colour.text : palette.ink
  context.font = `600 ${narrow ? 11 : 13}px ${palette.font}`
  context.fillText(name, narrow ? pad : pad + 17, 21.5)
  context.textAlign = 'right'
  context.fillStyle = palette.ink
  context.font = `700 ${narrow ? 11 : 14}px ${palette.font}`
  if (waiting > 0) context.fillText(count(waiting), width - pad, 21.5)
}

function paintDots(
  context: Context,
  waiting: number,
  colour: StageColour,
  { pad, dots, queueY }: LaneLayout,
  inner: number,
): void {
  if (waiting === 0) return
  context.save()
  context.translate(pad, queueY)
  context.scale(dots, dots)
  context.lineCap = 'round'
  context.lineWidth = 6
  context.strokeStyle = colour.fill
  context.stroke(new Path2D(dotPath(0, waiting, dotsPerRow(inner, dots))))
  context.restore()
}

/** Where the cards of a lane stand, and how large what is on them is drawn. All in pixels of the page. */
interface LaneLayout {
  readonly cards: readonly { readonly x: number; readonly width: number }[]
  /** Between the edge of a card and what is on it. */
  readonly pad: number
  readonly dots: number
  readonly discs: number
  readonly discsPerRow: number
  /** Where queue and workers begin, and where the card ends. */
  readonly queueY: number
  readonly workersY: number
  readonly height: number
}

/** Discs as `workerDiscs.ts` draws them at full size. */
const DISC_PITCH = 25
const DISC_ROW = 31
const QUEUE_Y = 34
const NOTE_BASELINE = 37
const NOTE = 12
const QUEUE_HEIGHT = 66
const SMALLEST = 0.4
/** A card of this width shows its discs at full size. */
const WIDE = 150

/** Returns the layout of `stages` cards. Dots are as large as `most` of them allow, so lanes of one `most` compare; all `workers` fit on a card. */
export function laneLayout(width: number, stages: number, most: number, workers: number, noted = false): LaneLayout {
  const gap = width < 600 ? 6 : 22
  const card = Math.max(0, (width - gap * (stages - 1)) / stages)
  const pad = card < WIDE ? 7 : 13
  const inner = card - 2 * pad
  const discs = card < WIDE ? 0.6 : 1
  const discsPerRow = Math.max(1, Math.floor((inner / discs - 4) / DISC_PITCH))
  const discRows = Math.ceil(workers / discsPerRow)
  const queueY = QUEUE_Y + (noted ? NOTE : 0)
  const workersY = queueY + QUEUE_HEIGHT + 9
  return {
    cards: Array.from({ length: stages }, (_, s) => ({ x: s * (card + gap), width: card })),
    pad,
    dots: dotScale(inner, most),
    discs,
    discsPerRow,
    queueY,
    workersY,
    height: Math.ceil(workersY + discRows * DISC_ROW * discs + 7),
  }
}

export function dotsPerRow(inner: number, scale: number): number {
  return Math.max(1, Math.floor(inner / (DOT_PITCH * scale)))
}

function dotScale(inner: number, most: number): number {
  let scale = 1
  while (scale > SMALLEST && Math.ceil(most / dotsPerRow(inner, scale)) * ROW_PITCH * scale > QUEUE_HEIGHT)
    scale -= 0.05
  return scale
}
