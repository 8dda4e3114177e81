import { type Context, fillDisc } from '../drawing/canvas.ts'
import type { Palette, StageColour } from '../drawing/palette.ts'

/** A worker at its stage, drawn as a numbered disc. */
export interface WorkerDisc {
  readonly worker: number
  /** How far its batch is, 0 to 1; null when it has none, or when that is not known. */
  readonly progress: number | null
  /** It holds a job and waits for a resource that another worker uses. */
  readonly waits: boolean
  readonly followed: boolean
  /** It has no work. A full disc is a working worker. */
  readonly idle?: boolean
  /** It is still on its way: only its place is drawn. */
  readonly away?: boolean
}

const DISC = 11
const RING = 13.5
const RIM = 14.5
/** Ten dashes around an open seat. */
const DASHES = [(0.1 * 2 * Math.PI * DISC * 4) / 7, (0.1 * 2 * Math.PI * DISC * 3) / 7]
const WIDEST_PITCH = 31
/** The least distance of discs: closer, they would cover each other's numbers. */
const MIN_PITCH = 24

/** How many discs of workers, crosses of lost ones and open seats are drawn, how far apart, and how many workers are left for '+n'. */
export type DiscRow = {
  readonly workers: number
  readonly lost: number
  readonly open: number
  readonly pitch: number
  readonly more: number
}

/** Returns what fits in a width: discs apart, else overlapping, else one cross and one seat with their numbers, and the rest of the workers only counted. */
export function discRow(workers: number, lost: number, open: number, width: number): DiscRow {
  const pitchIn = (discs: number, rowWidth: number) =>
    Math.min(WIDEST_PITCH, discs <= 1 ? WIDEST_PITCH : (rowWidth - 2 * RIM) / (discs - 1))
  const pitch = pitchIn(workers + lost + open, width)
  if (pitch >= MIN_PITCH) return { workers, lost, open, pitch, more: 0 }
  const marks = { lost: Math.min(1, lost), open: Math.min(1, open) }
  const fitIn = (rowWidth: number) => Math.floor((rowWidth - 2 * RIM) / MIN_PITCH) + 1 - marks.lost - marks.open
  const rowWidth = fitIn(width) < workers ? width - 28 : width
  const shown = Math.min(workers, Math.max(1, fitIn(rowWidth)))
  return { workers: shown, ...marks, pitch: pitchIn(shown + marks.lost + marks.open, rowWidth), more: workers - shown }
}

export interface WorkerDiscsData {
  readonly palette: Palette
  readonly colour: StageColour
  readonly workers: readonly WorkerDisc[]
  readonly openSeats: number
  /** Workers that were lost here: a crossed place each. */
  readonly lost?: number
}

/** Paints the workers of a stage from the origin on: discs with a ring of progress, pale ones without work, outlines while they wait for a resource, crosses, dashed open seats. */
export function paintWorkerDiscs(
  context: Context,
  { palette, colour, workers, openSeats, lost = 0 }: WorkerDiscsData,
  width: number,
): void {
  const { workers: shown, lost: crosses, open, pitch, more } = discRow(workers.length, lost, openSeats, width)
  context.textBaseline = 'middle'
  const { a: scale, e: left, f: top } = context.getTransform()
  const y = Math.round(top + RIM * scale)
  for (let k = 0; k < shown + crosses + open; k++) {
    context.save()
    // On a whole pixel, where a stamp is sharp.
    context.setTransform(scale, 0, 0, scale, Math.round(left + (RIM + k * pitch) * scale), y)
    if (k >= shown + crosses) paintOpenSeat(context, palette, colour, openSeats > open ? openSeats : 1)
    else if (k >= shown) paintLost(context, palette, lost > crosses ? lost : 1)
    else if (!workers[k].away) paintWorker(context, workers[k], palette, colour, scale)
    else paintOpenSeat(context, palette, colour, 1)
    context.restore()
  }
  if (more === 0) return
  context.font = `600 11.5px ${palette.font}`
  context.textAlign = 'right'
  context.fillStyle = workers.slice(shown).some(({ followed }) => followed) ? palette.ink : palette.soft
  context.fillText(`+${more}`, width, RIM)
}

type DiscCounts = Pick<WorkerDiscsData, 'workers' | 'openSeats' | 'lost'>

/** Returns the worker whose disc covers a point, in the place of `paintWorkerDiscs`, or `open` for an open seat; null if there is neither. */
export function discUnder(
  { workers, openSeats, lost = 0 }: DiscCounts,
  width: number,
  x: number,
  y: number,
): number | 'open' | null {
  const { workers: shown, lost: crosses, open, pitch } = discRow(workers.length, lost, openSeats, width)
  // Where discs overlap, the later one is on top.
  for (let k = shown + crosses + open - 1; k >= 0; k--)
    if ((x - RIM - k * pitch) ** 2 + (y - RIM) ** 2 <= RIM ** 2)
      return k < shown ? workers[k].worker - 1 : k < shown + crosses ? null : 'open'
  return null
}

