import type { Browser } from 'playwright-core'
import { createGauge, type Reading } from './endurance/gauge.ts'
import { openAndClose, openings, putInAndOut } from './endurance/mounts.ts'
import { ended, fragmentOf, open } from './endurance/page.ts'
import { gainedOf, series, tell } from './endurance/table.ts'
import type { BenchRow, Tools } from './tools.ts'

/** Opens and closes parts of the page hundreds of times, and measures the remaining memory: the whole app, then each of its tabs and dialogs. */
export default async function enduranceMounts({ quick, launch, serve }: Tools): Promise<BenchRow[]> {
  const address = await serve()
  const browser = await launch()
  const times = quick ? 20 : 200
  return [...(await manyMounts(browser, address, times)), ...(await manyPanels(browser, address, times))]
}

/** The whole app mounted in an empty page and removed again, in the middle of a run on threads. */
async function manyMounts(browser: Browser, address: string, times: number): Promise<BenchRow[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const bare = new URL('bare', address).href
  await page.route(bare, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Bare</title><script type="module" src="./embed.js"></script>',
    }),
  )
  await page.goto(bare)
  const gauge = await createGauge(browser, page)
  const asleep = {
    version: 1,
    title: 'Asleep',
    source: { kind: 'batch', jobs: 2000 },
    stages: [{ id: 'A', work: 'wait' }],
    workers: 2,
  }
  const step = times / 10
  const readings: Reading[] = []
  for (let from = 0; from < times; from += step) {
    await putInAndOut(page, address, fragmentOf(asleep), step)
    await page.waitForTimeout(1500)
    readings.push(await gauge.read())
    tell(`${from + step} mounts and unmounts`, readings)
  }
  await page.close()
  return series('mounts and unmounts', readings, step)
}

/** Each tab, panel and dialog opened and closed: the growth in the second half of the repetitions. */
async function manyPanels(browser: Browser, address: string, times: number): Promise<BenchRow[]> {
  const page = await open(browser, address)
  const gauge = await createGauge(browser, page)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await ended(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  const rows: BenchRow[] = []
  for (const opened of openings) {
    await openAndClose(page, opened, times / 2)
    await page.waitForTimeout(1000)
    const before = await gauge.read()
    await openAndClose(page, opened, times / 2)
    await page.waitForTimeout(1000)
    const after = await gauge.read()
    rows.push({ name: `${opened.name}, opened ${times} times: the second half left`, figures: gainedOf(before, after) })
    console.log(`  ${opened.name}: ${JSON.stringify(rows[rows.length - 1].figures)}`)
  }
  await page.close()
  return rows
}
