/** Runs work that pauses now and then (a generator that yields nothing) to its end. Returns its result. */
export function runToEnd<T>(work: Generator<void, T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}
