import type { Micros } from '../../scenario/model/scenario.ts'
import type { Reply } from './batchPort.ts'
import type { Timer } from './environment.ts'

/** A batch was returned: with a reply, or with the reason why there is none. */
export interface Report {
  readonly worker: number
  readonly lease: number
  readonly reply: Reply | null
  readonly reason: string
  /** How long the answer took, minus the time that the machine was asleep. */
  readonly silence: Micros
}

/** The messages since the last instant: the facts of the next one. */
export function createInbox() {
  return { reports: [] as Report[], lost: [] as number[], joined: [] as number[], stopped: false }
}

/** Calls `playNow` as soon as the current message is handled. To wait for more messages would cost every worker a turn of the event loop. */
export function createInstantTrigger(playNow: () => void) {
  let rung = false
  let silent = false
  return {
    ring() {
      if (rung) return
      rung = true
      queueMicrotask(() => {
        rung = false
        if (!silent) playNow()
      })
    },
    silence() {
      silent = true
    },
  }
}

/** Browsers fire longer timers at once. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1

/** A timer that costs nothing when it is set again to the same or a later time. */
export function createAlarm(wake: () => void, after: Timer) {
  let cancel: (() => void) | null = null
  let setTo: Micros = Infinity
  const clear = () => {
    cancel?.()
    cancel = null
    setTo = Infinity
  }
  return {
    /** Wakes at `due`, or earlier if an earlier time was set. The callback sets the next time. */
    set(now: Micros, due: Micros) {
      if (due >= setTo) return
      clear()
      setTo = due
      cancel = after(Math.min(LONGEST_MILLISECONDS, Math.max(0, (due - now) / 1000)), () => {
        clear()
        wake()
      })
    },
    clear,
  }
}
