import type { Page } from 'playwright-core'
import { playSimulation } from '../../src/runs/play/play.ts'
import type { Scenario, Service } from '../../src/scenario/model/scenario.ts'
import { countJobs, type Picture } from '../../src/scenario/model/sources.ts'
import { presetOf } from '../../src/scenario/presets/presets.ts'
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
  rows.push(await ahead(page, quick ? 600 : 12_000, rounds))
  rows.push(await burning(page, quick ? 50 : 400, rounds))
  rows.push(await small(page, quick ? 2000 : 20_000, rounds))
  const waits = [
    [1, 2, 3000],
    [5, 10, 800],
    [20, 40, 240],
  ]
  for (const [least, most, jobs] of waits)
    rows.push(await waiting(page, least * 1000, most * 1000, quick ? jobs / 10 : jobs, quick ? 1 : 3))
  rows.push(await painting(page, quick ? 1 : 3, quick ? 200 : 4000))
  rows.push(await starting(page, rounds))
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
    workerpool: async () => ((await rival(page, 'workerpool', jobs, size)) * 1000) / jobs,
    ours: async () => (await run(page, scenario)).perJob,
  })
  return {
    name: `dispatch, batches of ${size}`,
    figures: {
      'postMessage us a job': best.postMessage,
      'comlink us a job': best.comlink,
      'workerpool us a job': best.workerpool,
      'conductor us a job': best.ours,
      'jobs a second': 1e6 / best.ours,
      [`of comlink (${size === 1 ? 0.92 : 0.9})`]: best.comlink / best.ours,
      'of postMessage': best.postMessage / best.ours,
      'of workerpool': best.workerpool / best.ours,
    },
  }
}

/** Jobs without work one by one, with and without a second one at each worker; alternating, the best of each. */
async function ahead(page: Page, jobs: number, rounds: number): Promise<BenchRow> {
  const scenario = (inHand: number) =>
    lineOf({
      jobs,
      seed: 1,
      workers: 2,
      services: [{ kind: 'constant', mean: 1 }],
      rate: null,
      batch: { size: 1, inHand },
    })
  const perJob = async (inHand: number) => (await run(page, scenario(inHand))).perJob
  const best = await least(rounds, { one: () => perJob(1), two: () => perJob(2) })
  return {
    name: 'dispatch one by one, a second batch in hand',
    figures: {
      'in hand 1 us a job': best.one,
      'in hand 2 us a job': best.two,
      'jobs a second over one in hand (1.8)': best.one / best.two,
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

/** Jobs that keep a core busy for 0.2 ms, one by one and in adaptive batches: the time over the work itself, shared evenly. */
async function small(page: Page, jobs: number, rounds: number): Promise<BenchRow> {
  const services: Service[] = [{ kind: 'constant', mean: 200 }]
  const over = async (workers: number, batch: object) =>
    ((await run(page, lineOf({ jobs, seed: 1, workers, services, rate: null, batch }))).makespan * workers) /
    (jobs * 200)
  const best = await least(rounds, {
    one: () => over(1, { adaptive: true }),
    two: () => over(2, { adaptive: true }),
    singly: () => over(2, { size: 1 }),
  })
  return {
    name: 'burning 0.2 ms, adaptive batches',
    figures: {
      'one over the work itself (1.15)': best.one,
      'two over the work itself (1.15)': best.two,
      'two, one by one': best.singly,
    },
  }
}

/** A picture whose tiles travel between the threads: 96 tiles through four kernels. */
async function painting(page: Page, rounds: number, iterations: number): Promise<BenchRow> {
  const picture = presetOf('mandelbrot')?.scenario
  if (picture === undefined) throw new Error('there is no preset with a picture')
  const source = { ...(picture.source as Picture), width: 768, height: 512, tile: 64, iterations }
  const makespan = async (workers: number) =>
    (await run(page, { ...picture, source, workers, cores: workers })).makespan
  const { one, two } = await least(rounds, { one: () => makespan(1), two: () => makespan(2) })
  return {
    name: 'a picture of 96 tiles',
    figures: { 'two workers over one (1.85)': one / two, 'one worker ms': one / 1000 },
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

async function starting(page: Page, rounds: number): Promise<BenchRow> {
  const services: Service[] = [{ kind: 'constant', mean: 1000 }]
  const first = async (workers: number) =>
    (await run(page, lineOf({ jobs: 50, seed: 1, workers, services, rate: null, work: 'wait' }))).firstStarted
  const { two, eight } = await least(rounds, { two: () => first(2), eight: () => first(8) })
  return {
    name: 'from start to the first started row on the page',
    figures: { '2 workers ms': two, '8 workers ms': eight },
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
