import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { toJsonFragment } from '../../src/scenario/link/codec.ts'
import type { Scenario, Service, Stage } from '../../src/scenario/model/scenario.ts'
import { lineOf } from './scenarios.ts'
import { type BenchRow, type Tools, valueAt } from './tools.ts'

type Asked = [name: string, threads: boolean, scenario: Scenario]

interface Watched {
  /** Milliseconds between successive frames. */
  readonly frames: number[]
  /** Milliseconds from the click until the picture of the pipeline had changed; NaN: not within the time. */
  readonly moved: number
}

/** The built page in a real browser: what it fetches first, when it paints, from Run to the first motion, and how smooth it is. */
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
  ]
  for (const asked of runs) rows.push(await running(browser, address, asked, seconds, rounds))
  rows.push(await firstLoad(browser, address, rounds))
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

/** Scripts that a first visit fetches before the page can be used, those of its threads not yet; and when it paints first. */
async function firstLoad(browser: Browser, address: string, rounds: number): Promise<BenchRow> {
  let paint = Infinity
  let scripts: Buffer[] = []
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage()
    const bodies: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') bodies.push(response.body())
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    scripts = await Promise.all(bodies)
    paint = Math.min(
      paint,
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime),
    )
    await page.close()
  }
  const kilobytes = scripts.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0) / 1000
  return {
    name: 'first visit',
    figures: { 'scripts, gzip kB (250)': kilobytes, files: scripts.length, 'first paint ms': paint },
  }
}
