// The work that every way of running it does alike. Imported by all threads.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** Rounds of `burn` in a millisecond: measured once by the bench, so that all do the same work. */
const PER_MILLISECOND = Number(process.env.APPORTION_BURN ?? 100_000)

export function burn(milliseconds, seed) {
  let x = seed | 1
  for (let k = Math.round(milliseconds * PER_MILLISECOND) | 0; k > 0; k--) x = (Math.imul(x, 1664525) + 1013904223) | 0
  return x
}

/** Returns how many rounds of `burn` take a millisecond: the most of some tries, since other work can only slow it down. */
export function calibrated() {
  let most = 0
  for (let k = 0; k < 30; k++) {
    const began = performance.now()
    burn(10, k)
    most = Math.max(most, (10 * PER_MILLISECOND) / (performance.now() - began))
  }
  return Math.round(most)
}

const burning =
  (milliseconds, { needs } = {}) =>
  (value, ready) => {
    if (needs !== undefined && ready !== needs) throw new Error(`set up for ${ready} instead of ${needs}`)
    return burn(milliseconds, value)
  }
/** A stage with a set-up that a thread loses when it turns to another stage: 300 ms of work. */
const setUpStage = (name, milliseconds) => ({
  name,
  run: burning(milliseconds, { needs: name }),
  setUp() {
    burn(300, 1)
    return name
  },
})

/**
 * By name: the stages, an input, how many jobs, and how many for a way that pays a set-up at every job.
 * Results are numbers, or bytes, whose buffers may be moved.
 */
export const works = {
  lines: {
    about: 'JSON lines of 1 kB: parse, validate, hash, gzip',
    jobs: 12_000,
    input: (k) =>
      JSON.stringify({
        id: k,
        name: `line ${k}`,
        price: k * 7,
        text: `${(k * 2654435761) % 1e9} `.repeat(90).slice(0, 940),
      }),
    stages: [
      { name: 'parse', run: (line) => JSON.parse(line) },
      {
        name: 'validate',
        run(row) {
          if (!Number.isSafeInteger(row.id) || typeof row.text !== 'string' || row.price < 0)
            throw new TypeError('not a row')
          return { ...row, text: row.text.trim() }
        },
      },
      { name: 'hash', run: (row) => ({ ...row, hash: createHash('sha256').update(row.text).digest('hex') }) },
      { name: 'gzip', run: (row) => new Uint8Array(gzipSync(JSON.stringify(row), { level: 1 })) },
    ],
  },
  setUps: {
    about: 'three stages of 0.5 ms, each with 300 ms of set-up when a thread turns to it',
    jobs: 3000,
    few: 4,
    input: (k) => k,
    stages: [setUpStage('one', 0.5), setUpStage('two', 0.5), setUpStage('three', 0.5)],
  },
  slowStage: {
    about: 'one slow stage of four: 0.1, 0.2, 2 and 0.1 ms',
    jobs: 600,
    input: (k) => k,
    stages: [0.1, 0.2, 2, 0.1].map((milliseconds, s) => ({ name: `stage${s}`, run: burning(milliseconds) })),
  },
  tiny: {
    about: 'tiny jobs: two stages of 0.02 ms',
    jobs: 40_000,
    input: (k) => k,
    stages: [0.02, 0.02].map((milliseconds, s) => ({ name: `tiny${s}`, run: burning(milliseconds) })),
  },
}

let run = -1
let current = null
let ready

/** Carries values through some stages in this thread: each through all, or, where set-ups count, all of them through one after the other. */
export function carry(name, values, from, to, ofRun) {
  const { stages, few } = works[name]
  if (ofRun !== run) current = null
  run = ofRun
  if (few === undefined)
    return values.map((value) => {
      let passed = value
      for (let s = from; s < to; s++) passed = stages[s].run(passed)
      return passed
    })
  let passed = values
  for (let s = from; s < to; s++) {
    const stage = stages[s]
    if (current !== stage) ready = stage.setUp()
    current = stage
    passed = passed.map((value) => stage.run(value, ready))
  }
  return passed
}

/** Returns the buffers of these results. */
export function buffersOf(values) {
  return values.flatMap((value) => (value instanceof Uint8Array ? [value.buffer] : []))
}
