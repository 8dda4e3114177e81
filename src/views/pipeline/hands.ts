import type { Palette, StageColour } from '../drawing/palette.ts'

/** A worker at its post. */
export interface Hand {
  /** Its number as people count: from 1. */
  readonly worker: number
  /** How far its batch is, 0 to 1; null when it has none, or nobody knows. */
  readonly progress: number | null
  /** It waits, a job in hand, for a resource that another has. */
  readonly waits: boolean
  /** It has the job that is followed. */
  readonly followed: boolean
}

const DISC = 11
const RING = 13.5
const RIM = 14.5
const ROOMY = 31
/** As close as discs come: beyond that their numbers would be covered. */
const TIGHT = 24

/** How many hands and open seats of a stage are drawn in a width, how far apart, and how many stand behind '+n'. */
export interface HandRow {
  readonly hands: number
  readonly open: number
  readonly pitch: number
  readonly more: number
}

/** Hands come before open seats. They stand clear of each other, then overlap; what still finds no room is counted. */
export function handRow(hands: number, open: number, width: number): HandRow {
  const all = hands + open
  const fits = (marks: number, room: number) => (marks <= 1 ? ROOMY : (room - 2 * RIM) / (marks - 1))
  const pitch = Math.min(ROOMY, fits(all, width))
  if (pitch >= TIGHT) return { hands, open, pitch, more: 0 }
  const room = width - 28
  const shown = Math.max(1, Math.floor((room - 2 * RIM) / TIGHT) + 1)
  const shownHands = Math.min(hands, shown)
  const shownOpen = Math.min(open, shown - shownHands)
  return { hands: shownHands, open: shownOpen, pitch: Math.min(ROOMY, fits(shownHands + shownOpen, room)), more: all - shownHands - shownOpen }
}

export interface HandsData {
  readonly palette: Palette
  readonly colour: StageColour
  readonly hands: readonly Hand[]
  /** Seats of the stage on which nobody sits yet. */
  readonly wanted: number
}

type Context = CanvasRenderingContext2D

/**
 * Paints the workers at a post from the origin on, `width` wide: numbered discs with a ring of progress, outlines where they wait for a
 * resource, dotted where a seat is still empty.
 */
export function paintHands(context: Context, { palette, colour, hands, wanted }: HandsData, width: number): void {
  const { hands: shown, open, pitch, more } = handRow(hands.length, wanted, width)
  context.textBaseline = 'middle'
  for (let k = 0; k < shown + open; k++) {
    const x = RIM + k * pitch
    if (k < shown) paintHand(context, hands[k], palette, colour, x)
    else paintOpen(context, palette, colour, x)
  }
  if (more === 0) return
  context.font = `600 11.5px ${palette.font}`
  context.textAlign = 'right'
  context.fillStyle = hands.slice(shown).some(({ followed }) => followed) ? palette.ink : palette.soft
  context.fillText(`+${more}`, width, RIM)
}

function paintHand(context: Context, { worker, progress, waits, followed }: Hand, palette: Palette, colour: StageColour, x: number): void {
  disc(context, x, RIM + 1, palette.panel)
  if (followed) circle(context, x, RIM + 1, palette.ink, 2)
  // Who waits is an outline, until the resource fills it.
  disc(context, x, DISC, waits ? palette.panel : colour.fill)
  if (waits) circle(context, x, DISC - 0.75, colour.fill, 1.5)
  if (progress !== null && progress >= 0) {
    circle(context, x, RING, colour.wash, 2)
    context.lineCap = 'round'
    // An arc of no length still has its round caps: at 0 there is nothing to show.
    if (progress > 0.01) circle(context, x, RING, colour.fill, 2, Math.min(1, progress))
  }
  context.font = `700 ${worker > 99 ? 9 : 11}px ${palette.font}`
  context.textAlign = 'center'
  context.fillStyle = waits ? colour.text : colour.on
  context.fillText(`${worker}`, x, RIM + 0.5)
}

function paintOpen(context: Context, palette: Palette, colour: StageColour, x: number): void {
  disc(context, x, RIM + 1, palette.panel)
  context.setLineDash([0, 3.46])
  context.lineCap = 'round'
  circle(context, x, DISC, colour.fill, 1.5)
  context.setLineDash([])
}

function disc(context: Context, x: number, radius: number, colour: string): void {
  context.fillStyle = colour
  context.beginPath()
  context.arc(x, RIM, radius, 0, 2 * Math.PI)
  context.fill()
}

/** From twelve o'clock on, as much of it as `share` says. */
function circle(context: Context, x: number, radius: number, colour: string, width: number, share = 1): void {
  context.strokeStyle = colour
  context.lineWidth = width
  context.beginPath()
  context.arc(x, RIM, radius, -Math.PI / 2, (2 * share - 0.5) * Math.PI)
  context.stroke()
}
