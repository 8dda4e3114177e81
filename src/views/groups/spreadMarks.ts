import type { Spreading, SpreadState } from '../../measures/groups/spreading.ts'

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

/** A picture in the making: each part adds its marks. */
export interface Made {
  readonly tiles: TileMark[]
  readonly discs: DiscMark[]
  readonly words: WordMark[]
  lines: string
  pointer: readonly [number, number] | null
}

/** Between parts. */
export const MARK_GAP = 12
export const TILE = { width: 26, height: 16 }
/** From one tile to the next. */
export const PITCH = 34
/** A job, as a small square. */
export const JOB = 10
/** The height of a headline. */
const HEAD = 20

/** How many tiles stand in a row. */
export function perRow(width: number): number {
  return Math.max(1, Math.floor((width - TILE.width) / PITCH) + 1)
}

/** A headline over a part; where the part begins. */
export function headline(made: Made, y: number, width: number, left: string, right: string): number {
  made.words.push({ x: 0, y: y + 11, text: left, end: false, kind: 'head' }, { x: width, y: y + 11, text: right, end: true, kind: 'note' })
  return y + HEAD
}

/** Where nothing is at this instant: room is kept for all that may come, and would be a gap without a mark. */
export function emptyPlace(made: Made, x: number, y: number): void {
  made.tiles.push({ part: 'place', x, y, ...TILE, group: -1, text: '', look: 'hollow', share: null, depth: 0 })
}

/** Groups as people count them. */
export function groupText(group: number): string {
  return `${group + 1}`
}
