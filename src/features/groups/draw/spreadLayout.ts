import { sum } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { count } from '../../../views/drawing/format.ts'
import type { OpenGroup, Spreading, SpreadState } from '../measure/spreading.ts'

/** Returns the picture in a width, part below part. Heights depend only on the scenario and the width, so that nothing moves over time. */
export function spreadPicture(scene: SpreadScene, width: number): Readonly<SpreadDraft> & { readonly height: number } {
  const made: SpreadDraft = { tiles: [], discs: [], texts: [], lines: '', pointer: null }
  let y = addDispatcher(scene, width, made)
  y =
    scene.spreading.feeders > 0
      ? addFeeders(scene, width, y + PART_GAP, made)
      : addMixedGroups(scene, width, y + PART_GAP, made)
  y = addStream(scene, width, y + PART_GAP, made)
  y = addHeldGroups(scene, width, y + PART_GAP, made)
  return { ...made, height: y }
}

const FEEDER_ROWS = 3
const FEEDER_ROW = 66
const BARE_ROW = 42

/** Returns how many groups are not open yet, in words. */
export function groupsToCome({ opening }: Spreading, { opened }: SpreadState): string {
  const values = { left: count(opening.length - opened), n: opening.length }
  return t('{left} of {n, plural, one {# group} other {# groups}} to come', values)
}

export function jobsTaken({ jobs }: Spreading, { emitted }: SpreadState): string {
  return t('{emitted} of {jobs} jobs taken', { emitted: count(emitted), jobs: count(jobs) })
}

/** Adds the groups that are not open yet, the next one first. */
function addDispatcher({ spreading, state }: SpreadScene, width: number, made: SpreadDraft): number {
  const { opening, sizes } = spreading
  const left = opening.length - state.opened
  const y = addHeadline(made, 0, width, t('Dispatcher'), groupsToCome(spreading, state))
  const fitting = perRow(width)
  const shown = shownOf(left, fitting)
  for (let k = 0; k < shown; k++) {
    const group = opening[state.opened + k]
    const x = k * PITCH
    made.tiles.push({
      part: 'stack',
      x,
      y,
      ...TILE,
      group,
      text: `${group + 1}`,
      look: 'full',
      depth: Math.min(2, sizes[group] - 1),
    })
    addText(made, 'count', x + TILE.width / 2, y + TILE.height + 15, count(sizes[group]))
  }
  for (let k = left; k < Math.min(fitting, opening.length); k++) addEmptyPlace(made, k * PITCH, y)
  addMore(made, { x: shown * PITCH, y }, left - shown)
  return y + TILE.height + 18
}

/** Adds the feeders: the group of each, how much of it is left, and below it the job it has in the round. */
function addFeeders({ spreading, state }: SpreadScene, width: number, top: number, made: SpreadDraft): number {
  const { feeders: all, group, feeder, tail, jobs } = spreading
  const right =
    tail !== null && state.inTail
      ? t('the tail: from job {tail} of {jobs}', { tail: count(tail + 1), jobs: count(jobs) })
      : ''
  const y = addHeadline(made, top, width, t('{n, plural, one {# feeder} other {# feeders}}', { n: all }), right)
  const columns = perRow(width)
  const rows = Math.min(FEEDER_ROWS, Math.ceil(all / columns))
  const shown = shownOf(all, rows * columns)
  const open = new Map(state.open.map((group) => [group.feeder, group]))
  const placeOf = grid(columns, PITCH, y, FEEDER_ROW)
  for (let f = 0; f < shown; f++) {
    const at = placeOf(f)
    addOpenGroup(made, at, open.get(f), spreading)
    const middle = at.x + TILE.width / 2
    made.lines += `M${middle},${at.y + TILE.height + 22}v6M${middle},${at.y + 57}v4`
  }
  for (let row = 0; row < rows; row++) {
    const last = Math.min(columns, shown - row * columns) - 1
    made.lines += `M${TILE.width / 2},${y + row * FEEDER_ROW + 61}h${Math.max(0, last * PITCH)}`
  }
  made.lines += `M${TILE.width / 2},${y + (rows - 1) * FEEDER_ROW + 61}V${y + rows * FEEDER_ROW + PART_GAP - 4}`
  for (let job = state.from; job < state.to; job++) {
    const f = feeder[group[job]]
    if (f >= shown) continue
    const at = placeOf(f)
    const x = at.x + (TILE.width - JOB) / 2
    addJob(made, 'round', x, at.y + 46, group[job], job < state.emitted ? 'hollow' : 'full')
    if (job === state.emitted) made.pointer = [x - 5, at.y + 46 + JOB / 2]
  }
  addMore(made, placeOf(shown), all - shown)
  return y + rows * FEEDER_ROW
}

/** Adds an open group and how many of its jobs are left, or a feeder without a group. */
function addOpenGroup(
  made: SpreadDraft,
  at: Pick<TileMark, 'x' | 'y'>,
  open: OpenGroup | undefined,
  { sizes }: Spreading,
): void {
  const { group, left } = open ?? { group: -1, left: 0 }
  const fill = left > 0 ? 'full' : 'hollow'
  const text = open === undefined ? '' : `${group + 1}`
  made.tiles.push({
    part: 'feeder',
    ...at,
    ...TILE,
    group,
    text,
    look: fill,
    share: left > 0 ? left / sizes[group] : 0,
  })
  if (left > 0) addText(made, 'count', at.x + TILE.width / 2, at.y + TILE.height + 18, count(left))
}

