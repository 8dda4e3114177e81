import { t } from '../../../language/translate.ts'
import { count } from '../../../views/drawing/format.ts'
import { addEmptyPlace, addHeadline, groupNumber, type SpreadDraft, type SpreadScene, TILE } from './spreadMarks.ts'

const HELD_ROW = 23
const HELD_ROWS = 6
const HELD_WIDTH = 140
/** The radius of a worker's disc. */
export const WORKER_RADIUS = 8.5

/** Adds the groups whose jobs workers have: who works on them, then who waits for them. */
export function addHeldGroups({ held, place, workers }: SpreadScene, width: number, top: number, made: SpreadDraft): number {
  const waiting = held.reduce((sum, each) => sum + each.waiting.length, 0)
  const serving = held.reduce((sum, each) => sum + each.serving.length, 0)
  const y = addHeadline(
    made,
    top,
    width,
    place,
    waiting > 0
      ? t('{serving} at work, {waiting, plural, one {# waits} other {# wait}}', { serving: count(serving), waiting })
      : t('{serving} at work', { serving: count(serving) }),
  )
  const columns = Math.max(1, Math.floor((width + 8) / HELD_WIDTH))
  const wide = width / columns
  const rows = Math.max(1, Math.min(HELD_ROWS, Math.ceil(workers / columns)))
  const shown = held.length > rows * columns ? rows * columns - 1 : held.length
  held.slice(0, shown).forEach(({ group, stage, serving: at, waiting: behind }, k) => {
    const x = (k % columns) * wide
    const row = y + Math.floor(k / columns) * HELD_ROW
    made.tiles.push({ part: 'held', x, y: row + 1, ...TILE, group, text: groupNumber(group), look: behind.length > 0 ? 'contended' : 'full' })
    const everyone = [...at.map((worker) => ({ worker, waits: false })), ...behind.map((worker) => ({ worker, waits: true }))]
    const room = Math.floor((wide - TILE.width - 14) / (2 * WORKER_RADIUS + 3))
    const seen = everyone.length > room ? room - 1 : everyone.length
    everyone.slice(0, seen).forEach(({ worker, waits }, n) => {
      made.discs.push({ x: x + TILE.width + 14 + n * (2 * WORKER_RADIUS + 3), y: row + 9, worker, stage, waits })
    })
    if (seen < everyone.length) {
      made.texts.push({ x: x + TILE.width + 6 + seen * (2 * WORKER_RADIUS + 3), y: row + 13, text: `+${everyone.length - seen}`, kind: 'note' })
    }
  })
  for (let k = held.length; k < Math.min(rows * columns, workers); k++) addEmptyPlace(made, (k % columns) * wide, y + Math.floor(k / columns) * HELD_ROW + 1)
  if (shown < held.length) {
    made.texts.push({
      x: (shown % columns) * wide,
      y: y + Math.floor(shown / columns) * HELD_ROW + 13,
      text: `+${t('{n, plural, one {# group} other {# groups}}', { n: held.length - shown })}`,
      kind: 'note',
    })
  }
  return y + rows * HELD_ROW
}
