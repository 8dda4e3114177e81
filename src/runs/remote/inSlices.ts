/** The page may be blocked for this long at a time. */
const SLICE_MS = 10

/** Rows that are read between two checks of the clock. */
export const ROWS_A_STEP = 5000

/** Takes steps, at least one, until a step returns true or the time is over. Returns whether a step returned true. */
export function stepFor(milliseconds: number, step: () => boolean): boolean {
  const end = performance.now() + milliseconds
  do if (step()) return true
  while (performance.now() < end)
  return false
}

/** Takes steps until a step returns true, a few milliseconds at a time, so that a million jobs do not freeze the page. */
export async function stepInSlices(step: () => boolean): Promise<void> {
  // The caller has usually done some work already, so pause first.
  do await rest()
  while (!stepFor(SLICE_MS, step))
}

/** Returns the result of the work, done a few milliseconds at a time; null if it is cancelled. */
export async function inSlices<T>(work: Generator<void, T>, wanted: () => boolean): Promise<T | null> {
  let result: T | null = null
  const step = () => {
    const { done = false, value } = work.next()
    if (done) result = value as T
    return done
  }
  while (wanted()) {
    if (stepFor(SLICE_MS, step)) return result
    await rest()
  }
  return null
}

export function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
