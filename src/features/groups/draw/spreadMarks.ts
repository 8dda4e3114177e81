import type { Spreading, SpreadState } from '../measure/spreading.ts'

export type JobMark = 'coming' | 'given' | 'held' | 'contended' | 'served'

/** The workers, counted from 1, that work on jobs of a group at an instant, and those that wait for it. */
export type HeldGroup = Readonly<Record<'group' | 'stage', number>> & Readonly<Record<'serving' | 'waiting', readonly number[]>>

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
export interface SpreadDraft {
  readonly tiles: TileMark[]
  readonly discs: DiscMark[]
  readonly texts: TextMark[]
  /** The paths of jobs from part to part, as an SVG path. */
  lines: string
  /** A point beside the next job to be given out; null: none. */
  pointer: readonly [x: number, y: number] | null
}

/** The gap between two parts. */
export const PART_GAP = 12
export const TILE = { width: 26, height: 16 }
/** From one tile to the next. */
export const PITCH = 34
export const JOB = 10
const HEAD = 20

/** Returns how many tiles fit in a row. */
export const perRow = (width: number): number => Math.max(1, Math.floor((width - TILE.width) / PITCH) + 1)

export function addHeadline(made: SpreadDraft, y: number, width: number, left: string, right: string): number {
  made.texts.push({ x: 0, y: y + 11, text: left, kind: 'head' }, { x: width, y: y + 11, text: right, end: true, kind: 'note' })
  return y + HEAD
}

export function addText(made: SpreadDraft, kind: TextMark['kind'], x: number, y: number, text: string): void {
  made.texts.push({ x, y, text, kind })
}

/** Adds an outline where a group may come, so that the room kept for it does not look like a gap. */
export function addEmptyPlace(made: SpreadDraft, x: number, y: number): void {
  made.tiles.push({ part: 'place', x, y, ...TILE, group: -1, look: 'hollow' })
}
