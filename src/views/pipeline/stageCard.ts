import { t } from '../../language/translate.ts'
import { count } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { type DistributionShape, paintShape } from './distributionShape.ts'
import { type Hand, paintHands } from './hands.ts'
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
  readonly shape: DistributionShape | null
}

const FOOT_OF_NUMBER = 23
const FOOT_OF_GATHERING = 34
const QUEUE = 36
const RULE = 72
const HANDS = 82
const DIGIT = 17

/**
 * Paints what is alive in a stage's card, `width` wide from the origin on: how many wait, as a number and as dots, the shape of the
 * service time, and the workers at their post. The name above it is the page's.
 */
export function paintCard(context: CanvasRenderingContext2D, data: StageCardData, width: number): void {
  const { palette, waiting, gathering } = data
  const colour = stageColour(palette, data.colourIndex)
  const at = (x: number, y: number, paint: () => void) => {
    context.save()
    context.translate(x, y)
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
    text(t('waiting'), context.measureText(number).width + 3, FOOT_OF_NUMBER, '400 11.5px', palette.soft)
    if (gathering > 0)
      text(t('{n, plural, one {# part gathers} other {# parts gather}}', { n: gathering }), width, FOOT_OF_GATHERING, '400 9.5px', palette.soft, 'right')
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
