import type { Micros } from '../../scenario/model/scenario.ts'

/** How a call to another thread came out. */
export type Answer<T> =
  /** After so much of the silence that counts: what a machine slept through is not in it. */
  | { readonly kind: 'answered'; readonly value: T; readonly silence: Micros }
  /** The other side threw while it worked on the call. */
  | { readonly kind: 'threw'; readonly reason: string }
  /** Patience ended before an answer came. */
  | { readonly kind: 'silent' }
  /** The line was cut: whoever was asked is no more. */
  | { readonly kind: 'gone'; readonly reason: string }

/**
 * The line to another thread. A call by comlink to a thread that died hangs for ever; every call over a line settles,
 * once: with the answer, when patience ends, or when the line is cut. Answers that come later are dropped.
 */
export interface CallTracker {
  /**
   * Asks; never rejects. Silence is what `tick` counts, so that a machine that sleeps makes nobody impatient. To what is asked
   * `behind` others no answer is due before theirs: silence counts from then on.
   */
  ask<T>(patience: Micros, call: () => PromiseLike<T>, behind?: boolean): Promise<Answer<T>>
  /** So much time has passed in silence. */
  tick(elapsed: Micros): void
  /** A sign of life: the silence so far is forgotten. */
  hear(): void
  /** Cuts the line: all that was asked, and will be, is `gone`. */
  cut(reason: string): void
}

interface Pending {
  readonly patience: Micros
  readonly behind: boolean
  silence: Micros
  settle(answer: Answer<never>): void
}

export function createCallTracker(): CallTracker {
  const pending = new Set<Pending>()
  let ended: string | null = null
  return {
    ask<T>(patience: Micros, call: () => PromiseLike<T>, behind = false) {
      return new Promise<Answer<T>>((resolve) => {
        if (ended !== null) return resolve({ kind: 'gone', reason: ended })
        const settle = (answer: Answer<T>) => {
          if (pending.delete(one)) resolve(answer)
        }
        const one: Pending = { patience, behind, silence: 0, settle }
        pending.add(one)
        const threw = (error: unknown) => settle({ kind: 'threw', reason: reasonOf(error) })
        try {
          call().then((value) => settle({ kind: 'answered', value, silence: one.silence }), threw)
        } catch (error) {
          threw(error)
        }
      })
    },
    tick(elapsed) {
      let first = true
      for (const one of pending) {
        if (one.behind && !first) continue
        first = false
        one.silence += elapsed
        if (one.silence > one.patience) one.settle({ kind: 'silent' })
      }
    },
    hear() {
      for (const one of pending) one.silence = 0
    },
    cut(reason) {
      ended ??= reason
      for (const one of pending) one.settle({ kind: 'gone', reason: ended })
    },
  }
}

/** What was thrown, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** No tick of a clock counts for more, so that a laptop's sleep, one very long tick, uses up nobody's patience. */
export const LONGEST_TICK: Micros = 250_000

/** Turns readings of a clock into ticks; the first reading gives none. */
export function createCappedClock(): (reading: Micros) => Micros {
  let last: Micros | null = null
  return (reading) => {
    const elapsed = last === null ? 0 : Math.max(0, Math.min(LONGEST_TICK, reading - last))
    last = reading
    return elapsed
  }
}
