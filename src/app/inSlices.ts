/** So long the page may stand still at a time. */
const AT_ONCE_MS = 10

/** Does work a few milliseconds at a time, so that a million jobs do not freeze the page; null when it is not wanted any more. */
export async function inSlices<T>(work: Generator<void, T>, wanted: () => boolean): Promise<T | null> {
  while (wanted()) {
    const began = performance.now()
    while (performance.now() - began < AT_ONCE_MS) {
      const step = work.next()
      if (step.done) return step.value
    }
    await new Promise((resolve) => setTimeout(resolve))
  }
  return null
}
