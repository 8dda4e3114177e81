import { fileURLToPath } from 'node:url'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { build, type PreviewServer, preview } from 'vite'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { expectAccessible } from './driver/accessible.ts'
import { choose, chooseEngine, LONG, run, statusOf } from './driver/visit.ts'

// A recording of a failing spec would keep the service worker of the version before.
test.use({ serviceWorkers: 'allow', trace: 'off' })

const root = fileURLToPath(new URL('../../', import.meta.url))
const first = fileURLToPath(new URL('../../node_modules/.cache/apportion/site', import.meta.url))
const second = fileURLToPath(new URL('../../node_modules/.cache/apportion/site-of-a-later-version', import.meta.url))
const port = Number(process.env.APPORTION_PORT ?? 4319) + 1
const address = `http://localhost:${port}/`

let server: PreviewServer | null = null

async function serve(outDir: string): Promise<void> {
  await unplug()
  server = await preview({
    root,
    logLevel: 'warn',
    build: { outDir },
    preview: { port, strictPort: true, host: 'localhost', open: false },
  })
}

async function unplug(): Promise<void> {
  await server?.close()
  server = null
}

test.afterAll(unplug)

test('after one visit the page works without a network, offers a new version and loads it on request; an open page keeps its version', async ({
  page,
  browser,
}) => {
  await serve(first)
  const older = await withoutWorker(browser)
  await open(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), LONG).toBe(true)

  await unplug()
  await page.reload()
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  await run(page)
  await chooseEngine(page, 'Web Workers')
  await run(page)
  // The code of stages runs in a document of its own, which the service worker has too.
  await page.evaluate(
    (hash) => {
      location.hash = hash
    },
    jsonLink({ ...workedExample, stages: [{ ...workedExample.stages[0], work: { code: 'export default (n) => n' } }] }),
  )
  await chooseEngine(page, 'Web Workers')
  await run(page, /^Finished: 3 of 3/)
  await page.getByRole('tab', { name: 'JSON' }).click()
  await expect(page.getByRole('textbox', { name: 'Scenario as JSON' })).toBeVisible(LONG)
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('5')

  await laterVersion()
  await serve(second)
  const other = await page.context().newPage()
  await open(other)
  const offer = other.getByRole('region', { name: 'New version' })
  await expect(offer).toContainText('A new version is ready', LONG)
  await expect(page.getByRole('region', { name: 'New version' })).toBeVisible(LONG)
  await expectAccessible(other, 'a new version')
  // It is replaced only after a click.
  await other.reload()
  await expect(await about(other)).toHaveAccessibleName('About Apportion')
  await other.keyboard.press('Escape')
  await expect(offer).toBeVisible(LONG)
  await other.getByRole('spinbutton', { name: 'Workers' }).fill('3')
  await Promise.all([other.waitForEvent('load'), offer.getByRole('button', { name: 'Reload' }).click()])
  await expect(await about(other)).toHaveAccessibleName('About Apportion, later')
  await expect(other.getByRole('spinbutton', { name: 'Workers', includeHidden: true })).toHaveValue('3')

  // The page that is still open with the first version finds what it has not fetched yet.
  await expect(await about(page)).toHaveAccessibleName('About Apportion')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('5')
  await page.reload()
  await expect(await about(page)).toHaveAccessibleName('About Apportion, later')
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length), LONG).toBe(1)

  // Without a service worker a part may be missing: that is reported, and nothing is lost.
  await older.getByRole('spinbutton', { name: 'Workers' }).fill('6')
  await older.getByRole('tab', { name: 'JSON' }).click()
  const missing = older.getByRole('region', { name: 'A part of the page is missing' })
  await expect(missing).toContainText('There is no network', LONG)
  await expect(statusOf(older)).toBeVisible()
  await Promise.all([older.waitForEvent('load'), missing.getByRole('button', { name: 'Reload' }).click()])
  await expect(older.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('6')
  await expect(await about(older)).toHaveAccessibleName('About Apportion, later')
  await older.context().close()
})

/** The same app with one word changed in a part that is fetched on demand. */
async function laterVersion(): Promise<void> {
  const later = {
    name: 'later',
    transform: (code: string, id: string) =>
      id.endsWith('/AboutDialog.tsx') ? code.replace('About Apportion', 'About Apportion, later') : null,
  }
  await build({
    root,
    logLevel: 'warn',
    plugins: [{ ...later, enforce: 'pre' }],
    build: { outDir: second, emptyOutDir: true },
  })
}

async function open(page: Page): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
}

/** A browser without offline storage. */
async function withoutWorker(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await open(page)
  return page
}

/** A dialog that is fetched on opening. */
async function about(page: Page) {
  await choose(page, 'About and keys')
  return page.getByRole('dialog', { name: /About/ })
}
