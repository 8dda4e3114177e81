import type { Micros } from '../../scenario/model/scenario.ts'

export type Answer<T> =
  /** `silence` is how long the answer took, minus the time that the machine was asleep. */
  | { readonly kind: 'answered'; readonly value: T; readonly silence: Micros }
  | { readonly kind: 'threw'; readonly reason: string }
  | { readonly kind: 'silent' }
  | { readonly kind: 'gone'; readonly reason: string }

/** Settles every call to another thread once: with the answer, at the limit, or when the thread is cut off. Comlink alone would wait forever. */
export interface CallTracker {
  /** Makes a call; never rejects. Only `tick` counts silence. For a call `behind` others silence counts from their answers on. */
  ask<T>(silenceLimit: Micros, call: () => PromiseLike<T>, behind?: boolean): Promise<Answer<T>>
  /** Adds time to the silence of the calls that wait. */
  tick(elapsed: Micros): void
  /** Resets the silence after a sign of life. */
  signOfLife(): void
  /** Settles all calls as `gone`, later calls too. */
  cut(reason: string): void
}

type Pending = {
  readonly silenceLimit: Micros
  readonly behind: boolean
  silence: Micros
  settle(answer: Answer<never>): void
}

export function createCallTracker(): CallTracker {
  const pending = new Set<Pending>()
  let ended: string | null = null
  return {
    ask<T>(silenceLimit: Micros, call: () => PromiseLike<T>, behind = false) {
      return new Promise<Answer<T>>((resolve) => {
        if (ended !== null) return resolve({ kind: 'gone', reason: ended })
        const settle = (answer: Answer<T>) => {
          if (pending.delete(one)) resolve(answer)
        }
        const one: Pending = { silenceLimit, behind, silence: 0, settle }
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
        if (one.silence > one.silenceLimit) one.settle({ kind: 'silent' })
      }
    },
    signOfLife() {
      for (const one of pending) one.silence = 0
    },
    cut(reason) {
      ended ??= reason
      for (const one of pending) one.settle({ kind: 'gone', reason: ended })
    },
  }
}

/** Returns the message of a thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** One tick of a conductor counts for at most this. So no worker is given up when a laptop sleeps, which is one very long tick. */
export const LONGEST_TICK: Micros = 250_000

/** Returns a function that turns clock readings into capped ticks; the first reading gives 0. */
export function createCappedClock(longest = LONGEST_TICK): (reading: Micros) => Micros {
  let last: Micros | null = null
  return (reading) => {
    const elapsed = last === null ? 0 : Math.max(0, Math.min(longest, reading - last))
    last = reading
    return elapsed
  }
}
