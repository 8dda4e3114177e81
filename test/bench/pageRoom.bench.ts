import type { Browser, Page } from 'playwright-core'
import { toJsonFragment } from '../../src/scenario/link/codec.ts'
import type { Scenario, Service } from '../../src/scenario/model/scenario.ts'
import { open } from './endurance/page.ts'
import type { ThreadsPage } from './pages/threads.ts'
import { processorTime } from './processorTime.ts'
import { lineOf } from './scenarios.ts'
import type { BenchRow, Tools } from './tools.ts'

/** How much processor time the page leaves to real workers: the share of a core for drawing while they wait, and their speed while they burn. */
export default async function pageRoom({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const bareAddress = await serve('test/bench/pages/threads.html')
  const browser = await launch()
  const waits: Service[] = [6000, 12_000, 9000].map((mean) => ({ kind: 'exponential', mean }))
  const waiting = lineOf({ jobs: 20_000, seed: 3, workers: 8, services: waits, rate: 220, work: 'wait' })
  const burns: Service[] = [{ kind: 'constant', mean: 4000 }]
  const seconds = quick ? 1 : 8
  const burning = lineOf({ jobs: 20_000, seed: 1, workers: 2, services: burns, rate: null })
  const rows = [
    await share(browser, address, 'eight workers wait', waiting, seconds, 60),
    await share(browser, address, 'two workers burn two cores', burning, seconds, 15),
  ]
  const bare = await browser.newPage()
  await bare.goto(bareAddress)
  await bare.waitForFunction(() => 'threads' in window)
  const jobs = quick ? 50 : 400
  const best = { page: [Infinity, Infinity], bare: [Infinity, Infinity] }
  for (let round = 0; round < (quick ? 1 : 3); round++)
    for (const workers of [1, 2]) {
      const scenario = lineOf({ jobs, seed: 1, workers, services: burns, rate: null })
      for (const [where, took] of [
        ['page', await makespanIn(browser, address, scenario)] as const,
        ['bare', await makespanOn(bare, scenario)] as const,
      ])
        best[where][workers - 1] = Math.min(best[where][workers - 1], took)
    }
  for (const [where, [one, two]] of Object.entries(best)) {
    const name = where === 'page' ? 'burning 4 ms in the page' : 'the same in a bare page'
    rows.push({
      name,
      figures: { 'two workers over one (1.75)': one / two, 'one over the work itself (1.05)': one / (jobs * 4000) },
    })
  }
  return rows
}

/** The time of a frame, and the share of a core that drawing needs at this frame rate: on a busy machine fewer frames are drawn. */
async function share(
  browser: Browser,
  address: string,
  name: string,
  scenario: Scenario,
  seconds: number,
  rate: number,
): Promise<BenchRow> {
  const page = await start(browser, address, scenario)
  // The first moments are for starting.
  await page.waitForTimeout(2000)
  const drawn = await page.evaluateHandle(countFrames)
  const before = await processorTime(browser)
  await page.waitForTimeout(seconds * 1000)
  const after = await processorTime(browser)
  const frames = await drawn.evaluate(({ count }) => count)
  await page.close()
  return {
    name,
    figures: {
      "page's thread, ms a frame (5)": (1000 * (after.page - before.page)) / frames,
      'its share of a core at full rate (0.3)': (rate * (after.page - before.page)) / frames,
      'all that draws, the same': (rate * (after.drawing - before.drawing)) / frames,
      'frames drawn a second': frames / seconds,
      'cores that the workers got': (after.workers - before.workers) / seconds,
    },
  }
}

/** Counts the frames that the page requests from now on. Watching every frame would itself request them. */
function countFrames(): { count: number } {
  const frames = { count: 0 }
  const real = window.requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (call) =>
    real((now) => {
      frames.count++
      call(now)
    })
  return frames
}

async function start(browser: Browser, address: string, scenario: Scenario): Promise<Page> {
  const page = await open(browser, address + toJsonFragment(scenario))
  await page.getByRole('radio', { name: 'Web Workers' }).check()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  return page
}

/** Returns the makespan of a run in the real page, from its slider, in microseconds. */
async function makespanIn(browser: Browser, address: string, scenario: Scenario): Promise<number> {
  const page = await start(browser, address, scenario)
  await page
    .getByRole('status')
    .filter({ hasText: /^Finished/ })
    .waitFor({ timeout: 120_000 })
  await page.waitForTimeout(500)
  const most = await page.getByRole('slider', { name: 'Time', exact: true }).getAttribute('max')
  await page.close()
  return Number(most)
}

function makespanOn(bare: Page, scenario: Scenario): Promise<number> {
  return bare.evaluate(
    async (played) => (await (window as unknown as { threads: ThreadsPage }).threads.run(played)).makespan,
    scenario,
  )
}
