import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { run, visit } from './driver/visit.ts'
import { createGauge, type Gauge, type Reading } from './endurance/gauge.ts'
import { openAndClose, openings, putInAndOut } from './endurance/mounts.ts'
import { askedInTurn, play, rest } from './endurance/runs.ts'

// A recording would keep memory in the page.
test.use({ trace: 'off', screenshot: 'off' })

const MB = 1_048_576

test('run after run, simulated and on Web Workers, leaves no thread, no listener and no memory behind', {
  tag: '@alone',
}, async ({ page }) => {
  await visit(page)
  const gauge = await gaugeOf(page)
  const asked = askedInTurn()
  // The same runs twice, with the same views open: all code is fetched and compiled after the first time.
  const after = async () => {
    await play(page, asked, 1, 12)
    await rest(page, asked)
    return gauge.read()
  }
  expectFlat(await after(), await after(), 12)
})

test('opening and closing dialogs, panels and an embedded page leaks nothing', { tag: '@alone' }, async ({
  page,
  baseURL,
}) => {
  await visit(page)
  await run(page)
  const gauge = await gaugeOf(page)
  const each = async (times: number) => {
    for (const opened of openings) await openAndClose(page, opened, times)
    await page.waitForTimeout(500)
    return gauge.read()
  }
  await each(2)
  expectFlat(await each(1), await each(3), 3)

  const bare = `${baseURL}bare`
  await page.route(bare, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Bare</title><script type="module" src="./embed.js"></script>',
    }),
  )
  await page.goto(bare)
  const asleep = jsonLink({
    version: 1,
    source: { kind: 'batch', jobs: 2000 },
    stages: [{ id: 'A', work: 'wait' }],
    workers: 2,
  })
  const mounts = async (times: number) => {
    await putInAndOut(page, baseURL ?? '', asleep, times)
    await page.waitForTimeout(1000)
    return gauge.read()
  }
  expectFlat(await mounts(2), await mounts(6), 6)
})

function gaugeOf(page: Page): Promise<Gauge> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('there is no browser')
  return createGauge(browser, page)
}

/** Less than one listener and ten nodes more each time: the contents in between may differ slightly. */
function expectFlat(before: Reading, after: Reading, times: number): void {
  expect(after.workers).toBe(before.workers)
  // The one that simulates what is on the canvas stays.
  expect(after.workers).toBeLessThanOrEqual(1)
  expect(after.documents).toBeLessThanOrEqual(before.documents)
  expect(after.listeners - before.listeners).toBeLessThan(times)
  expect(after.nodes - before.nodes).toBeLessThan(10 * times)
  expect((after.heap - before.heap) / MB).toBeLessThan(3)
}
