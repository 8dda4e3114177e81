import type { Micros } from '../../scenario/model/scenario.ts'

/** The state of a run's thread: well, started again because the first never answered, or silent during its run. */
export type Watched = 'ok' | 'restarted' | 'silent'

/** A thread starts in some 10 ms, but its script, and those of its workers, may have to be loaded over a slow network. */
export const SILENCE_LIMIT: Micros = 30_000_000

/** The share of the limit after which a quiet thread is asked for a sign of life. */
const QUIET = 1 / 6

/** Judges the thread of a run by its signs of life and the time that passes. Times are capped ticks. */
export interface RunWatch {
  /** Adds time. Returns `dead` if the run has not begun within the limit, and `silent` if a begun run gives no sign of life. */
  tick(elapsed: Micros): 'ok' | 'silent' | 'dead'
  /** Returns whether to ask the thread for a sign of life now. Returns true only once until the thread answers. */
  asks(): boolean
  answered(): void
  /** The thread has reported something about its run. `starts`: its run starts now. */
  signOfLife(starts: boolean): void
}

/** `mustBegin`: a thread that answers has to begin its run within the limit too. A simulation may calculate for longer before it says anything. */
export function createRunWatch(mustBegin: boolean, limit: Micros): RunWatch {
  /** Since the last sign that counts, and since the last sign at all. */
  let silence: Micros = 0
  let quiet: Micros = 0
  let asked = false
  let there = false
  let started = false
  return {
    tick(elapsed) {
      silence += elapsed
      quiet += elapsed
      if (silence <= limit) return 'ok'
      return started || (there && !mustBegin) ? 'silent' : 'dead'
    },
    asks() {
      if (asked || (there && quiet <= limit * QUIET)) return false
      asked = true
      return true
    },
    answered() {
      asked = false
      there = true
      quiet = 0
      if (started || !mustBegin) silence = 0
    },
    signOfLife(starts) {
      there = true
      started ||= starts
      silence = quiet = 0
    },
  }
}
