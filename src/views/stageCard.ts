import { say } from '../language/say.ts'
import { distributionShape, type Shape } from './distributionShape.ts'
import type { Drawing } from './drawing.ts'
import { count } from './format.ts'
import { type Hand, hands } from './hands.ts'
import type { Palette } from './palette.ts'
import { stageColour } from './palette.ts'
import { queueDots } from './queueDots.ts'
import { element, set } from './svg.ts'

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
}

/** The height of the drawing; its width is the host's. */
export const STAGE_CARD_HEIGHT = 112

const FOOT_OF_NUMBER = 23
const FOOT_OF_GATHERING = 34
const QUEUE = 36
const RULE = 72
const HANDS = 82
const DIGIT = 17

/**
 * What is alive in a stage's card: how many wait, as a number and as dots, the shape of the service time, and the
 * workers at their post. The name above it is the page's.
 */
export function mountStageCard(host: HTMLElement): Drawing<StageCardData> {
  const svg = element(host, 'svg', { width: '100%', height: STAGE_CARD_HEIGHT, 'aria-hidden': 'true', display: 'block', overflow: 'visible' })
  const text = element(svg, 'text', { x: -1, y: FOOT_OF_NUMBER })
  const number = element(text, 'tspan', { 'font-size': 27, 'font-weight': 700, 'letter-spacing': '-0.01em' })
  const word = element(text, 'tspan', { 'font-size': 11.5, dx: 4 })
  word.textContent = say('waiting')
  const gathered = element(svg, 'text', { y: FOOT_OF_GATHERING, 'font-size': 9.5, 'text-anchor': 'end' })
  const shapeGroup = element(svg, 'g')
  const queueGroup = element(svg, 'g', { transform: `translate(0 ${QUEUE})` })
  const rule = element(svg, 'path', { fill: 'none', 'stroke-width': 1 })
  const handsGroup = element(svg, 'g', { transform: `translate(0 ${HANDS})` })
  const drawShape = distributionShape(shapeGroup)
  const drawQueue = queueDots(queueGroup)
  const drawHands = hands(handsGroup)
  let last: StageCardData | null = null
  let width = 0

  function update(data: StageCardData): void {
    const { palette, colourIndex, waiting, gathering, capacity, most, followed } = data
    const measured = width > 0 ? width : host.clientWidth
    const afresh = last === null || measured !== width || palette !== last.palette || colourIndex !== last.colourIndex
    width = measured
    if (width === 0) return
    const colour = stageColour(palette, colourIndex)
    if (afresh) {
      set(svg, { 'font-family': palette.font })
      set(number, { fill: palette.ink })
      set(word, { fill: palette.soft })
      set(gathered, { x: width, fill: palette.soft })
      set(rule, { d: `M0 ${RULE + 0.5}H${width}`, stroke: palette.rule })
    }
    if (afresh || waiting !== last?.waiting || capacity !== last.capacity || most !== last.most || followed !== last.followed) {
      number.textContent = count(waiting)
      drawQueue({ palette, colour, waiting, capacity, most, followed }, width)
    }
    if (afresh || gathering !== last?.gathering)
      gathered.textContent = gathering === 0 ? '' : say('{n, plural, one {# part gathers} other {# parts gather}}', { n: gathering })
    const digits = count(waiting).length
    // Beside the number, whose room is told by its length: it changes at every frame, and a shape is dear to draw.
    if (afresh || data.shape !== last?.shape || digits !== count(last.waiting).length) {
      const room = width - digits * DIGIT - 56
      const wide = Math.min(74, room)
      set(shapeGroup, { display: data.shape === null || wide < 36 ? 'none' : null, transform: `translate(${width - wide} ${FOOT_OF_NUMBER - 14})` })
      if (data.shape !== null && wide >= 36) drawShape(data.shape, colour, wide, 16)
    }
    drawHands({ palette, colour, hands: data.hands, wanted: data.wanted }, width)
    last = data
  }

  return {
    update,
    resize() {
      width = 0
      const data = last
      last = null
      if (data !== null) update(data)
    },
    destroy: () => svg.remove(),
  }
}
