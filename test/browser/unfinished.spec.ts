import { expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { chooseEngine, LONG, playhead, statusOf, visit } from './driver/visit.ts'

/** Sleeping workers for a good while: 4,000 services of 50 ms. */
const long = {
  version: 1,
  title: 'Long',
  source: { kind: 'batch', jobs: 2000 },
  stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 50_000 }, work: 'wait' })),
  workers: 2,
}

/** The part of a record that may be lost. */
const FIVE_SECONDS = 5_000_000

test('a run on Web Workers cut short by a crash or a reload is offered at the next visit, and opened or discarded on request', async ({
  page,
  context,
}) => {
  await visit(page, jsonLink(long))
  await chooseEngine(page, 'Web Workers')
  const reached = await runUntil(page, 6_000_000)
  await crash(page)

  const next = await context.newPage()
  await visit(next)
  // The scenario is there; the run only after a click.
  await expect(next.getByRole('button', { name: 'Scenarios: Long' })).toBeVisible()
  await expect(offerOn(next)).toContainText('“Long” was cut short')
  await expect(statusOf(next)).toHaveText('Ready. Press Run.')
  await offerOn(next).getByRole('button', { name: 'Open it' }).click()
  await expect(statusOf(next)).toHaveText(/^Stopped: .* Recorded in an earlier visit\.$/, LONG)
  await expect
    .poll(async () => Number(await playhead(next).getAttribute('max')))
    .toBeGreaterThan(reached - FIVE_SECONDS)
  await expect(offerOn(next)).toHaveCount(0)
  await expect.poll(() => isAnythingKept(next)).toBe(false)

  await runUntil(next, 3_000_000)
  await next.reload()
  await offerOn(next).getByRole('button', { name: 'Discard' }).click()
  await expect(offerOn(next)).toHaveCount(0)
  await expect.poll(() => isAnythingKept(next)).toBe(false)
  await expect(statusOf(next)).toHaveText('Ready. Press Run.')
})

/** Without stored runs nothing is offered at a later visit. */
function isAnythingKept(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('apportion')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = reject
    })
    const counting = database.transaction('runs').objectStore('runs').count()
    await new Promise((resolve) => {
      counting.onsuccess = resolve
    })
    database.close()
    return counting.result > 0 || localStorage.getItem('apportion.run') !== null
  })
}

function offerOn(page: Page): Locator {
  return page.getByRole('region', { name: 'Cut short' })
}

/** Plays until the playhead reaches a time; returns the time that it has reached. */
async function runUntil(page: Page, time: number): Promise<number> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(async () => Number(await playhead(page).inputValue()), LONG).toBeGreaterThan(time)
  return Number(await playhead(page).inputValue())
}

/** Kills the page's process, as the browser does when memory runs out: no unload event is sent. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  void session.send('Page.crash').catch(() => {})
  await crashed
}
