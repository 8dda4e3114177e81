import { type Browser, expect, type Page, test, type Worker } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import {
  alertOf,
  chooseEngine,
  downloadTrace,
  ended,
  followLink,
  LONG,
  openView,
  playhead,
  run,
  statusOf,
  visit,
} from './driver/visit.ts'

const stages = (mean: number, work: string) =>
  ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean }, work }))
const asleep = {
  version: 1,
  title: 'Asleep',
  source: { kind: 'batch', jobs: 200 },
  stages: stages(50_000, 'wait'),
  workers: 2,
}
const SECOND = 1_000_000

test('missing scripts of threads end the run with a message, and with the scripts back it runs', async ({ page }) => {
  await visit(page, jsonLink({ ...asleep, source: { kind: 'batch', jobs: 12 } }))
  await chooseEngine(page, 'Web Workers')
  const conductor = /conductor\.worker/
  await page.route(conductor, (route) => route.fulfill({ status: 404, body: 'not here' }))
  await run(page, /^Failed: a thread of the page broke\.$/)
  await page.unroute(conductor)

  // The conductor requests the script of the pool, and that request cannot be intercepted, so it is redirected.
  await page.route(conductor, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll(/pool\.worker-[\w-]+\.js/g, 'nowhere.js'),
    })
  })
  await run(
    page,
    /^Failed: 0 of 12 jobs .*, 2 workers lost \(worker [12] could not be loaded\); no worker is left to serve the rest\.$/,
  )
  await page.unroute(conductor)
  await run(page, /^Finished: 12 of 12 jobs/)

  await chooseEngine(page, 'Simulation')
  await page.route(/simulation\.worker/, (route) => route.abort())
  await run(page, /^Failed: a thread of the page broke\.$/)
})

test('a thread that is killed is a lost worker, one that hangs is given up, and the others finish all jobs; a killed conductor ends the run in words', async ({
  page,
}) => {
  await visit(page, jsonLink({ ...asleep, workers: 4 }))
  await chooseEngine(page, 'Web Workers')
  // Chromium lists killed threads for longer.
  const before = new Set<Worker>()
  const named = (name: string) => page.workers().filter((worker) => !before.has(worker) && worker.url().includes(name))
  const begun = async () => {
    for (const worker of page.workers()) before.add(worker)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => named('pool.worker').length, LONG).toBe(4)
    await expect(statusOf(page)).toHaveText(/^Running/, LONG)
  }
  await begun()
  const [first, second] = named('pool.worker')
  await first.evaluate(() => self.close())
  // Nobody waits for this one, which never returns.
  void second
    .evaluate(() => {
      for (;;);
    })
    .catch(() => {})
  await ended(page, /^Finished: 200 of 200 jobs.* 2 workers lost/)
  const { failures } = await downloadTrace(page)
  expect(failures.map(({ kind, reason }) => `${kind}: ${reason}`).sort()).toEqual([
    'worker: has ended',
    'worker: has not answered and is given up',
  ])

  await begun()
  await named('conductor')[0].evaluate(() => self.close())
  await expect(statusOf(page)).toHaveText(/^Failed.*a thread of the page has ended/, LONG)

  // One that hangs says nothing any more: the page says so, and Stop works.
  await begun()
  void named('conductor')[0]
    .evaluate(() => {
      for (;;);
    })
    .catch(() => {})
  await expect(statusOf(page)).toHaveText(/^No answer for 30 s/, LONG)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(statusOf(page)).toHaveText(/^Stopped/)
  await run(page, /^Finished: 200 of 200/)
})

test('a part that cannot be fetched shows a message in its place each time, and the rest of the page works', async ({
  page,
}) => {
  await visit(page)
  await page.route(/assets\/(TextPanel|ComparePanel)-.*\.js$/, (route) => route.abort('internetdisconnected'))
  await page.getByRole('tab', { name: 'JSON' }).click()
  await expect(alertOf(page).filter({ hasText: 'This part of the page cannot be shown' })).toHaveCount(1)
  const missing = page.getByRole('region', { name: 'A part of the page is missing' })
  await missing.getByRole('button', { name: 'Later' }).click()
  await expect(missing).toBeHidden()
  await openView(page, 'Compare')
  await expect(page.getByRole('tabpanel', { name: 'Compare' })).toContainText('This part of the page cannot be shown')
  await expect(missing).toBeVisible()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await followLink(page, '#json=%7B')
  await expect(alertOf(page).filter({ hasText: 'Nothing was changed.' })).toHaveCount(1)
  await run(page)
})

test('a page that is hidden, edited and suspended with its machine continues the run, and no worker counts as lost', {
  tag: '@alone',
}, async ({ page, browser }) => {
  await visit(page, jsonLink(asleep))
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(async () => Number(await playhead(page).inputValue()), LONG).toBeGreaterThan(SECOND)
  // A run is frozen with its scenario.
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('5')
  await freeze(page, 4000)
  await expect(statusOf(page)).toHaveText('Running on 2 Web Workers.')
  if (process.platform !== 'win32') await closeTheLid(browser, 4000)
  await expect(statusOf(page)).toHaveText(/^Finished: 200 of 200 jobs in [\d.]+ s\./, LONG)
  await expect(page.getByText('Edited since this run.')).toBeVisible()
  const trace = await downloadTrace(page)
  expect(trace.failures).toEqual([])
  expect(trace.scenario).toMatchObject({ workers: 2 })
})

test('a page that was hidden for a while shows the whole run so far', async ({ page }) => {
  await visit(page, jsonLink({ ...asleep, source: { kind: 'batch', jobs: 500 } }))
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(async () => Number(await playhead(page).inputValue()), LONG).toBeGreaterThan(SECOND)
  await freeze(page, 4000)
  await expect.poll(async () => Number(await playhead(page).inputValue()), LONG).toBeGreaterThan(5 * SECOND)
  await expect(statusOf(page)).toHaveText(/^Finished: 500 of 500 jobs/, LONG)
  const trace = await downloadTrace(page)
  expect(trace.failures).toEqual([])
  const served = trace.events.job.filter((_, i) => trace.kinds[trace.events.kind[i]] === 'finished')
  expect([...served].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i >> 1))
})

/** As in a hidden page: its main thread pauses, the others continue. */
async function freeze(page: Page, milliseconds: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  await session.send('Page.setWebLifecycleState', { state: 'active' })
}

/** All threads of the page pause while the clock continues. */
async function closeTheLid(browser: Browser, milliseconds: number): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  expect(pages).not.toEqual([])
  for (const id of pages) process.kill(id, 'SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  for (const id of pages) process.kill(id, 'SIGCONT')
}
