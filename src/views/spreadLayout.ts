import type { Spreading, SpreadState } from '../measures/spreading.ts'
import { counted } from '../scenario/words.ts'
import { count } from './format.ts'

/** Where a job of the stream is. */
export type JobMark = 'coming' | 'given' | 'held' | 'contended' | 'served'

/** Who works on jobs of a group at an instant, and who stands in line for it. Workers as people count them. */
export interface HeldGroup {
  readonly group: number
  readonly stage: number
  readonly serving: readonly number[]
  readonly waiting: readonly number[]
}

/** All that the drawing of spread jobs shows at one instant. */
export interface SpreadScene {
  readonly spreading: Spreading
  readonly state: SpreadState
  /** Where a job of the stream is at this instant. */
  readonly markOf: (job: number) => JobMark
  readonly held: readonly HeldGroup[]
  /** The least job that is in hands; null if none is. */
  readonly front: number | null
  /** What stands above the groups in hands, and the most workers there can be: room is kept for them. */
  readonly place: string
  readonly workers: number
}

/** A tile stands for a group (stack, feeder, held), or one of its jobs (round, job), or for where a group was or may come (place). */
export interface TileMark {
  readonly part: 'stack' | 'feeder' | 'round' | 'job' | 'held' | 'place' | 'key'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** -1: nothing is here. */
  readonly group: number
  readonly text: string
  readonly look: 'full' | 'hollow' | 'faint' | 'held' | 'contended' | 'dot'
  /** The share of its jobs that are left, as a bar below; null: no bar. */
  readonly share: number | null
  /** A second and a third tile behind it. */
  readonly depth: number
}

export interface DiscMark {
  readonly x: number
  readonly y: number
  readonly worker: number
  readonly stage: number
  readonly waits: boolean
}

export interface WordMark {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly end: boolean
  readonly kind: 'head' | 'note' | 'count' | 'key'
}

export interface SpreadPicture {
  readonly height: number
  readonly tiles: readonly TileMark[]
  readonly discs: readonly DiscMark[]
  readonly words: readonly WordMark[]
  /** Where jobs run from part to part, as an SVG path. */
  readonly lines: string
  /** The next job to be given out: a point below it; null if none is. */
  readonly pointer: readonly [x: number, y: number] | null
}

const TILE = { width: 26, height: 16 }
const PITCH = 34
const JOB = 10
const JOB_PITCH = 13
const HEAD = 20
const FEEDER_ROWS = 3
const FEEDER_ROW = 66
const BARE_ROW = 42
const STREAM_ROWS = 3
const BREAK = 6
const HELD_ROW = 23
const HELD_ROWS = 6
const HELD_WIDTH = 140
export const DISC = 8.5
const GAP = 12
/** The colour of the key: any. */
const KEY_GROUP = 1

const names = {
  spread: 'Feeders',
  largestFirst: 'Feeders',
  window: 'Shuffled together',
  shuffled: 'All shuffled together',
  asProduced: 'One group after the other',
} as const

/**
 * Dispatcher, feeders, spreader, stream and hands, one below the other, in a width. Heights depend on the scenario and the
 * width alone, so that nothing moves while time does.
 */
export function spreadPicture(scene: SpreadScene, width: number): SpreadPicture {
  const made: Made = { tiles: [], discs: [], words: [], lines: '', pointer: null }
  let y = dispatcher(scene, width, made)
  y = scene.spreading.feeders > 0 ? feeders(scene, width, y + GAP, made) : together(scene, width, y + GAP, made)
  y = stream(scene, width, y + GAP, made)
  y = hands(scene, width, y + GAP, made)
  return { ...made, height: y }
}

interface Made {
  readonly tiles: TileMark[]
  readonly discs: DiscMark[]
  readonly words: WordMark[]
  lines: string
  pointer: readonly [number, number] | null
}

/** How many tiles stand in a row. */
export function perRow(width: number): number {
  return Math.max(1, Math.floor((width - TILE.width) / PITCH) + 1)
}

function head(made: Made, y: number, width: number, left: string, right: string): number {
  made.words.push({ x: 0, y: y + 11, text: left, end: false, kind: 'head' }, { x: width, y: y + 11, text: right, end: true, kind: 'note' })
  return y + HEAD
}

/** Where nothing is at this instant: room is kept for all that may come, and would be a gap without a mark. */
function emptyPlace(made: Made, x: number, y: number): void {
  made.tiles.push({ part: 'place', x, y, ...TILE, group: -1, text: '', look: 'hollow', share: null, depth: 0 })
}

