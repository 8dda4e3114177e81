/** So long the page may stand still at a time. */
const AT_ONCE_MS = 10

/** Rows that are taken in before one looks at the clock. */
export const ROWS_A_STEP = 5000

/** Takes steps until one says that it was the last, or the time is over: at least one. Returns whether it was the last. */
export function stepFor(milliseconds: number, step: () => boolean): boolean {
  const end = performance.now() + milliseconds
  do if (step()) return true
  while (performance.now() < end)
  return false
}

/** Takes steps until one says that it was the last, a few milliseconds' worth at a time, so that a million jobs do not freeze the page. */
export async function stepInSlices(step: () => boolean): Promise<void> {
  // Not at once either: whoever asks has mostly done something already.
  do await rest()
  while (!stepFor(AT_ONCE_MS, step))
}

/** Does work a few milliseconds at a time; null when it is not wanted any more. */
export async function inSlices<T>(work: Generator<void, T>, wanted: () => boolean): Promise<T | null> {
  let result: T | null = null
  const step = () => {
    const { done = false, value } = work.next()
    if (done) result = value as T
    return done
  }
  while (wanted()) {
    if (stepFor(AT_ONCE_MS, step)) return result
    await rest()
  }
  return null
}

/** Lets the page do what else there is. */
export function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
