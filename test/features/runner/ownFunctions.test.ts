import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle, cache, root } from '../../../scripts/bundle.mjs'
import { figuresOf } from '../../../src/measures/figures/metrics.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'

const folder = join(cache, `own-functions-${process.pid}`)
const page = readFileSync(join(root, 'docs/own-functions.md'), 'utf8')
const blocks = [...page.matchAll(/```(?:js|text)\n([\s\S]*?)```/g)].map(([, text]) => text)

beforeAll(async () => {
  await bundle(join(root, 'src/runner.ts'), folder, 'runner.mjs')
  await bundle(join(root, 'src/runnerWorker.ts'), folder, 'worker.mjs')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `main.js` and returns what it prints. */
function run(cwd: string, ...words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['main.js', ...words], { cwd }, (error, out, problems) =>
      error === null && problems === '' ? resolve(out) : reject(error ?? new Error(problems)),
    )
  })
}

test('the example of docs/own-functions.md prints what the page says, and leaves a trace', async () => {
  const [stages, main, output] = blocks
  expect(blocks.length).toBeGreaterThanOrEqual(3)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'stages.js'), stages.replace('apportion/worker', './worker.mjs'))
  writeFileSync(join(folder, 'main.js'), main.replace("'apportion'", "'./runner.mjs'"))
  const printed = await run(folder)
  const apart = (text: string) => {
    const lines = text.trimEnd().split('\n')
    return {
      skipped: lines.filter((line) => line.startsWith('skipped')),
      others: lines.filter((line) => !line.startsWith('skipped')),
    }
  }
  expect(apart(printed)).toEqual(apart(output))
  const read = readTraceJson(readFileSync(join(folder, 'run.json'), 'utf8'))
  expect('trace' in read && [read.trace.engine, read.trace.ending]).toEqual(['functions', 'drained'])
})

test.each([
  ['a push without an end', 'console.log(await pipeline.push(1))', '2\n'],
  ['an iterator that is read once', 'console.log((await pipeline.run(naturals()).next()).value)', '0\n'],
  ['an end that is awaited', 'const one = pipeline.push(2); await pipeline.end(); console.log(await one)', '4\n'],
  [
    'a close that is awaited',
    'void pipeline.run(naturals()).next(); await pipeline.close(); console.log("closed")',
    'closed\n',
  ],
  ['threads that cannot start', 'broken.run([1]).next().catch(() => console.log("no"))', 'no\n'],
])('the process ends by itself, and no sooner, after %s', async (_, program, output) => {
  const home = join(folder, 'ends')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'stages.js'), "import { serve } from '../worker.mjs'\nserve({ double: (n) => n * 2 })\n")
  const head = `import { createPipeline } from '../runner.mjs'
import { Worker } from 'node:worker_threads'
const worker = () => new Worker(new URL('./stages.js', import.meta.url))
const pipeline = createPipeline({ worker, stages: ['double'], workers: 2, idle: 2e9 })
const broken = createPipeline({ worker() { throw new Error('no') }, stages: ['double'], workers: 2 })
function* naturals() { for (let n = 0; ; n++) yield n }
`
  writeFileSync(join(home, 'main.js'), head + program)
  expect(await run(home)).toBe(output)
})

test('the example of README.md prints two totals, and leaves a trace', async () => {
  const [, stages, main] =
    /```js\n([\s\S]*?)(\/\/ main[\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  writeFileSync(join(folder, 'stages.js'), stages.replace('apportion/worker', './worker.mjs'))
  writeFileSync(join(folder, 'main.js'), main.replace("'apportion'", "'./runner.mjs'"))
  expect(await run(folder)).toBe('6\n5\n')
  const read = readTraceJson(readFileSync(join(folder, 'run.json'), 'utf8'))
  expect('trace' in read && read.trace.ending).toBe('drained')
})

test('the example of docs/examples/etl writes what one thread would, in order, and leaves a trace', async () => {
  const home = join(folder, 'etl')
  cpSync(join(root, 'docs/examples/etl'), home, { recursive: true })
  for (const [file, from, to] of [
    ['main.js', "'apportion'", "'../runner.mjs'"],
    ['stages.js', "'apportion/worker'", "'../worker.mjs'"],
  ])
    writeFileSync(join(home, file), readFileSync(join(home, file), 'utf8').replace(from, to))
  const printed = await run(home, 'orders.jsonl', '20000')
  const tax: Readonly<Record<string, number>> = { DE: 0.19, FR: 0.2, IT: 0.22 }
  const expected = readFileSync(join(home, 'orders.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => {
      const { id, country, cents } = JSON.parse(line)
      return `${id},${country},${cents},${Math.round(cents * (tax[country] ?? 0.21))}`
    })
  expect(gunzipSync(readFileSync(join(home, 'orders.csv.gz'))).toString()).toBe(`${expected.join('\n')}\n`)
  expect(printed).toMatch(/^19980 orders, 20 lines rejected, [\d.]+ EUR with tax\n/)
  const read = readTraceJson(readFileSync(join(home, 'run.json'), 'utf8'))
  if ('problems' in read) expect.fail(JSON.stringify(read.problems))
  expect(read.trace.ending).toBe('drained')
  expect(figuresOf(read.trace).metrics).toMatchObject({ jobs: 40, completed: 40, failed: 0 })
  expect(read.trace.failures.length).toBeGreaterThan(0)
})
