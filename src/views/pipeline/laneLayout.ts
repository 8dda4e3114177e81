import { DOT_PITCH, ROW_PITCH } from './queueDots.ts'

/** Where the cards of a lane stand, and how large what is on them is drawn. All in pixels of the page. */
export interface LaneLayout {
  readonly cards: readonly { readonly x: number; readonly width: number }[]
  /** Between the edge of a card and what is on it. */
  readonly pad: number
  /** By how much dots and discs are scaled down. */
  readonly dots: number
  readonly discs: number
  /** Discs of one row. */
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
const QUEUE_HEIGHT = 66
const SMALLEST = 0.4
/** A card of this width shows its discs at full size. */
const WIDE = 150

/**
 * Returns the layout of a lane of so many cards. Dots are as large as they can be while `most` of them fit on a card, so that two lanes of
 * the same `most` can be compared; every card has room for all `workers`.
 */
export function laneLayout(width: number, stages: number, most: number, workers: number): LaneLayout {
  const gap = width < 600 ? 6 : 22
  const card = Math.max(0, (width - gap * (stages - 1)) / stages)
  const pad = card < WIDE ? 7 : 13
  const inner = card - 2 * pad
  const discs = card < WIDE ? 0.6 : 1
  const discsPerRow = Math.max(1, Math.floor((inner / discs - 4) / DISC_PITCH))
  const discRows = Math.ceil(workers / discsPerRow)
  const workersY = QUEUE_Y + QUEUE_HEIGHT + 9
  return {
    cards: Array.from({ length: stages }, (_, s) => ({ x: s * (card + gap), width: card })),
    pad,
    dots: dotScale(inner, most),
    discs,
    discsPerRow,
    queueY: QUEUE_Y,
    workersY,
    height: Math.ceil(workersY + discRows * DISC_ROW * discs + 7),
  }
}

/** Returns how many dots of this scale stand side by side. */
export function dotsPerRow(inner: number, scale: number): number {
  return Math.max(1, Math.floor(inner / (DOT_PITCH * scale)))
}

/** Returns the largest scale at which so many dots fit. */
function dotScale(inner: number, most: number): number {
  let scale = 1
  while (scale > SMALLEST && Math.ceil(most / dotsPerRow(inner, scale)) * ROW_PITCH * scale > QUEUE_HEIGHT) scale -= 0.05
  return scale
}
