import type { Page } from 'playwright-core'
import { playSimulation } from '../../src/runs/play/play.ts'
import type { Scenario, Service } from '../../src/scenario/model/scenario.ts'
import { countJobs } from '../../src/scenario/model/sources.ts'
import { endOf } from '../../src/trace/trace.ts'
import type { Way } from './pages/rivals.worker.ts'
import type { RunFigures, ThreadsPage } from './pages/threads.ts'
import { lineOf } from './scenarios.ts'
import { type BenchRow, least, type Tools } from './tools.ts'

/** Real threads in a real browser. Everything compared alternates; the best run of each counts. */
export default async function threads({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const browser = await launch()
  const page = await browser.newPage()
  await page.goto(await serve('test/bench/pages/threads.html'))
  await page.waitForFunction(() => 'threads' in window)
  const rounds = quick ? 1 : 5
  const rows: BenchRow[] = []
  for (const [size, jobs] of [
    [1, 6000],
    [10, 40_000],
    [100, 160_000],
  ]) {
    rows.push(await dispatching(page, size, quick ? jobs / 10 : jobs, rounds))
  }
  rows.push(await burning(page, quick ? 50 : 400, rounds))
  const waits = [
    [1, 2, 3000],
    [5, 10, 800],
    [20, 40, 240],
  ]
  for (const [least, most, jobs] of waits)
    rows.push(await waiting(page, least * 1000, most * 1000, quick ? jobs / 10 : jobs, quick ? 1 : 3))
  return rows
}

/** Jobs without work, a microsecond each, through two threads. */
async function dispatching(page: Page, size: number, jobs: number, rounds: number): Promise<BenchRow> {
  const scenario = lineOf({
    jobs,
    seed: 1,
    workers: 2,
    services: [{ kind: 'constant', mean: 1 }],
    rate: null,
    batch: { size },
  })
  const best = await least(rounds, {
    postMessage: async () => ((await rival(page, 'postMessage', jobs, size)) * 1000) / jobs,
    comlink: async () => ((await rival(page, 'comlink', jobs, size)) * 1000) / jobs,
    ours: async () => (await run(page, scenario)).perJob,
  })
  return {
    name: `dispatch, batches of ${size}`,
    figures: {
      'postMessage us a job': best.postMessage,
      'comlink us a job': best.comlink,
      'conductor us a job': best.ours,
      'jobs a second': 1e6 / best.ours,
      [`of comlink (${size === 1 ? 0.92 : 0.9})`]: best.comlink / best.ours,
      'of postMessage': best.postMessage / best.ours,
    },
  }
}

/** Jobs that keep a core busy for 4 ms. */
async function burning(page: Page, jobs: number, rounds: number): Promise<BenchRow> {
  const services: Service[] = [{ kind: 'constant', mean: 4000 }]
  const makespan = async (workers: number) =>
    (await run(page, lineOf({ jobs, seed: 1, workers, services, rate: null }))).makespan
  const { one, two } = await least(rounds, { one: () => makespan(1), two: () => makespan(2) })
  return {
    name: 'burning 4 ms',
    figures: { 'two workers over one (1.85)': one / two, 'one over the work itself (1.05)': one / (jobs * 4000) },
  }
}

/** Eight workers that sleep: the makespan on threads over the predicted one. */
async function waiting(page: Page, min: number, max: number, jobs: number, rounds: number): Promise<BenchRow> {
  const services: Service[] = Array.from({ length: 3 }, () => ({ kind: 'uniform', min, max }))
  const scenario = lineOf({ jobs, seed: 1, workers: 8, services, rate: null, work: 'wait' })
  const predicted = endOf(await playSimulation(scenario, 0))
  const { real } = await least(rounds, { real: async () => (await run(page, scenario)).makespan })
  const target = min === 5000 ? ' (1.03)' : min === 20_000 ? ' (1.01)' : ''
  return {
    name: `eight waiting, ${min / 1000} to ${max / 1000} ms${target}`,
    figures: { 'real over simulated': real / predicted },
  }
}

/** Plays a scenario in the page. Throws if it did not end as expected, because its time would be meaningless. */
async function run(page: Page, scenario: Scenario): Promise<RunFigures> {
  const figures = await page.evaluate(
    (played) => (window as unknown as { threads: ThreadsPage }).threads.run(played),
    scenario,
  )
  const services = countJobs(scenario.source) * scenario.stages.length
  if (figures.ending !== 'drained' || figures.failures > 0 || figures.finished !== services)
    throw new Error(JSON.stringify(figures))
  return figures
}

function rival(page: Page, way: Way, jobs: number, size: number): Promise<number> {
  return page.evaluate(
    ([how, many, batch]) => (window as unknown as { threads: ThreadsPage }).threads.rival(how, many, batch),
    [way, jobs, size] as const,
  )
}
