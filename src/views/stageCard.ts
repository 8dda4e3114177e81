import { say } from '../language/say.ts'
import { paintShape, type Shape } from './distributionShape.ts'
import { type Drawing, fitCanvas, pixelRatio } from './drawing.ts'
import { count } from './format.ts'
import { type Hand, paintHands } from './hands.ts'
import { type Palette, stageColour } from './palette.ts'
import { paintQueue } from './queueDots.ts'

export interface StageCardData {
  readonly palette: Palette
  readonly colourIndex: number
  readonly waiting: number
  /** Parts of jobs that wait before the queue for the others: they count against no bound. */
  readonly gathering: number
  /** The queue's bound; null: none. */
  readonly capacity: number | null
  /** The longest this queue gets, so that a bar has a measure. */
  readonly most: number
  /** The place in the queue, from 0, of the job that is followed; -1: it is not here. */
  readonly followed: number
  /** The workers whose post is here, in the order in which they are to stand. */
  readonly hands: readonly Hand[]
  /** Seats on which nobody sits yet. */
  readonly wanted: number
  /** The service time's distribution; null leaves its place empty. Compared by identity. */
  readonly shape: Shape | null
  /** How large the card is shown: of a large one more pixels are drawn. */
  readonly zoom: number
}

/** The height of the drawing; its width is the host's. */
export const STAGE_CARD_HEIGHT = 112

const FOOT_OF_NUMBER = 23
const FOOT_OF_GATHERING = 34
const QUEUE = 36
const RULE = 72
const HANDS = 82
const DIGIT = 17
/** Rings at the edge reach a little over it. */
const MARGIN = 4
/** A canvas is made anew for another sharpness, so there are only a few of them. */
const SHARPNESS = [0.5, 1, 1.5, 2, 3, 4]

/**
 * What is alive in a stage's card: how many wait, as a number and as dots, the shape of the service time, and the
 * workers at their post. The name above it is the page's. On a canvas, since the browser lays out and paints a dozen such cards of
 * elements anew at every frame of a run for longer than a frame lasts. What tests and tools want to know stands in its data attributes.
 */
export function mountStageCard(host: HTMLElement): Drawing<StageCardData> {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  Object.assign(canvas.style, { display: 'block', margin: `${-MARGIN}px` })
  host.append(canvas)
  const context = canvas.getContext('2d')
  let last: StageCardData | null = null
  let width = 0

  function update(data: StageCardData): void {
    if (width === 0) width = host.clientWidth
    if (width === 0 || context === null || (last !== null && samePicture(last, data))) return
    last = data
    const ratio = pixelRatio() * (SHARPNESS.find((sharp) => sharp >= data.zoom) ?? SHARPNESS[SHARPNESS.length - 1])
    fitCanvas(canvas, width + 2 * MARGIN, STAGE_CARD_HEIGHT + 2 * MARGIN, ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width + 2 * MARGIN, STAGE_CARD_HEIGHT + 2 * MARGIN)
    paintCard(context, data, width)
    tell(canvas, data)
  }

  return {
    update,
    resize() {
      width = 0
      const data = last
      last = null
      if (data !== null) update(data)
    },
    destroy: () => canvas.remove(),
  }
}

function paintCard(context: CanvasRenderingContext2D, data: StageCardData, width: number): void {
  const { palette, waiting, gathering } = data
  const colour = stageColour(palette, data.colourIndex)
  const at = (x: number, y: number, paint: () => void) => {
    context.save()
    context.translate(MARGIN + x, MARGIN + y)
    paint()
    context.restore()
  }
  const text = (words: string, x: number, y: number, font: string, fill: string, align: CanvasTextAlign = 'left') => {
    context.font = `${font} ${palette.font}`
    context.fillStyle = fill
    context.textAlign = align
    context.fillText(words, x, y)
  }
  at(0, 0, () => {
    context.textBaseline = 'alphabetic'
    const number = count(waiting)
    text(number, -1, FOOT_OF_NUMBER, '700 27px', palette.ink)
    text(say('waiting'), context.measureText(number).width + 3, FOOT_OF_NUMBER, '400 11.5px', palette.soft)
    if (gathering > 0)
      text(say('{n, plural, one {# part gathers} other {# parts gather}}', { n: gathering }), width, FOOT_OF_GATHERING, '400 9.5px', palette.soft, 'right')
    context.fillStyle = palette.rule
    context.fillRect(0, RULE, width, 1)
  })
  // Beside the number, whose room is told by its length.
  const wide = Math.min(74, width - count(waiting).length * DIGIT - 56)
  const { shape } = data
  if (shape !== null && wide >= 36) at(width - wide, FOOT_OF_NUMBER - 14, () => paintShape(context, shape, colour, wide, 16))
  at(0, QUEUE, () => paintQueue(context, { ...data, colour }, width))
  at(0, HANDS, () => paintHands(context, { ...data, colour }, width))
}

/** Attributes are set only where they differ, so that an update without news costs the page nothing. */
function tell(canvas: HTMLCanvasElement, { waiting, followed, hands }: StageCardData): void {
  const number = `${waiting}`
  if (canvas.dataset.waiting !== number) canvas.dataset.waiting = number
  const ringed = (followed >= 0 && followed < waiting) || hands.some((hand) => hand.followed)
  if (ringed !== 'followed' in canvas.dataset) canvas.toggleAttribute('data-followed', ringed)
}

/** Whether nobody would see a difference. */
function samePicture(a: StageCardData, b: StageCardData): boolean {
  const { hands: before, ...plain } = a
  for (const key in plain) if (a[key as keyof typeof plain] !== b[key as keyof typeof plain]) return false
  return before.length === b.hands.length && before.every((hand, k) => sameHand(hand, b.hands[k]))
}

/** The rim of a disc has some two hundred places that can be told apart. */
function sameHand(a: Hand, b: Hand): boolean {
  return a.worker === b.worker && a.waits === b.waits && a.followed === b.followed && rim(a.progress) === rim(b.progress)
}

const rim = (progress: number | null): number => (progress === null ? -1 : Math.round(progress * 200))
