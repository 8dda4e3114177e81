// The work that every way of running it does alike. Imported by all threads.
import { createHash } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'

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

const SIDE = 128

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
  tiles: {
    about: `pictures in tiles of ${SIDE} by ${SIDE}: draw, soften, compress`,
    jobs: 400,
    input: (k) => ({ x: (k % 20) / 10 - 1.5, y: Math.floor(k / 20) / 10 - 1 }),
    stages: [
      { name: 'draw', run: drawn },
      { name: 'soften', run: softened },
      { name: 'compress', run: (pixels) => new Uint8Array(deflateSync(pixels, { level: 3 })) },
    ],
  },
  setUps: {
    about: 'three stages of 0.5 ms, each with 300 ms of set-up when a thread turns to it',
    jobs: 3000,
    few: 4,
    input: (k) => k,
    stages: [setUpStage('one', 0.5), setUpStage('two', 0.5), setUpStage('three', 0.5)],
  },
  slowSetUps: {
    about: 'the same, one stage slow: 0.1, 2 and 0.1 ms',
    jobs: 3000,
    few: 4,
    input: (k) => k,
    stages: [setUpStage('one', 0.1), setUpStage('two', 2), setUpStage('three', 0.1)],
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

function drawn({ x, y }) {
  const pixels = new Uint8Array(SIDE * SIDE)
  for (let row = 0; row < SIDE; row++)
    for (let column = 0; column < SIDE; column++) {
      const [a, b] = [x + (column / SIDE) * 0.1, y + (row / SIDE) * 0.1]
      let [p, q, n] = [0, 0, 0]
      for (; n < 60 && p * p + q * q < 4; n++) [p, q] = [p * p - q * q + a, 2 * p * q + b]
      pixels[row * SIDE + column] = n * 4
    }
  return pixels
}

function softened(pixels) {
  const soft = new Uint8Array(pixels.length)
  for (let k = 0; k < pixels.length; k++) {
    let sum = 0
    for (const step of [-SIDE - 1, -SIDE, -SIDE + 1, -1, 0, 1, SIDE - 1, SIDE, SIDE + 1])
      sum += pixels[Math.min(pixels.length - 1, Math.max(0, k + step))]
    soft[k] = sum / 9
  }
  return soft
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