/** The groups that are not open yet, the next one first. */
function dispatcher({ spreading, state }: SpreadScene, width: number, made: Made): number {
  const { opening, sizes } = spreading
  const left = opening.length - state.opened
  const y = head(made, 0, width, 'Dispatcher', left === 0 ? 'no group to come' : `${count(left)} of ${count(opening.length)} groups to come`)
  const room = perRow(width)
  const shown = left > room ? room - 1 : left
  for (let k = 0; k < shown; k++) {
    const group = opening[state.opened + k]
    const x = k * PITCH
    made.tiles.push({ part: 'stack', x, y, ...TILE, group, text: name(group), look: 'full', share: null, depth: Math.min(2, sizes[group] - 1) })
    made.words.push({ x: x + TILE.width / 2, y: y + TILE.height + 15, text: count(sizes[group]), end: false, kind: 'count' })
  }
  for (let k = left; k < Math.min(room, opening.length); k++) emptyPlace(made, k * PITCH, y)
  if (shown < left) made.words.push({ x: shown * PITCH + 2, y: y + 12, text: `+${count(left - shown)}`, end: false, kind: 'note' })
  return y + TILE.height + 18
}

/** A feeder a place: its group, how much of it is left, and below it the job it has in the round. */
function feeders({ spreading, state }: SpreadScene, width: number, top: number, made: Made): number {
  const { feeders: all, group, feeder, tail, jobs } = spreading
  const right = tail !== null && state.inTail ? `the tail: from job ${count(tail + 1)} of ${count(jobs)}` : ''
  const y = head(made, top, width, counted(all, 'feeder'), right)
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
      text: here === undefined ? '' : name(here.group),
      look: empty ? 'hollow' : 'full',
      share: here === undefined ? 0 : here.left / spreading.sizes[here.group],
      depth: 0,
    })
    if (!empty) made.words.push({ x: at.x + TILE.width / 2, y: at.y + TILE.height + 18, text: count(here.left), end: false, kind: 'count' })
    const middle = at.x + TILE.width / 2
    made.lines += `M${middle},${at.y + TILE.height + 22}v6M${middle},${at.y + 57}v4`
  }
  for (let row = 0; row < rows; row++) {
    const last = Math.min(room, shown - row * room) - 1
    made.lines += `M${TILE.width / 2},${y + row * FEEDER_ROW + 61}h${Math.max(0, last * PITCH)}`
  }
  made.lines += `M${TILE.width / 2},${y + (rows - 1) * FEEDER_ROW + 61}V${y + rows * FEEDER_ROW + GAP - 4}`
  for (let job = state.from; job < state.to; job++) {
    const f = feeder[group[job]]
    if (f >= shown) continue
    const at = placeOf(f)
    const gone = job < state.emitted
    const x = at.x + (TILE.width - JOB) / 2
    made.tiles.push({
      part: 'round',
      x,
      y: at.y + 46,
      width: JOB,
      height: JOB,
      group: group[job],
      text: '',
      look: gone ? 'hollow' : 'full',
      share: null,
      depth: 0,
    })
    if (job === state.emitted) made.pointer = [x - 5, at.y + 46 + JOB / 2]
  }
  if (shown < all) {
    const at = placeOf(shown)
    made.words.push({ x: at.x + 2, y: at.y + 12, text: `+${count(all - shown)}`, end: false, kind: 'note' })
  }
  return y + rows * FEEDER_ROW
}

/** Without feeders: the groups whose jobs come mixed, or the one whose turn it is. */
function together({ spreading, state }: SpreadScene, width: number, top: number, made: Made): number {
  const { order, sizes, opening } = spreading
  const y = head(made, top, width, names[order], state.openGroups > 1 ? counted(state.openGroups, 'group') : '')
  const room = perRow(width)
  const rows = order === 'asProduced' ? 1 : Math.min(2, Math.ceil(opening.length / room))
  const shown = state.openGroups > rows * room ? rows * room - 1 : state.openGroups
  state.open.slice(0, shown).forEach(({ group, left }, k) => {
    const at = { x: (k % room) * PITCH, y: y + Math.floor(k / room) * BARE_ROW }
    made.tiles.push({ part: 'feeder', ...at, ...TILE, group, text: name(group), look: left > 0 ? 'full' : 'hollow', share: left / sizes[group], depth: 0 })
    if (left > 0) made.words.push({ x: at.x + TILE.width / 2, y: at.y + TILE.height + 18, text: count(left), end: false, kind: 'count' })
  })
  if (shown === 0) emptyPlace(made, 0, y)
  if (shown < state.openGroups) {
    made.words.push({
      x: (shown % room) * PITCH + 2,
      y: y + Math.floor(shown / room) * BARE_ROW + 12,
      text: `+${count(state.openGroups - shown)}`,
      end: false,
      kind: 'note',
    })
  }
  return y + Math.max(1, rows) * BARE_ROW - 6
}

