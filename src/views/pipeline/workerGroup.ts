import { t } from '../../language/translate.ts'
import { count } from '../drawing/format.ts'
import { stageColour } from '../drawing/palette.ts'
import type { WorkerGroup } from './stageCard.ts'

const BASELINE = 10
const BAR = { y: 17, height: 8 }

/** Returns what a card shows of workers that are too many for a disc each: how many there are and how many are busy, as numbers and as a bar. */
export function workerGroup(
  staffed: number,
  busy: number,
  has: (worker: number) => boolean,
  followed: boolean,
): WorkerGroup {
  return {
    has,
    followed,
    middle: (width) => ({ x: width / 2, y: BAR.y + BAR.height / 2 }),
    paint(context, { palette, colourIndex, openSeats }, width) {
      const { ink, soft, rule, font } = palette
      const { fill, wash } = stageColour(palette, colourIndex)
      context.textBaseline = 'alphabetic'
      context.textAlign = 'left'
      context.fillStyle = ink
      context.font = `600 12px ${font}`
      context.fillText(t('{n, plural, one {# worker} other {# workers}}', { n: staffed }), 0, BASELINE)
      context.textAlign = 'right'
      context.fillStyle = soft
      context.font = `400 11px ${font}`
      context.fillText(t('{busy} busy', { busy: count(busy) }), width, BASELINE)
      const all = Math.max(1, staffed + openSeats)
      const part = (from: number, n: number, colour: string) => {
        context.fillStyle = colour
        context.fillRect((from / all) * width, BAR.y, (n / all) * width, BAR.height)
      }
      part(0, busy, fill)
      part(busy, staffed - busy, wash)
      context.strokeStyle = followed ? ink : rule
      context.lineWidth = followed ? 2 : 1
      context.strokeRect(0.5, BAR.y + 0.5, width - 1, BAR.height - 1)
    },
  }
}
