import { allowCode } from '../../../app/session/scenario/allowedCode.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { stageDefaults } from '../../../scenario/model/defaults.ts'
import { codeOf, type Stage } from '../../../scenario/model/scenario.ts'
import { type Preset, type PresetScenario, presetsOf } from '../../../scenario/presets/preset.ts'

/** Code to begin with. */
export interface Template {
  readonly name: () => string
  readonly code: string
  /** An input to try it with. */
  readonly input: unknown
}

const wordCount = `// The five most frequent words of a text.
export default (text) => {
  const counts = new Map()
  for (const word of String(text).toLowerCase().match(/\\p{L}+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5)
}
`

const filterJson = `// Parses a line of JSON and keeps three of its fields. A bad line throws.
export default (line) => {
  const { time, status, path } = typeof line === 'string' ? JSON.parse(line) : line
  return { time, path, failed: status >= 500 }
}
`

const pi = `// Estimates pi from random points: the random numbers of a job are the same in every run.
export default (input, { random }) => {
  const points = 200_000
  let inside = 0
  for (let i = 0; i < points; i++) {
    const x = random()
    const y = random()
    if (x * x + y * y < 1) inside++
  }
  return (4 * inside) / points
}
`

const primes = `// How many primes there are up to a number.
export default (input) => {
  const most = 100_000 + 1000 * (Number(input) || 0)
  const composite = new Uint8Array(most + 1)
  let count = 0
  for (let n = 2; n <= most; n++) {
    if (composite[n]) continue
    count++
    for (let k = n * n; k <= most; k += n) composite[k] = 1
  }
  return { most, count }
}
`

const hashChain = `// Hashes a text, then the hash, and so on (FNV-1a): each step needs the one before.
export default (input) => {
  let hash = JSON.stringify(input)
  for (let step = 0; step < 50_000; step++) hash = fnv(hash)
  return hash
}

function fnv(text) {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16)
}
`

const overTile = (comment: string, pixel: string, before = '') => `// ${comment}
export default (tile) => {
  const { width, height, pixels } = tile
  if (!pixels) throw new Error('this tile has no pixels: put a stage that colours it before this one')
  const out = new Uint8Array(pixels.length)
  const at = (x, y, c) => pixels[4 * (clamp(y, height) * width + clamp(x, width)) + c]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
${before}      for (let c = 0; c < 3; c++) out[4 * (y * width + x) + c] = ${pixel}
      out[4 * (y * width + x) + 3] = 255
    }
  return { ...tile, pixels: out }
}

const clamp = (k, most) => Math.min(most - 1, Math.max(0, k))
`

const blurSum = `(() => {
        let sum = 0
        for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) sum += at(x + dx, y + dy, c)
        return sum / 25
      })()`
const blur = overTile('Blurs a tile: each pixel becomes the mean of the 25 around it.', blurSum)

const edges = overTile(
  'Finds edges in a tile (Sobel): bright where the picture changes.',
  'Math.min(255, Math.hypot(dx, dy))',
  `      const g = (i, j) => at(x + i, y + j, 0) + at(x + i, y + j, 1) + at(x + i, y + j, 2)
      const dx = (g(1, -1) + 2 * g(1, 0) + g(1, 1) - g(-1, -1) - 2 * g(-1, 0) - g(-1, 1)) / 3
      const dy = (g(-1, 1) + 2 * g(0, 1) + g(1, 1) - g(-1, -1) - 2 * g(0, -1) - g(1, -1)) / 3
`,
)

const matrix = `// Multiplies two random matrices and returns the sum of the diagonal.
export default (input, { random }) => {
  const n = 96
  const a = Float64Array.from({ length: n * n }, random)
  const b = Float64Array.from({ length: n * n }, random)
  let trace = 0
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0
      for (let k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j]
      if (i === j) trace += sum
    }
  return trace
}
`

const logLine = `// Reads a line of a web server's log with a regular expression.
const line = /^(\\S+) \\S+ \\S+ \\[([^\\]]+)\\] "(\\w+) (\\S+)[^"]*" (\\d{3}) (\\d+|-)/

export default (text) => {
  const found = line.exec(text)
  if (found === null) throw new Error('this is not a line of the log: ' + String(text).slice(0, 40))
  const [, client, time, method, path, status, bytes] = found
  return { client, time, method, path, status: Number(status), bytes: Number(bytes) || 0 }
}
`

const sleeps = `// Waits, as for an answer of a database: it takes time, and no core.
export default async (input, { sleep }) => {
  await sleep(10)
  return input
}
`

const throws = `// Throws at every 50th job. A job that throws is tried again.
export default (input, { job, tries }) => {
  if (job % 50 === 49) throw new Error('job ' + job + ' fails, try ' + tries)
  return input
}
`

const setUp = `// A heavy set-up: a worker pays for it when it comes to the stage. Workers that stay pay once.
export function setUp() {
  const roots = new Float64Array(2_000_000)
  for (let i = 0; i < roots.length; i++) roots[i] = Math.sqrt(i)
  return roots
}

export default (input, { state, job }) => state[(job * 7919) % state.length]
`

