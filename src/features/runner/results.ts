import { createQueue } from './intake.ts'

type Reader = { resolve(result: IteratorResult<unknown>): void; reject(error: unknown): void }

export type Results = ReturnType<typeof createResults>

/** Holds the results of a run until they are read. `read` is called once for each. */
export function createResults(read: () => void) {
  const unread = createQueue<unknown>()
  const readers = createQueue<Reader>()
  let ended = false
  let failure: { readonly error: unknown } | null = null
  return {
    get unread() {
      return unread.length
    },
    add(value: unknown): void {
      const reader = readers.take()
      if (reader === undefined) unread.add(value)
      else {
        reader.resolve({ value, done: false })
        read()
      }
    },
    /** Nothing comes any more. The first reader after what is unread gets the error, if there is one; all others learn that it is over. */
    end(error?: { readonly error: unknown }): void {
      ended = true
      failure = error ?? null
      for (let reader = readers.take(); reader !== undefined; reader = readers.take()) answer(reader)
    },
    /** Throws away what is unread. */
    clear(): void {
      unread.clear()
    },
    next(): Promise<IteratorResult<unknown>> {
      if (unread.length > 0) {
        const value = unread.take()
        read()
        return Promise.resolve({ value, done: false })
      }
      return new Promise((resolve, reject) => {
        if (ended) answer({ resolve, reject })
        else readers.add({ resolve, reject })
      })
    },
  }

  function answer({ resolve, reject }: Reader): void {
    if (failure === null) resolve({ value: undefined, done: true })
    else reject(failure.error)
    failure = null
  }
}
