// What the threads of runner.test.ts load. `entry` is the bundle of src/runnerWorker.ts.
import { workerData } from 'node:worker_threads'

const { serve, transfer } = await import(workerData.entry)

let loads = 0
const crowd = new Int32Array(workerData.crowd)
serve({
  parse: (line) => JSON.parse(line),
  fussy({ n }) {
    if (n % 4000 === 1234) throw new RangeError(`cannot bear ${n}`)
    return n
  },
  mortal(n, { tries }) {
    if (n === 400 && tries === 1) process.exit(7)
    return n
  },
  sleepy(n, { tries }) {
    if (n === 900 && tries === 1) for (;;);
    return n
  },
  text: (n) => `#${n}`,
  same: (value) => value,
  async slow(n, { signal }) {
    await new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort)
      setTimeout(() => {
        signal.removeEventListener('abort', abort)
        resolve()
      }, 5)
    })
    return n
  },
  forever() {
    for (;;);
  },
  row: (n) => ({ n }),
  changes(row, { tries }) {
    row.n++
    if (tries < 2) throw new Error('once more')
    return row.n
  },
  hangs(n) {
    while (n === 77);
    return n
  },
  bufferLength: ({ buffer }) => buffer.byteLength,
  /** How many threads are here: now, and the most at once. */
  async crowded(n) {
    const most = Atomics.add(crowd, 0, 1) + 1
    for (let seen = Atomics.load(crowd, 1); seen < most; )
      seen = Atomics.compareExchange(crowd, 1, seen, most) === seen ? most : Atomics.load(crowd, 1)
    await new Promise((resolve) => setTimeout(resolve, 2))
    Atomics.sub(crowd, 0, 1)
    return n
  },
  exits() {
    process.exit(1)
  },
  flaky(n, { tries }) {
    if (tries < 3) throw new Error(`try ${tries}`)
    return `${n} after ${tries}`
  },
  nothing() {},
  aFunction: () => () => {},
  left: (n) => n + 1,
  right: (n) => n * 10,
  both: ({ left, right }) => [left, right],
  load: () => ++loads,
  slowLoad() {
    const until = performance.now() + 40
    while (performance.now() < until);
  },
  loaded: (n, { setUp }) => [n, setUp],
  bytes: (n) => {
    const made = new Uint8Array(8).fill(n)
    return transfer(made, [made.buffer])
  },
  sum: (made) => made.reduce((a, b) => a + b, 0),
})
