import { t } from '../../../language/translate.ts'
import { count } from '../../../views/drawing/format.ts'
import { addEmptyPlace, addHeadline, groupNumber, JOB, PART_GAP, PITCH, perRow, type SpreadDraft, type SpreadScene, TILE } from './spreadMarks.ts'

const FEEDER_ROWS = 3
const FEEDER_ROW = 66
const BARE_ROW = 42

const names = () =>
  ({
    spread: t('Feeders'),
    largestFirst: t('Feeders'),
    window: t('Shuffled together'),
    shuffled: t('All shuffled together'),
    asProduced: t('One group after the other'),
  }) as const

/** Adds the groups that are not open yet, the next one first. */
export function addDispatcher({ spreading, state }: SpreadScene, width: number, made: SpreadDraft): number {
  const { opening, sizes } = spreading
  const left = opening.length - state.opened
  const y = addHeadline(
    made,
    0,
    width,
    t('Dispatcher'),
    left === 0 ? t('no group to come') : t('{left} of {n, plural, one {# group} other {# groups}} to come', { left: count(left), n: opening.length }),
  )
  const room = perRow(width)
  const shown = left > room ? room - 1 : left
  for (let k = 0; k < shown; k++) {
    const group = opening[state.opened + k]
    const x = k * PITCH
    made.tiles.push({ part: 'stack', x, y, ...TILE, group, text: groupNumber(group), look: 'full', depth: Math.min(2, sizes[group] - 1) })
    made.texts.push({ x: x + TILE.width / 2, y: y + TILE.height + 15, text: count(sizes[group]), kind: 'count' })
  }
  for (let k = left; k < Math.min(room, opening.length); k++) addEmptyPlace(made, k * PITCH, y)
  if (shown < left) made.texts.push({ x: shown * PITCH + 2, y: y + 12, text: `+${count(left - shown)}`, kind: 'note' })
  return y + TILE.height + 18
}

/** Adds the feeders: the group of each, how much of it is left, and below it the job it has in the round. */
export function addFeeders({ spreading, state }: SpreadScene, width: number, top: number, made: SpreadDraft): number {
  const { feeders: all, group, feeder, tail, jobs } = spreading
  const right = tail !== null && state.inTail ? t('the tail: from job {tail} of {jobs}', { tail: count(tail + 1), jobs: count(jobs) }) : ''
  const y = addHeadline(made, top, width, t('{all, plural, one {# feeder} other {# feeders}}', { all }), right)
  const room = perRow(width)
  const rows = Math.min(FEEDER_ROWS, Math.ceil(all / room))
  const shown = all > rows * room ? rows * room - 1 : all
  const open = new Map(state.open.map((each) => [each.feeder, each]))
  const placeOf = (f: number) => ({ x: (f % room) * PITCH, y: y + Math.floor(f / room) * FEEDER_ROW })
  for (let f = 0; f < shown; f++) {
    const at = placeOf(f)
    const here = open.get(f)
    const empty = here === undefined || here.left === 0
    made.tiles.push({
      part: 'feeder',
      ...at,
      ...TILE,
      group: here?.group ?? -1,
      text: here === undefined ? '' : groupNumber(here.group),
      look: empty ? 'hollow' : 'full',
      share: here === undefined ? 0 : here.left / spreading.sizes[here.group],
    })
    if (!empty) made.texts.push({ x: at.x + TILE.width / 2, y: at.y + TILE.height + 18, text: count(here.left), kind: 'count' })
    const middle = at.x + TILE.width / 2
    made.lines += `M${middle},${at.y + TILE.height + 22}v6M${middle},${at.y + 57}v4`
  }
  for (let row = 0; row < rows; row++) {
    const last = Math.min(room, shown - row * room) - 1
    made.lines += `M${TILE.width / 2},${y + row * FEEDER_ROW + 61}h${Math.max(0, last * PITCH)}`
  }
  made.lines += `M${TILE.width / 2},${y + (rows - 1) * FEEDER_ROW + 61}V${y + rows * FEEDER_ROW + PART_GAP - 4}`
  for (let job = state.from; job < state.to; job++) {
    const f = feeder[group[job]]
    if (f >= shown) continue
    const at = placeOf(f)
    const gone = job < state.emitted
    const x = at.x + (TILE.width - JOB) / 2
    made.tiles.push({ part: 'round', x, y: at.y + 46, width: JOB, height: JOB, group: group[job], look: gone ? 'hollow' : 'full' })
    if (job === state.emitted) made.pointer = [x - 5, at.y + 46 + JOB / 2]
  }
  if (shown < all) {
    const at = placeOf(shown)
    made.texts.push({ x: at.x + 2, y: at.y + 12, text: `+${count(all - shown)}`, kind: 'note' })
  }
  return y + rows * FEEDER_ROW
}

/** Adds, without feeders, the groups whose jobs come mixed, or the one whose turn it is. */
export function addMixedGroups({ spreading, state }: SpreadScene, width: number, top: number, made: SpreadDraft): number {
  const { order, sizes, opening } = spreading
  const y = addHeadline(
    made,
    top,
    width,
    names()[order],
    state.openGroups > 1 ? t('{openGroups, plural, one {# group} other {# groups}}', { openGroups: state.openGroups }) : '',
  )
  const room = perRow(width)
  const rows = order === 'asProduced' ? 1 : Math.min(2, Math.ceil(opening.length / room))
  const shown = state.openGroups > rows * room ? rows * room - 1 : state.openGroups
  state.open.slice(0, shown).forEach(({ group, left }, k) => {
    const at = { x: (k % room) * PITCH, y: y + Math.floor(k / room) * BARE_ROW }
    made.tiles.push({ part: 'feeder', ...at, ...TILE, group, text: groupNumber(group), look: left > 0 ? 'full' : 'hollow', share: left / sizes[group] })
    if (left > 0) made.texts.push({ x: at.x + TILE.width / 2, y: at.y + TILE.height + 18, text: count(left), kind: 'count' })
  })
  if (shown === 0) addEmptyPlace(made, 0, y)
  if (shown < state.openGroups) {
    made.texts.push({
      x: (shown % room) * PITCH + 2,
      y: y + Math.floor(shown / room) * BARE_ROW + 12,
      text: `+${count(state.openGroups - shown)}`,
      kind: 'note',
    })
  }
  return y + Math.max(1, rows) * BARE_ROW - 6
}
