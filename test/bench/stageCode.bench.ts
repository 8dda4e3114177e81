import type { Page } from 'playwright-core'
import type { Scenario, Work } from '../../src/scenario/model/scenario.ts'
import type { RunFigures, ThreadsPage } from './pages/threads.ts'
import { lineOf } from './scenarios.ts'
import { type BenchRow, least, type Tools } from './tools.ts'

/** Passes a record on unchanged, as a kernel of ours that parses JSON does with what is parsed already. */
const nothing = { code: 'export default (value) => value' }
const burning = {
  code: 'export default (n) => {\n  let sum = 0\n  for (let k = 0; k < 4e6; k++) sum += Math.sqrt(k + n)\n  return sum\n}',
}

/** Code of stages in threads of a frame, against kernels of our own on our own threads, and against a port alone. Everything compared alternates; the best run of each counts. */
export default async function stageCode({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const browser = await launch()
  const page = await browser.newPage()
  await page.goto(await serve('test/bench/pages/threads.html'))
  await page.waitForFunction(() => 'threads' in window)
  const rounds = quick ? 1 : 5
  const rows: BenchRow[] = []
  for (const [size, target] of [
    [1, 0.4],
    [10, 0.5],
    [100, 0.6],
  ]) {
    const jobs = quick ? 1000 : 10_000
    const best = await least(rounds, {
      port: async () => ((await rival(page, jobs, size)) * 1000) / jobs,
      kernel: async () => (await played(page, scenarioOf('parseJson', jobs, 2, size))).perJob,
      code: async () => (await played(page, scenarioOf(nothing, jobs, 2, size))).perJob,
    })
    rows.push({
      name: `code that does nothing, batches of ${size}`,
      figures: {
        'kernel us a job': best.kernel,
        'code us a job': best.code,
        [`code over kernel (${target})`]: best.kernel / best.code,
        'port us a job': best.port,
        'of a port': best.port / best.code,
      },
    })
  }
  const jobs = quick ? 20 : 200
  const { one, two } = await least(quick ? 1 : 3, {
    one: async () => (await played(page, scenarioOf(burning, jobs, 1, 1))).makespan,
    two: async () => (await played(page, scenarioOf(burning, jobs, 2, 1))).makespan,
  })
  rows.push({
    name: 'code that burns',
    figures: { 'one worker ms': one / 1000, 'two ms': two / 1000, 'times as fast (1.6)': one / two },
  })
  const start = await least(rounds, {
    ms: async () => (await played(page, scenarioOf(nothing, 100, 8, 1))).firstStarted,
  })
  rows.push({ name: 'start with 8 threads', figures: { 'first service ms (400)': start.ms } })
  return rows
}

function scenarioOf(work: Work, jobs: number, workers: number, size: number): Scenario {
  const scenario = lineOf({
    jobs,
    seed: 1,
    workers,
    services: [{ kind: 'constant', mean: 1 }],
    rate: null,
    batch: { size },
  })
  return {
    ...scenario,
    source: { kind: 'values', values: Array.from({ length: jobs }, (_, k) => k) },
    stages: scenario.stages.map((stage) => ({ ...stage, work })),
  }
}

/** Nothing but messages: two threads of the page's own, each reached by a port. */
function rival(page: Page, jobs: number, size: number): Promise<number> {
  const measure = ([count, batch]: readonly [number, number]) =>
    (window as unknown as { threads: ThreadsPage }).threads.rival('port', count, batch)
  return page.evaluate(measure, [jobs, size] as const)
}

async function played(page: Page, scenario: Scenario): Promise<RunFigures> {
  const figures = await page.evaluate(
    (asked) => (window as unknown as { threads: ThreadsPage }).threads.run(asked),
    scenario,
  )
  if (figures.ending !== 'drained' || figures.failures > 0) throw new Error(JSON.stringify(figures))
  return figures
}
