import type { Browser, Page } from 'playwright-core'
import type { Service } from '../../src/scenario/model/scenario.ts'
import type { Frames, TimelinePage } from './pages/timeline.ts'
import { lineOf } from './scenarios.ts'
import { type BenchRow, type Tools, valueAt } from './tools.ts'

declare const timelinePage: TimelinePage

/** The timeline of a run of 1,000,000 services in a real browser: script time per frame, and that of simpler drawings. */
export default async function timeline({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const browser = await launch()
  const address = await serve('test/bench/pages/timeline.html')
  const rows: BenchRow[] = []
  for (const ratio of quick ? [1] : [1, 2])
    rows.push(...(await measure(await open(browser, address, ratio), ratio, quick)))
  return rows
}

async function open(browser: Browser, address: string, deviceScaleFactor: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor })
  await page.goto(address)
  await page.waitForFunction(() => 'timelinePage' in window)
  return page
}

async function measure(page: Page, ratio: number, quick: boolean): Promise<BenchRow[]> {
  const services: Service[] = [1800, 2400, 2000, 2100].map((mean) => ({ kind: 'exponential', mean }))
  const scenario = lineOf({ jobs: quick ? 5000 : 250_000, seed: 3, workers: 8, services, rate: 900 })
  const built = await page.evaluate((asked) => timelinePage.build(asked), scenario)
  const frames = quick ? 20 : 240
  const rounds = quick ? 1 : 7
  const name = (what: string) => (ratio === 1 ? what : `${what}, ${ratio} pixels to one`)
  const rows: BenchRow[] = [
    { name: name('building'), figures: { spans: built.spans, decisions: built.decisions, ms: built.chart } },
    {
      name: name('scrubbing'),
      figures: smoothness(await page.evaluate(([n, m]) => timelinePage.scrub(n, m), [frames, rounds] as const)),
    },
    {
      name: name('zooming and panning'),
      figures: smoothness(await page.evaluate(([n, m]) => timelinePage.zoom(n, m), [frames, rounds] as const)),
    },
  ]
  if (ratio === 1) {
    const { ours, lanes, finding, bars, join, runs } = await page.evaluate((n) => timelinePage.overview(n), rounds)
    rows.push(
      { name: 'whole run, everything', figures: { ms: ours } },
      { name: 'whole run, lanes alone', figures: { ms: lanes } },
      { name: 'every bar on a canvas', figures: { ms: bars, 'times our lanes (300)': bars / lanes } },
      { name: 'd3 join of pixel runs', figures: { ms: join, 'times our lanes (20)': join / lanes, rectangles: runs } },
      {
        name: 'the same with a look at every span to find them',
        figures: { ms: join + finding, 'times our lanes (20)': (join + finding) / lanes },
      },
    )
    const zooms = [1, 4, 16, 64, 256, 1024, 4096]
    const wrong = await page.evaluate((list) => timelinePage.wrong(list), zooms)
    rows.push({
      name: 'pixels of another stage (1.5%; 0)',
      figures: Object.fromEntries(zooms.map((zoom, k) => [`zoom ${zoom}`, `${(100 * wrong[k]).toPrecision(2)}%`])),
    })
    const line = await page.evaluate(([points, n]) => timelinePage.line(points, n), [
      quick ? 10_000 : 1_000_000,
      rounds,
    ] as const)
    rows.push(
      { name: 'line of 1,000,000 points', figures: { ms: line.ours } },
      { name: 'uPlot', figures: { ms: line.uplot, 'times ours (10)': line.uplot / line.ours } },
    )
  }
  await page.close()
  return rows
}

function smoothness({ script, frame }: Frames): BenchRow['figures'] {
  return {
    'script ms, median (2)': valueAt(script, 0.5),
    'script ms, p95 (4)': valueAt(script, 0.95),
    'script ms, most': valueAt(script, 1),
    'frame ms, median': valueAt(frame, 0.5),
    'frame ms, p95 (16.7)': valueAt(frame, 0.95),
  }
}
