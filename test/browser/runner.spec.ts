import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from '@playwright/test'
import { bundle, cache, root } from '../../scripts/bundle.mjs'
import { Pipeline } from '../../src/features/runner/pipeline.ts'
import { duration } from '../../src/views/drawing/format.ts'
import { threadsOfNode } from '../features/runner/threadsOfNode.ts'
import { alertOf, drop, LONG, playhead, run, statusOf, visit } from './driver/visit.ts'

/** A run of three functions on threads of Node, where one input fails: its record, and what the pipeline says of it. */
async function ownRun(record: true | { readonly rows: number } = true) {
  const { folder, worker } = await threadsOfNode()
  const pipeline = new Pipeline({
    worker,
    workers: 2,
    stages: ['parse', 'fussy', 'slow'],
    onError: 'skip',
    record,
    title: 'My own functions',
  })
  for await (const _ of pipeline.run(Array.from({ length: 60 }, (_, n) => JSON.stringify({ n: 1200 + n }))));
  const text = await (await pipeline.trace()).text()
  await pipeline.close()
  rmSync(folder, { recursive: true, force: true })
  return { text, stats: pipeline.stats() }
}

test('the record of own functions opens as a run, is explained and becomes a scenario with one press', async ({
  page,
}) => {
  const { text, stats } = await ownRun()
  await visit(page)
  await drop(page, 'run.json', text)
  await expect(statusOf(page)).toHaveText(/^Finished: 59 of 60 jobs .*1 failed/, LONG)
  await expect(alertOf(page)).toHaveCount(0)

  await page.getByRole('button', { name: 'see why' }).click()
  const reality = page.getByRole('article', { name: 'Real vs simulated' })
  await expect(
    reality.getByText(/^It took [\d.]+ s on functions of your own, .* longer than predicted.*: .*Messages/),
  ).toBeVisible(LONG)
  await expect(
    page.getByRole('group', {
      name: `Stage slow, ${duration(Math.round(stats.stages[2].service.mean * 1000))}, 3 of 3`,
    }),
  ).toBeVisible()

  const real = Number(await playhead(page).getAttribute('max'))
  await reality.getByRole('button', { name: 'Declare the times measured' }).click()
  await expect(page.getByRole('radio', { name: 'Simulation' })).toBeChecked()
  await run(page, /^(Simulated|Finished)/)
  await expect(statusOf(page)).toHaveText(/59 of 60 jobs .*1 failed/)
  // The status may tell the end a frame before the playhead does.
  await expect.poll(async () => Number(await playhead(page).getAttribute('max'))).toBeLessThan(real)
})

test('a page of a person runs a pipeline in order, records it, and its threads end', async ({ page }) => {
  const folder = join(cache, `runner-page-${process.pid}`)
  await bundle(join(root, 'src/runner.ts'), folder, 'runner.mjs')
  await bundle(join(root, 'src/runnerWorker.ts'), folder, 'worker.mjs')
  const built = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files: Readonly<Record<string, string>> = {
    '/': '<!doctype html><title>Mine</title><script type="module" src="main.js"></script>',
    '/main.js': main,
    '/stages.js': stages,
    ...Object.fromEntries(
      built.map(({ parentPath, name }) => [
        `/${relative(folder, join(parentPath, name))}`,
        readFileSync(join(parentPath, name), 'utf8'),
      ]),
    ),
  }
  rmSync(folder, { recursive: true, force: true })
  await page.route('http://localhost:1/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const body = files[pathname]
    return body === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({ contentType: pathname === '/' ? 'text/html' : 'text/javascript', body })
  })
  let started = 0
  page.on('worker', () => started++)
  await page.goto('http://localhost:1/')
  const results = await page.waitForFunction(() => (globalThis as { results?: unknown }).results)
  expect(await results.jsonValue()).toEqual(Array.from({ length: 200 }, (_, n) => `#${2 * n}`))
  expect(started).toBe(2)
  await expect.poll(() => page.workers().length).toBe(0)
  const slips = await page.evaluate(() => (globalThis as unknown as { slips(): Promise<unknown[]> }).slips())
  expect(slips).toEqual([
    'A thread cannot start: no thread today',
    expect.stringMatching(/worker\(\) gave nothing/),
    expect.stringMatching(/^A thread cannot start: .*script cannot be loaded/),
    expect.stringMatching(/^Stage "abort" failed at input 0: .*AbortError 20$/),
    Array.from({ length: 200 }, (_, n) => n),
    [3, 'failed'],
  ])
  await expect.poll(() => page.workers().length).toBe(0)
  const record = await page.evaluate(() => (globalThis as unknown as { record: string }).record)
  await visit(page)
  await drop(page, 'page.json', record)
  await expect(statusOf(page)).toHaveText(/^Finished: 200 of 200 jobs/, LONG)
})

const stages = `import { serve } from './worker.mjs'
const row = { n: 0 }
serve({
  parse: (text) => JSON.parse(text),
  double: async (number) => 2 * number,
  text: (number) => '#' + number,
  abort: () => AbortSignal.abort().throwIfAborted(),
  again: (n) => Object.assign(row, { n }),
  size: (bytes) => bytes.length,
})
`
const main = `import { createPipeline, transfer } from './runner.mjs'
const worker = () => new Worker(new URL('./stages.js', import.meta.url), { type: 'module' })
const pipeline = createPipeline({
  worker,
  stages: ['parse', 'double', 'text'],
  workers: 2,
  record: true,
  idle: 100,
})
const results = []
for await (const result of pipeline.run(Array.from({ length: 200 }, (_, n) => String(n)))) results.push(result)
globalThis.record = await (await pipeline.trace()).text()
globalThis.results = results
globalThis.slips = async () => {
  const all = async (options, inputs) => {
    const pipeline = createPipeline({ worker, workers: 2, idle: 50, ...options })
    const results = []
    try {
      for await (const result of pipeline.run(inputs)) results.push(result)
      return results
    } catch ({ message, cause }) {
      return cause instanceof DOMException ? message + ' ' + cause.name + ' ' + cause.code : message
    }
  }
  const bytes = new Uint8Array(3)
  const twice = [bytes, bytes].map(() => transfer(bytes, [bytes.buffer]))
  const pushed = createPipeline({ worker, stages: ['size'], workers: 1, idle: 50 })
  return [
    await all({ worker() { throw new Error('no thread today') }, stages: ['size'] }, [1]),
    await all({ worker() {}, stages: ['size'] }, [1]),
    await all({ worker: () => new Worker('./nowhere.js', { type: 'module' }), stages: ['size'] }, [1]),
    await all({ stages: ['abort'] }, [1]),
    (await all({ stages: ['again'], batch: { size: 50 } }, Array.from({ length: 200 }, (_, n) => n))).map(({ n }) => n),
    await Promise.all(twice.map((one) => pushed.push(one).catch(() => 'failed'))).finally(() => pushed.close()),
  ]
}
`
