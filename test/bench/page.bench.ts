import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { toJsonFragment, toShortFragment } from '../../src/scenario/link/codec.ts'
import type { Scenario, Service, Stage } from '../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { comb, lineOf } from './scenarios.ts'
import { type BenchRow, type Tools, valueAt } from './tools.ts'

type Asked = [name: string, threads: boolean, scenario: Scenario]

interface Watched {
  /** Milliseconds between successive frames. */
  readonly frames: number[]
  /** Milliseconds from the click until the picture of the pipeline had changed; NaN: not within the time. */
  readonly moved: number
}

/** The built page in a real browser: smoothness, response time and size; and the length of a link. */
export default async function page({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const browser = await launch()
  const seconds = quick ? 1 : 5
  const rounds = quick ? 1 : 3
  const rows: BenchRow[] = [await idle(browser, address, seconds)]
  const runs: Asked[] = [
    ['two workers that burn', true, line('burn')],
    ['two workers that wait', true, line('wait')],
    ['simulation, played back', false, line('burn')],
    ['a graph, eight workers that wait', true, graph()],
    ['a graph, simulation played back', false, graph()],
    [
      'a comb of 256 stages, simulation played back',
      false,
      comb({ source: { kind: 'poisson', rate: 40, jobs: 1000 }, service: 1000, workers: 64 }),
    ],
  ]
  for (const asked of runs) rows.push(await running(browser, address, asked, seconds, rounds))
  rows.push(await firstLoad(browser, address), linkOf(address))
  return rows
}

async function open(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(address)
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  return page
}

function line(work: Stage['work']): Scenario {
  const services: Service[] = [2000, 5000, 3000].map((mean) => ({ kind: 'exponential', mean }))
  return lineOf({ jobs: 4000, seed: 3, workers: 2, services, rate: 180, work })
}

/** Twelve stages as a person would present them: copies that meet again, a route, a bounded queue, an ordered sink. */
function graph(): Scenario {
  const stage = (id: string, mean: number, more: object = {}) => ({
    id,
    service: { kind: 'exponential', mean },
    work: 'wait',
    ...more,
  })
  const links = 'source>A A>B A>C B>D C>D D>E D>F E>G F>H G>I H>I I>J I>K J>L K>L L>sink'
    .split(' ')
    .map((link) => link.split('>'))
  return scenarioWith({
    seed: 3,
    source: { kind: 'poisson', rate: 110, jobs: 4000 },
    stages: [
      stage('A', 3000),
      stage('B', 8000),
      stage('C', 5000),
      stage('D', 4000, { join: 'all', fanOut: { route: { E: 2, F: 1 } } }),
      stage('E', 7000),
      stage('F', 9000),
      stage('G', 3000, { capacity: 20 }),
      stage('H', 6000),
      stage('I', 4000),
      stage('J', 5000),
      stage('K', 8000),
      stage('L', 2000, { join: 'all' }),
    ],
    links,
    workers: 8,
    order: { kind: 'buffer', slots: 64 },
  })
}

/** The frame rate of this browser on this machine while idle: the others cannot be smoother. */
async function idle(browser: Browser, address: string, seconds: number): Promise<BenchRow> {
  const page = await open(browser, address)
  const { frames } = await page.evaluate(watch, { seconds, click: false })
  await page.close()
  return { name: 'nothing runs', figures: smoothness(frames) }
}

async function running(
  browser: Browser,
  address: string,
  [name, threads, scenario]: Asked,
  seconds: number,
  rounds: number,
): Promise<BenchRow> {
  let smoothest: Watched | null = null
  let soonest = Infinity
  for (let round = 0; round < rounds; round++) {
    const page = await open(browser, address + toJsonFragment(scenario))
    await page.getByRole('radio', { name: threads ? 'Web Workers' : 'Simulation' }).check()
    const watched = await page.evaluate(watch, { seconds, click: true })
    await page.close()
    if (watched.moved < soonest) soonest = watched.moved
    if (smoothest === null || long(watched.frames) < long(smoothest.frames)) smoothest = watched
  }
  return { name, figures: { ...smoothness(smoothest?.frames ?? []), 'click to movement ms (150)': soonest } }
}

/**
 * Runs in the page. Watches each frame for `seconds`; with `click`, presses Run first and records when the pipeline looks
 * different for the first time, in the words and shapes of its section or on its canvases.
 */
async function watch({ seconds, click }: { seconds: number; click: boolean }): Promise<Watched> {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const section = document.querySelector('section[aria-label="Pipeline"]')
  const small = new OffscreenCanvas(64, 64).getContext('2d', { willReadFrequently: true })
  const picture = () => {
    const painted = [...(section?.querySelectorAll('canvas') ?? [])].map((canvas) => {
      if (small === null || canvas.width === 0 || canvas.height === 0) return ''
      small.clearRect(0, 0, 64, 64)
      small.drawImage(canvas, 0, 0, 64, 64)
      return small.getImageData(0, 0, 64, 64).data.join()
    })
    return (section?.textContent ?? '') + (section?.innerHTML ?? '') + painted.join()
  }
  let moved = Number.NaN
  if (click) {
    const before = picture()
    const began = performance.now()
    ;[...document.querySelectorAll('button')].find((button) => button.textContent?.trim() === 'Run')?.click()
    while (!(moved >= 0) && performance.now() - began < 3000) {
      await frame()
      if (picture() !== before) moved = performance.now() - began
    }
    // The first moments are for starting; smoothness is measured after that.
    for (let k = 0; k < 30; k++) await frame()
  }
  const frames: number[] = []
  let last = await frame()
  const end = last + seconds * 1000
  while (last < end) {
    const now = await frame()
    frames.push(now - last)
    last = now
  }
  return { frames, moved }
}

function smoothness(frames: readonly number[]): BenchRow['figures'] {
  const sum = frames.reduce((total, one) => total + one, 0)
  return {
    'frames a second (60)': (1000 * frames.length) / sum,
    'median ms': valueAt(frames, 0.5),
    'p95 ms': valueAt(frames, 0.95),
    'over 20 ms': `${long(frames).toPrecision(2)}%`,
  }
}

/** Share of frames, in percent, that came too late for 60 a second. */
function long(frames: readonly number[]): number {
  return (100 * frames.filter((one) => one > 20).length) / frames.length
}

/** The scripts that the page has fetched when it is ready to run; those of its threads are fetched later. */
async function firstLoad(browser: Browser, address: string): Promise<BenchRow> {
  const page = await browser.newPage()
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body())
  })
  await page.goto(address, { waitUntil: 'networkidle' })
  const scripts = await Promise.all(bodies)
  await page.close()
  const kilobytes = (size: (body: Buffer) => number) => scripts.reduce((sum, body) => sum + size(body), 0) / 1000
  return {
    name: 'scripts of the first load',
    figures: {
      files: scripts.length,
      kB: kilobytes((body) => body.length),
      'gzip kB (250)': kilobytes((body) => gzipSync(body, { level: 9 }).length),
      'brotli kB (250)': kilobytes((body) => brotliCompressSync(body).length),
    },
  }
}

