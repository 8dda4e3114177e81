/** What a person might write who has installed the package. Plain text: here, where the package is made, it could not be imported. */
export const programs: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "type": "module" }',
  'play.js': `import { allocateWorkers, createEstimator, createOrderBuffer, parse, playSimulation, policies, seatsUnder, spread } from 'apportion/core'
import { ApportionEmbed, defineEmbed } from 'apportion/embed'

const waiting = [900, 100, 100, 100]
const stats = new Map(waiting.map((queueLength, s) => ['ABCD'[s], { queueLength, serviceTimesPicos: [1] }]))
const view = { workers: 8, stages: waiting.map((waiting, s) => ({ id: 'ABCD'[s], waiting, mean: 5 })) }
const estimator = createEstimator(2, { kind: 'window', n: 2 })
for (const time of [9, 2, 4]) estimator.observe(0, time)
const buffer = createOrderBuffer(4)
buffer.put(1, 'b')
const policy = { kind: 'code', source: 'export default (view) => [1, view.workers - 1]' }
const { summary, trace } = await playSimulation({ version: 1, source: { jobs: 20 }, stages: [{ id: 'A' }, { id: 'B' }], workers: 3, policy })
const figures = {
  article: [...allocateWorkers(8, stats, new Set()).values()],
  jefferson: policies.jefferson(view),
  under: seatsUnder({ kind: 'leastScore' }, view),
  policies: Object.keys(policies).length,
  spread: [...spread([[1, 2], [3, 4]], 2)],
  order: buffer.put(0, 'a'),
  means: estimator.means(),
  problem: parse({ version: 1, stages: [], workers: 1 }).problems[0].path,
  rows: trace.events.time.length,
  embed: [typeof ApportionEmbed, typeof defineEmbed],
  summary,
}
if (globalThis.document === undefined) console.log(JSON.stringify({ figures, trace }))
else {
  defineEmbed('/page/')
  figures.element = document.createElement('apportion-embed') instanceof ApportionEmbed
  document.body.dataset.figures = JSON.stringify(figures)
}
`,
  'stages.js': `import { serve } from 'apportion/worker'

serve({ parse: (line) => JSON.parse(line), double: async (number) => number * 2 })
`,
  'own.js': `import { createPipeline } from 'apportion'
import { policies } from 'apportion/core'
import { record } from 'apportion/record'
import { Worker } from 'node:worker_threads'

const worker = () => new Worker(new URL('./stages.js', import.meta.url))
const pipeline = createPipeline({ worker, stages: ['parse', 'double'], workers: 2, policy: (view) => policies.webster(view) })
const results = []
for await (const result of pipeline.run(Array.from({ length: 50 }, (_, k) => String(k)))) results.push(result)
const queue = { concurrency: 1, add: async (task) => task() }
const recording = record(queue, { stage: 'save' })
await queue.add(() => 1)
if (JSON.parse(recording.text()).stage !== 'save') throw new Error(recording.text())
console.log(JSON.stringify(results))
`,
  'page.js': `import { createPipeline } from 'apportion'
import './play.js'

const worker = () => new Worker(new URL('./stages.js', import.meta.url), { type: 'module' })
const pipeline = createPipeline({ worker, stages: ['parse', 'double'], workers: 2 })
const results = []
for await (const result of pipeline.run(['1', '2', '3'])) results.push(result)
document.body.dataset.results = JSON.stringify(results)
`,
  'use.ts': `import { createPipeline } from 'apportion'
import { allocateWorkers, createEstimator, createOrderBuffer, type SeatingView, parse, playSimulation, policies, type Problem, type Scenario, seatsUnder, spread, type Summary } from 'apportion/core'
import { type ApportionEmbed, defineEmbed, type EmbedEvent } from 'apportion/embed'
import { serve } from 'apportion/worker'
import schema from 'apportion/scenario.schema.json' with { type: 'json' }

const view: SeatingView = { workers: 8, stages: [{ id: 'A', waiting: 900, mean: 1000 }, { id: 'B', waiting: 100 }] }
const seats: number[] = policies.leastScore(view)
policies.power(view, { p: 3 })
policies.fixed(view, { allocation: { A: 3, B: 5 } })
// @ts-expect-error a policy that hires workers has no seats to share out
policies.pid(view)
const parsed = parse({ version: 1 })
const problems: readonly Problem[] = 'problems' in parsed ? parsed.problems : []
export async function main(scenario: Scenario): Promise<[Summary, number]> {
  const { summary, trace } = await playSimulation(scenario)
  // @ts-expect-error there is no such figure
  summary.nothing
  return [summary, trace.events.time.length]
}
export const all = [seats, problems, allocateWorkers(1, new Map(), new Set()), createEstimator(2).means(), createOrderBuffer<string>(4).put(0, 'a')]
export const others = [...spread([[1]], 1), seatsUnder({ kind: 'jefferson' }, view), schema.title]
export const run = (worker: () => Worker) => createPipeline<string, number>({ worker, stages: ['parse'], policy: (view) => policies.webster(view) }).run(['1'])
export const served = () => serve({ parse: (line: string) => JSON.parse(line) })
export const element = (): ApportionEmbed => (defineEmbed('/apportion/'), document.createElement('apportion-embed'))
element().addEventListener('decision', (event) => (event as CustomEvent<EmbedEvent>).detail.type)
`,
  'nodenext.json': config('nodenext'),
  'bundler.json': config('bundler'),
  'index.html':
    '<!doctype html><html lang="en"><link rel="icon" href="data:,"><body><script type="module" src="./page.js"></script></body></html>',
  'webpack.cjs': `const webpack = require(process.argv[2])
webpack({ mode: 'development', devtool: false, context: __dirname, entry: './page.js', output: { path: __dirname + '/out/webpack', filename: 'page.js' } }, (error, stats) => {
  console.log(error ?? stats.toString({ all: false, errors: true, warnings: true }))
  process.exitCode = error || stats.hasErrors() || stats.hasWarnings() ? 1 : 0
})
`,
}

/** The strictest checks, of the declarations of packages too. */
function config(resolution: 'nodenext' | 'bundler'): string {
  const module = { module: resolution === 'bundler' ? 'esnext' : resolution, moduleResolution: resolution }
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false }
  return JSON.stringify({
    compilerOptions: {
      ...module,
      ...strict,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      resolveJsonModule: true,
    },
    files: ['use.ts'],
  })
}