const grows = `// Takes longer the greater its input is.
export default (input) => {
  let sum = 0
  const steps = 20_000 * (1 + (Number(input) % 40 || 0))
  for (let i = 1; i <= steps; i++) sum += 1 / (i * i)
  return { input, sum }
}
`

const accessLine = '192.0.2.7 - - [14/Nov/2026:10:12:01 +0000] "GET /lamps/1200 HTTP/1.1" 200 5120'
const record = { time: '2026-11-14T10:12:01Z', status: 503, path: '/lamps/1200', bytes: 5120 }

export const templates: readonly Template[] = [
  { name: () => t('Pass the input on'), code: 'export default (input, context) => input\n', input: 1 },
  { name: () => t('Count words'), code: wordCount, input: 'the cat and the hat and the bat' },
  { name: () => t('Parse and filter JSON'), code: filterJson, input: JSON.stringify(record) },
  { name: () => t('Pi by Monte Carlo'), code: pi, input: 0 },
  { name: () => t('Primes'), code: primes, input: 1 },
  { name: () => t('A chain of hashes'), code: hashChain, input: 'begin' },
  { name: () => t('Blur a tile'), code: blur, input: sampleTile() },
  { name: () => t('Edges of a tile'), code: edges, input: sampleTile() },
  { name: () => t('Matrix product'), code: matrix, input: 0 },
  { name: () => t('Read a log line'), code: logLine, input: accessLine },
  { name: () => t('Wait for an answer'), code: sleeps, input: 1 },
  { name: () => t('Throw for every 50th job'), code: throws, input: 1 },
  { name: () => t('A heavy set-up'), code: setUp, input: 1 },
  { name: () => t('Grows with its input'), code: grows, input: 12 },
]

/** A small tile with a bright square in it. */
function sampleTile() {
  const pixels = Array.from({ length: 4 * 16 }, (_, k) =>
    k % 4 === 3 || [5, 6, 9, 10].includes(Math.floor(k / 4)) ? 255 : 0,
  )
  return { width: 4, height: 4, x: 0, y: 0, step: 1, iterations: 1, counts: null, pixels }
}

const coded = (id: string, name: string, code: string, mean: number, more: Partial<Stage> = {}): Stage => ({
  ...stageDefaults,
  ...{ id, name, work: { code }, service: { kind: 'exponential', mean } },
  ...more,
})

const threads = {
  engine: 'threads',
  workers: 2,
  batch: { adaptive: true, inHand: 2 },
  order: { kind: 'buffer', slots: 1024 },
} as const

const lines = Array.from(
  { length: 300 },
  (_, k) =>
    `192.0.2.${k % 250} - - [14/Nov/2026:10:${String(Math.floor(k / 60)).padStart(2, '0')}:${String(k % 60).padStart(2, '0')} +0000] "GET /${['lamps', 'kettles', 'atlases'][k % 3]}/${1200 + k} HTTP/1.1" ${[200, 200, 200, 304, 503][k % 5]} ${200 + ((k * 397) % 9000)}`,
)

const readLog = `// Adds what later stages need.
export default (entry) => ({ ...entry, hour: Number(entry.time.slice(12, 14)), thing: entry.path.split('/')[1], failed: entry.status >= 500 })
`

const report = `// A line for people.
export default ({ thing, failed, bytes }) => (failed ? 'FAILED ' : 'ok     ') + thing + ' ' + bytes + ' B'
`

const scenarios = {
  'code-log': {
    title: 'Your code: a log',
    about:
      'Three functions read a log of 300 lines on two workers: parse, add fields, write a report. Change one, and run it again.',
    ...threads,
    source: { kind: 'values', values: lines },
    stages: [
      coded('parse', 'Parse', logLine, 40),
      coded('enrich', 'Add fields', readLog, 20),
      coded('report', 'Report', report, 20),
    ],
  },
  'code-bottleneck': {
    title: 'Your code: the bottleneck',
    about: 'Pi, a chain of hashes and primes: which function is the slowest? Measure, then give it more workers.',
    ...threads,
    source: { kind: 'values', values: Array.from({ length: 300 }, (_, k) => k % 40) },
    stages: [
      coded('pi', 'Pi', pi, 1500),
      coded('chain', 'Hash chain', hashChain, 7000),
      coded('primes', 'Primes', primes, 900),
    ],
  },
  'code-retries': {
    title: 'Your code: failures',
    about:
      'One function waits, one throws for every 50th job. The job is tried three times, and the record names the line that threw.',
    ...threads,
    source: { kind: 'values', values: Array.from({ length: 200 }, (_, k) => k) },
    stages: [
      coded('wait', 'Ask', sleeps, 10_000),
      coded('check', 'Check', throws, 20, { fails: { jobs: [], tries: 3 } }),
      coded('grow', 'Compute', grows, 2500),
    ],
  },
} satisfies Readonly<
  Record<string, PresetScenario & { readonly title: string; readonly about: string; readonly engine: 'threads' }>
>

/** Returns the scenarios of the gallery in which stages have code. It is of this page itself, so that it needs no notice. */
export function codePresets(session: Session): readonly Preset[] {
  const presets = presetsOf(scenarios)
  allowCode(session, ...presets.flatMap(({ scenario }) => scenario.stages.flatMap((stage) => codeOf(stage) ?? [])))
  return presets
}