/** The jobs in the order in which they are given out: the latest and those to come, and where the least job in hands is further back, it too. */
function stream({ spreading, state, markOf, front }: SpreadScene, width: number, top: number, made: Made): number {
  const { group, jobs } = spreading
  const y = head(made, top, width, 'Stream', `${count(state.emitted)} of ${count(jobs)} jobs taken`)
  const inRow = Math.max(1, Math.floor((width - JOB) / JOB_PITCH) + 1)
  const looks = { coming: 'dot', given: 'full', held: 'held', contended: 'contended', served: 'faint' } as const
  streamRows(state.emitted, front, inRow).forEach((row, k, rows) => {
    // Rows that do not follow each other are parted by a line.
    const parted = k > 0 && rows[k - 1] !== row - 1
    const at = y + k * JOB_PITCH + (parted ? BREAK : 0)
    if (parted) made.lines += `M0,${at - BREAK / 2 - 1.5}h${width}`
    for (let job = row * inRow; job < Math.min(jobs, (row + 1) * inRow); job++) {
      made.tiles.push({
        part: 'job',
        x: (job - row * inRow) * JOB_PITCH,
        y: at,
        width: JOB,
        height: JOB,
        group: group[job],
        text: '',
        look: looks[markOf(job)],
        share: null,
        depth: 0,
      })
    }
  })
  return keys(y + STREAM_ROWS * JOB_PITCH + BREAK, made)
}

/** Which rows of so many jobs are shown, in order. They change a whole row at a time, so that a job stands still while others pass. */
export function streamRows(emitted: number, front: number | null, inRow: number): readonly number[] {
  const latest = Math.floor(Math.max(0, emitted - 1) / inRow)
  const first = front === null ? latest : Math.floor(front / inRow)
  if (first < latest - 1) return [first, first + 1, latest]
  const from = Math.max(0, latest - 1)
  return Array.from({ length: STREAM_ROWS }, (_, k) => from + k)
}

/** What the looks of a job mean. */
function keys(y: number, made: Made): number {
  let x = 0
  for (const [look, text] of [
    ['faint', 'served'],
    ['held', 'in hands'],
    ['contended', 'waits for its group'],
  ] as const) {
    made.tiles.push({ part: 'key', x, y, width: JOB, height: JOB, group: KEY_GROUP, text: '', look, share: null, depth: 0 })
    made.words.push({ x: x + JOB + 4, y: y + 9, text, end: false, kind: 'key' })
    // A letter is about half as wide as it is high.
    x += JOB + 4 + text.length * 5.2 + 12
  }
  return y + JOB
}

/** The groups whose jobs are in hands: who works on them, and who waits for them behind. */
function hands({ held, place, workers }: SpreadScene, width: number, top: number, made: Made): number {
  const waiting = held.reduce((sum, each) => sum + each.waiting.length, 0)
  const serving = held.reduce((sum, each) => sum + each.serving.length, 0)
  const y = head(
    made,
    top,
    width,
    place,
    waiting > 0 ? `${count(serving)} at work, ${count(waiting)} ${waiting === 1 ? 'waits' : 'wait'}` : `${count(serving)} at work`,
  )
  const columns = Math.max(1, Math.floor((width + 8) / HELD_WIDTH))
  const wide = width / columns
  const rows = Math.max(1, Math.min(HELD_ROWS, Math.ceil(workers / columns)))
  const shown = held.length > rows * columns ? rows * columns - 1 : held.length
  held.slice(0, shown).forEach(({ group, stage, serving: at, waiting: behind }, k) => {
    const x = (k % columns) * wide
    const row = y + Math.floor(k / columns) * HELD_ROW
    made.tiles.push({ part: 'held', x, y: row + 1, ...TILE, group, text: name(group), look: behind.length > 0 ? 'contended' : 'full', share: null, depth: 0 })
    const everyone = [...at.map((worker) => ({ worker, waits: false })), ...behind.map((worker) => ({ worker, waits: true }))]
    const room = Math.floor((wide - TILE.width - 14) / (2 * DISC + 3))
    const seen = everyone.length > room ? room - 1 : everyone.length
    everyone.slice(0, seen).forEach(({ worker, waits }, n) => {
      made.discs.push({ x: x + TILE.width + 14 + n * (2 * DISC + 3), y: row + 9, worker, stage, waits })
    })
    if (seen < everyone.length) {
      made.words.push({ x: x + TILE.width + 6 + seen * (2 * DISC + 3), y: row + 13, text: `+${everyone.length - seen}`, end: false, kind: 'note' })
    }
  })
  for (let k = held.length; k < Math.min(rows * columns, workers); k++) emptyPlace(made, (k % columns) * wide, y + Math.floor(k / columns) * HELD_ROW + 1)
  if (shown < held.length) {
    made.words.push({
      x: (shown % columns) * wide,
      y: y + Math.floor(shown / columns) * HELD_ROW + 13,
      text: `+${counted(held.length - shown, 'group')}`,
      end: false,
      kind: 'note',
    })
  }
  return y + rows * HELD_ROW
}

/** Groups as people count them. */
function name(group: number): string {
  return `${group + 1}`
}