/** Six named stages with different services, one slow, one real, one that fails, and an order: more than most links contain. */
function linkOf(address: string): BenchRow {
  const scenario = scenarioWith({
    title: 'Orders on a Friday evening',
    seed: 42,
    source: { kind: 'poisson', rate: 120, jobs: 5000 },
    stages: [
      { id: 'receive', name: 'Receive', service: { kind: 'exponential', mean: 4000 } },
      { id: 'parse', name: 'Parse', service: { kind: 'constant', mean: 2500 } },
      { id: 'check', name: 'Check stock', service: { kind: 'lognormal', mean: 12_000, cv: 0.8 } },
      {
        id: 'price',
        name: 'Price',
        service: { kind: 'uniform', min: 3000, max: 9000 },
        changes: [{ from: 2000, service: { kind: 'constant', mean: 20_000 } }],
      },
      {
        id: 'pay',
        name: 'Pay',
        service: { kind: 'bimodal', fast: 5000, slow: 60_000, pSlow: 0.05 },
        work: 'wait',
        fails: { jobs: [17, 170] },
      },
      { id: 'ship', name: 'Ship', service: { kind: 'erlang', mean: 6000, k: 3 }, capacity: 200 },
    ],
    workers: 8,
    policy: { kind: 'leastScore' },
    batch: { size: 4 },
    switchCost: 500,
    order: { kind: 'buffer', slots: 256 },
  })
  const short = toShortFragment(scenario)
  return {
    name: 'link of six stages',
    figures: {
      'characters (250)': address.length + short.length,
      'after the address': short.length,
      'as JSON': toJsonFragment(scenario).length,
    },
  }
}
