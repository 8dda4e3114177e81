import type { Micros } from '../../scenario/model/scenario.ts'
import type { Reply } from './batchPort.ts'
import type { Timer } from './environment.ts'

/** A batch is through: with a reply, or thrown back with a reason. */
export interface Report {
  readonly worker: number
  readonly lease: number
  readonly reply: Reply | null
  readonly reason: string
  /** How long it was awaited, as far as that counts, to a tick. */
  readonly silence: Micros
}

/** What the world has told the conductor since it last looked: together, the facts of one instant. */
export interface Inbox {
  reports: Report[]
  lost: number[]
  joined: number[]
  stopped: boolean
}

export function createInbox(): Inbox {
  return { reports: [], lost: [], joined: [], stopped: false }
}

/** Calls `look` once for whatever the message at hand has brought: that makes one instant. */
export interface Bell {
  ring(): void
  /** Nothing is called any more. */
  silence(): void
}

/**
 * Rung while a message is handled, it calls as soon as that is done. To wait for further messages in the queue, by a message
 * to oneself, would make instants of several replies now and then, and costs every worker a turn of the event loop.
 */
export function createBell(look: () => void): Bell {
  let rung = false
  let silent = false
  return {
    ring() {
      if (rung) return
      rung = true
      queueMicrotask(() => {
        rung = false
        if (!silent) look()
      })
    },
    silence() {
      silent = true
    },
  }
}

/** A timer that can be set again and again and costs nothing when it is set to no earlier than it is. */
export interface Alarm {
  /** Calls back in so many microseconds, or sooner if it is set sooner; the rest of them is for the callback to set again. */
  set(now: Micros, due: Micros): void
  clear(): void
}

/** Longer timers fire at once. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1

export function createAlarm(wake: () => void, after: Timer): Alarm {
  let takeBack: (() => void) | null = null
  let setTo: Micros = Infinity
  const clear = () => {
    takeBack?.()
    takeBack = null
    setTo = Infinity
  }
  return {
    set(now, due) {
      if (due >= setTo) return
      clear()
      setTo = due
      takeBack = after(Math.min(LONGEST_MILLISECONDS, Math.max(0, (due - now) / 1000)), () => {
        clear()
        wake()
      })
    },
    clear,
  }
}
