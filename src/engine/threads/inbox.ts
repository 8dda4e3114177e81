import type { Micros } from '../../scenario/scenario.ts'
import type { Reply } from './labour.ts'

/** A batch is through: with a reply, or thrown back with a reason. */
export interface Report {
  readonly worker: number
  readonly lease: number
  readonly reply: Reply | null
  readonly reason: string
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

/** Calls `look` once, after all messages that have arrived by now have been delivered: they make one instant. */
export interface Bell {
  ring(): void
  /** Nothing is called any more. */
  silence(): void
}

/**
 * A message to oneself stands behind the messages that are waiting already, and costs some 10 us where a timer would cost
 * 1 to 4 ms.
 */
export function createBell(look: () => void): Bell {
  const channel = new MessageChannel()
  let rung = false
  channel.port1.onmessage = () => {
    rung = false
    look()
  }
  return {
    ring() {
      if (rung) return
      rung = true
      channel.port2.postMessage(null)
    },
    silence() {
      channel.port1.close()
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

export function createAlarm(wake: () => void): Alarm {
  let timer: ReturnType<typeof setTimeout> | null = null
  let setTo: Micros = Infinity
  const clear = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    setTo = Infinity
  }
  return {
    set(now, due) {
      if (due >= setTo) return
      clear()
      setTo = due
      timer = setTimeout(
        () => {
          clear()
          wake()
        },
        Math.min(LONGEST_MILLISECONDS, Math.max(0, (due - now) / 1000)),
      )
    },
    clear,
  }
}