/** Adds, without feeders, the groups whose jobs are mixed, or the current group. */
function addMixedGroups({ spreading, state }: SpreadScene, width: number, top: number, made: SpreadDraft): number {
  const { order, opening } = spreading
  const { openGroups } = state
  const right = openGroups > 1 ? t('{n, plural, one {# group} other {# groups}}', { n: openGroups }) : ''
  const y = addHeadline(made, top, width, t('Open groups'), right)
  const columns = perRow(width)
  const rows = order === 'asProduced' ? 1 : Math.min(2, Math.ceil(opening.length / columns))
  const shown = shownOf(openGroups, rows * columns)
  const placeOf = grid(columns, PITCH, y, BARE_ROW)
  for (const [k, open] of state.open.slice(0, shown).entries()) addOpenGroup(made, placeOf(k), open, spreading)
  if (shown === 0) addEmptyPlace(made, 0, y)
  addMore(made, placeOf(shown), openGroups - shown)
  return y + Math.max(1, rows) * BARE_ROW - 6
}

const JOB_PITCH = 13
const STREAM_ROWS = 3
const BREAK = 6
const KEY_GROUP = 1

/** Adds the jobs in the order in which they are given out: the latest and the next ones, and the row of the lowest job that a worker has. */
function addStream(
  { spreading, state, markOf, front }: SpreadScene,
  width: number,
  top: number,
  made: SpreadDraft,
): number {
  const { group, jobs } = spreading
  const y = addHeadline(made, top, width, t('Stream'), jobsTaken(spreading, state))
  const inRow = Math.max(1, Math.floor((width - JOB) / JOB_PITCH) + 1)
  const looks = { coming: 'dot', given: 'full', held: 'held', contended: 'contended', served: 'faint' } as const
  streamRows(state.emitted, front, inRow).forEach((row, k, rows) => {
    // A line separates rows that do not follow each other.
    const separated = k > 0 && rows[k - 1] !== row - 1
    const at = y + k * JOB_PITCH + (separated ? BREAK : 0)
    if (separated) made.lines += `M0,${at - BREAK / 2 - 1.5}h${width}`
    for (let job = row * inRow; job < Math.min(jobs, (row + 1) * inRow); job++)
      addJob(made, 'job', (job - row * inRow) * JOB_PITCH, at, group[job], looks[markOf(job)])
  })
  return addKeys(y + STREAM_ROWS * JOB_PITCH + BREAK, made)
}

/** Returns which rows of `inRow` jobs are shown. They change by whole rows, so that jobs keep their places. */
export function streamRows(emitted: number, front: number | null, inRow: number): readonly number[] {
  const latest = Math.floor(Math.max(0, emitted - 1) / inRow)
  const first = front === null ? latest : Math.floor(front / inRow)
  if (first < latest - 1) return [first, first + 1, latest]
  const from = Math.max(0, latest - 1)
  return Array.from({ length: STREAM_ROWS }, (_, k) => from + k)
}

/** Adds the key of the job symbols, and returns where it ends. */
function addKeys(y: number, made: SpreadDraft): number {
  let x = 0
  for (const [look, text] of [
    ['faint', t('served')],
    ['held', t('in service')],
    ['contended', t('waits for its group')],
  ] as const) {
    addJob(made, 'key', x, y, KEY_GROUP, look)
    addText(made, 'key', x + JOB + 4, y + 9, text)
    // A letter is about half as wide as it is high.
    x += JOB + 4 + text.length * 5.2 + 12
  }
  return y + JOB
}

const HELD_ROW = 23
const HELD_ROWS = 6
const HELD_WIDTH = 140
export const WORKER_RADIUS = 8.5

/** Adds the groups whose jobs workers have: first the workers that serve them, then those that wait for them. */
function addHeldGroups({ held, place, workers }: SpreadScene, width: number, top: number, made: SpreadDraft): number {
  const values = { serving: sum(held, ({ serving }) => serving.length), n: sum(held, ({ waiting }) => waiting.length) }
  const headline = t('{serving} at work{n, plural, =0 {} one {, # waits} other {, # wait}}', values)
  const y = addHeadline(made, top, width, place, headline)
  const columns = Math.max(1, Math.floor((width + 8) / HELD_WIDTH))
  const columnWidth = width / columns
  const rows = Math.max(1, Math.min(HELD_ROWS, Math.ceil(workers / columns)))
  const shown = shownOf(held.length, rows * columns)
  const placeOf = grid(columns, columnWidth, y, HELD_ROW)
  const [pitch, first] = [2 * WORKER_RADIUS + 3, TILE.width + 14]
  held.slice(0, shown).forEach(({ group, stage, serving: at, waiting: behind }, k) => {
    const { x, y: row } = placeOf(k)
    const fill = behind.length > 0 ? 'contended' : 'full'
    made.tiles.push({ part: 'held', x, y: row + 1, ...TILE, group, text: `${group + 1}`, look: fill })
    const everyone = [...at, ...behind]
    const seen = shownOf(everyone.length, Math.floor((columnWidth - first) / pitch))
    everyone.slice(0, seen).forEach((worker, n) => {
      made.discs.push({ x: x + first + n * pitch, y: row + 9, worker, stage, waits: n >= at.length })
    })
    addMore(made, { x: x + first - 10 + seen * pitch, y: row + 1 }, everyone.length - seen)
  })
  for (let k = held.length; k < Math.min(rows * columns, workers); k++)
    addEmptyPlace(made, placeOf(k).x, placeOf(k).y + 1)
  const { x, y: row } = placeOf(shown)
  if (shown < held.length)
    addText(
      made,
      'note',
      x,
      row + 13,
      `+${t('{n, plural, one {# group} other {# groups}}', { n: held.length - shown })}`,
    )
  return y + rows * HELD_ROW
}

