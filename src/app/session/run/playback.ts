import type { Micros } from '../../../scenario/model/scenario.ts'
import { part } from '../session.ts'

/**
 * Where the playhead stands. Not in a store: it moves every frame, and whoever shows it is painted by the animation loop.
 */
interface Playback {
  time: Micros
  /** Goes on by itself. */
  playing: boolean
  /** Microseconds of the run in one of the wall. */
  speed: number
  /** A run under way is watched at its end. */
  following: boolean
  /** How far the playhead may go beyond the end of the run, where others are seen beside it that last longer; 0: no further. */
  reach: Micros
}

export const playback = part((): Playback => ({ time: 0, playing: false, speed: 1, following: true, reach: 0 }))

/** Speeds on offer, slow motion first. */
export const speeds = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1000, 3600] as const

/** The speed at which a run of this length is watched in about ten seconds. */
export function speedFor(length: Micros): number {
  const wanted = length / 10_000_000
  return speeds.reduce((best, speed) => (ratio(speed, wanted) < ratio(best, wanted) ? speed : best), 1 as number)
}

function ratio(a: number, b: number): number {
  return b <= 0 ? 1 : Math.max(a / b, b / a)
}