/** Returns the middle of a worker's disc in the place of `paintWorkerDiscs`, or of '+n' if it is only counted; null if it is not here. */
export function placeOfDisc({ workers, openSeats, lost = 0 }: DiscCounts, width: number, worker: number) {
  const { workers: shown, pitch } = discRow(workers.length, lost, openSeats, width)
  const at = workers.findIndex((disc) => disc.worker === worker + 1)
  if (at < 0) return null
  return { x: at < shown ? RIM + at * pitch : width - RIM, y: RIM }
}

/** Paints a worker around the origin: its stamp, and on it how far its batch is. */
function paintWorker(context: Context, disc: WorkerDisc, palette: Palette, colour: StageColour, scale: number): void {
  const stamp = stampOf(disc, palette, colour, scale)
  const side = stamp.width / scale
  context.drawImage(stamp, -side / 2, -side / 2, side, side)
  const { progress } = disc
  if (progress === null) return
  context.lineCap = 'round'
  // Even an arc of no length has round caps, so nothing is drawn at 0.
  if (progress > 0.01) strokeRing(context, RING, colour.fill, 2, Math.min(1, progress))
}

/** By palette, which is another one when the font has arrived. */
const stamps = new WeakMap<Palette, Map<string, ImageBitmap>>()
const MAX_STAMPS = 1000

/** Returns the picture of a worker without its progress. It is kept: else its circles and its number would be painted in every frame. */
function stampOf(
  { worker, progress, waits, followed, idle = false }: WorkerDisc,
  palette: Palette,
  { fill, wash, text, on }: StageColour,
  scale: number,
): ImageBitmap {
  const { panel, ink, font } = palette
  const underway = progress !== null
  const kept = stamps.get(palette) ?? new Map<string, ImageBitmap>()
  const key = `${worker} ${underway} ${waits} ${followed} ${idle} ${fill} ${scale}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const half = Math.ceil((RIM + 2.5) * scale)
  const desk = new OffscreenCanvas(2 * half, 2 * half)
  const context = desk.getContext('2d')
  if (context !== null) {
    context.setTransform(scale, 0, 0, scale, half, half)
    fillDisc(context, 0, 0, RIM + 1, panel)
    if (followed) strokeRing(context, RIM + 1, ink, 2)
    fillDisc(context, 0, 0, DISC, waits ? panel : idle ? wash : fill)
    if (waits) strokeRing(context, DISC - 0.75, fill, 1.5)
    if (underway) strokeRing(context, RING, wash, 2)
    context.font = `700 ${worker > 99 ? 9 : 11}px ${font}`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillStyle = waits || idle ? text : on
    context.fillText(`${worker}`, 0, 0.5)
  }
  const stamp = desk.transferToImageBitmap()
  if (kept.size >= MAX_STAMPS) kept.clear()
  stamps.set(palette, kept.set(key, stamp))
  return stamp
}

/** Paints a dashed circle around the origin, with the number of seats that it stands for if there are several. */
function paintOpenSeat(context: Context, palette: Palette, colour: StageColour, seats: number): void {
  fillDisc(context, 0, 0, RIM + 1, palette.panel)
  context.setLineDash(DASHES)
  strokeRing(context, DISC, colour.fill, 1.6)
  paintCount(context, seats, palette, colour.text)
}

function paintCount(context: Context, seats: number, { font }: Palette, colour: string): void {
  if (seats < 2) return
  context.font = `600 ${seats > 99 ? 9 : 11}px ${font}`
  context.textAlign = 'center'
  context.fillStyle = colour
  context.fillText(`${seats}`, 0, 0.5)
}

/** Paints the place of a lost worker around the origin: a circle with a cross, or with the number of several, in no colour of a stage. */
function paintLost(context: Context, palette: Palette, workers: number): void {
  fillDisc(context, 0, 0, RIM + 1, palette.panel)
  strokeRing(context, DISC - 0.75, palette.accent, 1.5)
  if (workers > 1) {
    paintCount(context, workers, palette, palette.accent)
    return
  }
  context.beginPath()
  for (const side of [-4, 4]) {
    context.moveTo(-4, side)
    context.lineTo(4, -side)
  }
  context.stroke()
}

/** Strokes a ring around the origin from twelve o'clock on, as much of it as `share` says. */
function strokeRing(context: Context, radius: number, colour: string, width: number, share = 1): void {
  context.beginPath()
  context.arc(0, 0, radius, -Math.PI / 2, (2 * share - 0.5) * Math.PI)
  context.strokeStyle = colour
  context.lineWidth = width
  context.stroke()
}
