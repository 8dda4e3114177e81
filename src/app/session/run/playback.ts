import type { Micros } from '../../../scenario/model/scenario.ts'
import { part, type Session } from '../session.ts'

/** The position of the playhead. Not a store: it changes in every frame, and the frame loop paints it. */
export interface Playback {
  time: Micros
  playing: boolean
  /** Microseconds of the run in a microsecond of real time. */
  speed: number
  /** The playhead stays at the end of a running run. */
  following: boolean
  /** The end of the longest run shown beside this one, to which the playhead may go; 0: there is none. */
  reach: Micros
}

export const playback = part((): Playback => ({ time: 0, playing: false, speed: 1, following: true, reach: 0 }))

/** Returns how long a time on the screen, in milliseconds, is in the run at the present speed. */
export const shownLength = (session: Session, ms: number): Micros => Math.max(1, ms * 1000 * playback(session).speed)

/** The speeds to choose from, slowest first. */
export const speeds = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1000, 3600] as const

/** Returns the speed at which a run of this length plays in about ten seconds. */
export function speedFor(length: Micros): number {
  const wanted = length / 10_000_000
  const ratio = (speed: number) => Math.max(speed / wanted, wanted / speed)
  return speeds.reduce((best, speed) => (ratio(speed) < ratio(best) ? speed : best), 1 as number)
}