export type JobMark = 'coming' | 'given' | 'held' | 'contended' | 'served'

/** The workers, counted from 1, that work on jobs of a group at an instant, and those that wait for it. */
export type HeldGroup = Readonly<Record<'group' | 'stage', number>> &
  Readonly<Record<'serving' | 'waiting', readonly number[]>>

export interface SpreadScene {
  readonly spreading: Spreading
  readonly state: SpreadState
  readonly markOf: (job: number) => JobMark
  readonly held: readonly HeldGroup[]
  /** The lowest job that a worker has; null: none. */
  readonly front: number | null
  /** The heading of the groups that workers have, and the maximum number of workers, for which room is kept. */
  readonly place: string
  readonly workers: number
}

/** A tile: a group (stack, feeder, held), one of its jobs (round, job), a free place (place) or a sample for the key. */
export interface TileMark extends Readonly<Record<'x' | 'y' | 'width' | 'height', number>> {
  readonly part: 'stack' | 'feeder' | 'round' | 'job' | 'held' | 'place' | 'key'
  /** -1: none. */
  readonly group: number
  readonly text?: string
  readonly look: 'full' | 'hollow' | 'faint' | 'held' | 'contended' | 'dot'
  /** The share of its jobs that are left, drawn as a bar below. */
  readonly share?: number
  readonly depth?: number
}

export type DiscMark = Readonly<Record<'x' | 'y' | 'worker' | 'stage', number>> & { readonly waits: boolean }

export interface TextMark extends Pick<TileMark, 'x' | 'y'> {
  readonly text: string
  readonly end?: boolean
  readonly kind: 'head' | 'note' | 'count' | 'key'
}

/** A picture under construction, to which each part adds its marks. */
interface SpreadDraft {
  readonly tiles: TileMark[]
  readonly discs: DiscMark[]
  readonly texts: TextMark[]
  /** The paths of jobs from part to part, as an SVG path. */
  lines: string
  /** A point beside the next job to be given out; null: none. */
  pointer: readonly [x: number, y: number] | null
}

/** The gap between two parts. */
const PART_GAP = 12
const TILE = { width: 26, height: 16 }
/** From one tile to the next. */
const PITCH = 34
const JOB = 10
const HEAD = 20

/** Returns how many tiles fit in a row. */
export const perRow = (width: number): number => Math.max(1, Math.floor((width - TILE.width) / PITCH) + 1)

/** Returns how many of `all` are shown where `fitting` fit. If some are left out, one place is kept for their number. */
const shownOf = (all: number, fitting: number): number => (all > fitting ? fitting - 1 : all)

/** Returns the place of the k-th tile in rows of `columns`. */
const grid = (columns: number, pitch: number, top: number, rowHeight: number) => (k: number) => ({
  x: (k % columns) * pitch,
  y: top + Math.floor(k / columns) * rowHeight,
})

function addHeadline(made: SpreadDraft, y: number, width: number, left: string, right: string): number {
  made.texts.push(
    { x: 0, y: y + 11, text: left, kind: 'head' },
    { x: width, y: y + 11, text: right, end: true, kind: 'note' },
  )
  return y + HEAD
}

function addText(made: SpreadDraft, kind: TextMark['kind'], x: number, y: number, text: string): void {
  made.texts.push({ x, y, text, kind })
}

/** Adds the number of tiles that are left out, where the next one would be. */
function addMore(made: SpreadDraft, { x, y }: Pick<TileMark, 'x' | 'y'>, left: number): void {
  if (left > 0) addText(made, 'note', x + 2, y + 12, `+${count(left)}`)
}

function addJob(
  made: SpreadDraft,
  part: TileMark['part'],
  x: number,
  y: number,
  group: number,
  look: TileMark['look'],
): void {
  made.tiles.push({ part, x, y, width: JOB, height: JOB, group, look })
}

/** Adds an outline where a group may come, so that the room kept for it does not look like a gap. */
function addEmptyPlace(made: SpreadDraft, x: number, y: number): void {
  made.tiles.push({ part: 'place', x, y, ...TILE, group: -1, look: 'hollow' })
}
