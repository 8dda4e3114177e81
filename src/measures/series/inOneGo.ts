/** Work that rests now and then (a generator that yields nothing), done without a rest. */
export function runToEnd<T>(work: Generator<void, T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}
