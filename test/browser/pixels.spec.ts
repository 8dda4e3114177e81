import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { answered, choose, drawn, openView, run, visit } from './driver/visit.ts'
import { neverVisited } from './driver/visits.ts'

// Twelve views as pictures. Only the browser with which they were made draws the same pixels. After a change that is meant:
// npx playwright test pixels.spec --config test/browser/playwright.config.ts --project=page --update-snapshots
// A difference leaves three pictures in test-results: what was expected, what came, and where they differ.

const madeWith = new URL('../golden/pixels/made-with.json', import.meta.url)
const madeHere = (browser: Browser) => ({
  platform: `${process.platform} ${process.arch}`,
  chromium: browser.version(),
})

test.use({ viewport: { width: 860, height: 600 }, contextOptions: { reducedMotion: 'reduce' } })

test.beforeEach(({ browser }, { config }) => {
  const here = madeHere(browser)
  if (/^(all|changed)$/.test(config.updateSnapshots)) writeFileSync(madeWith, `${JSON.stringify(here, null, 2)}\n`)
  const made = existsSync(madeWith) ? (JSON.parse(readFileSync(madeWith, 'utf8')) as typeof here) : null
  const same = made?.platform === here.platform && made.chromium === here.chromium
  test.skip(
    !same,
    `the pictures were made with Chromium ${made?.chromium} on ${made?.platform}; this is ${here.chromium} on ${here.platform}`,
  )
})

const scenario = {
  version: 1,
  title: 'A line of three',
  seed: 7,
  source: { kind: 'regular', rate: 60, jobs: 120 },
  stages: [
    { id: 'a', name: 'Read', service: { kind: 'constant', mean: 20_000 } },
    { id: 'b', name: 'Parse', service: { kind: 'constant', mean: 70_000 } },
    { id: 'c', name: 'Write', service: { kind: 'constant', mean: 10_000 } },
  ],
  workers: 6,
}
const link = jsonLink(scenario)
const middle = `${link}&run=simulation&t=1000000`

type Shot = {
  readonly part?: Locator
  readonly clip?: { x: number; y: number; width: number; height: number }
  readonly mask?: Locator[]
}

/** Compares what is on the screen, or a part of it. */
async function looksLike(page: Page, name: string, { part, clip, mask = [] }: Shot = {}): Promise<void> {
  // Parts that are fetched later, and the pictures of the fonts.
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  await page.mouse.move(0, 0)
  await part?.scrollIntoViewIfNeeded()
  await drawn(page)
  const options = { maxDiffPixelRatio: 0.001, animations: 'disabled', caret: 'hide', mask } as const
  if (part === undefined)
    await expect(page).toHaveScreenshot(`${name}.png`, clip === undefined ? options : { ...options, clip })
  else await expect(part).toHaveScreenshot(`${name}.png`, options)
}

/** Opens a link whose run is over and whose playback stands. */
async function stands(page: Page, fragment: string): Promise<void> {
  await page.goto(`/${fragment}`)
  await expect(page.locator('[role=status]')).toHaveText(/^(Simulated|Finished)/)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await settled(page)
}

/** The status line, where it says how long the simulation took here. */
const tookOf = (page: Page): Locator => page.locator('.status')

/** Waits for what is worked out in other threads after a run. */
async function settled(page: Page): Promise<void> {
  await answered(page)
  await expect(page.getByText('times faster than fixed workers')).toBeVisible()
  await expect(page.getByText('What would have changed it')).toBeAttached()
}

test.describe('of a first visit', () => {
  test.use({ storageState: neverVisited })
  test('the front page looks as recorded', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
    await expect(page.getByText('How long will it take with a scheduler?')).toBeVisible()
    await looksLike(page, 'front')
  })
})

test('the studio in the middle of a run looks as recorded, light and dark', async ({ page }) => {
  await stands(page, middle)
  await looksLike(page, 'during')
  await page.emulateMedia({ colorScheme: 'dark' })
  await looksLike(page, 'dark')
})

test('the studio before and after a run looks as recorded', async ({ page }) => {
  await visit(page, link)
  await settled(page)
  await looksLike(page, 'before', { mask: [tookOf(page)] })
  await run(page)
  await page.getByRole('slider', { name: 'Time', exact: true }).press('End')
  await expect(page.getByText('times faster than fixed workers')).toBeVisible()
  await looksLike(page, 'after')
})

test('a decision looks as recorded', async ({ page }) => {
  await stands(page, `${link}&run=simulation&decision=40`)
  await looksLike(page, 'decision', { part: page.getByRole('tabpanel', { name: 'Decision' }) })
})

/** The tabs below the playback, in a window that is high enough for them. */
const record = { x: 0, y: 540, width: 516, height: 460 }
const high = { width: 860, height: 1000 }

test('Compare looks as recorded', async ({ page }) => {
  await page.setViewportSize(high)
  await stands(page, middle)
  await openView(page, 'Compare')
  await expect(page.getByRole('tabpanel', { name: 'Compare' }).getByRole('row').nth(2)).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await looksLike(page, 'compare', { clip: record })
})

test('a zoomed timeline looks as recorded', async ({ page }) => {
  await page.setViewportSize(high)
  await stands(page, `${middle}&range=800000-1200000`)
  await looksLike(page, 'timeline', { clip: record })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 780 } })
  test('the studio looks as recorded', async ({ page }) => {
    await stands(page, middle)
    await looksLike(page, 'phone')
  })
})

test('an embedded run looks as recorded', async ({ page }) => {
  await page.setViewportSize({ width: 760, height: 460 })
  await page.goto(`/?embed${middle}`)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await looksLike(page, 'embed')
})

test('the studio in Russian looks as recorded', async ({ page }) => {
  await page.goto(`/?lang=ru${link}`)
  await answered(page)
  await expect(page.locator('.argued')).toHaveAttribute('aria-busy', 'false')
  await looksLike(page, 'russian', { mask: [tookOf(page)] })
})

test('a handout looks as recorded', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => {
      document.title = 'printed'
    }
  })
  await stands(page, middle)
  await choose(page, 'Print handout')
  await expect(page).toHaveTitle('printed')
  await page.emulateMedia({ media: 'print' })
  const sheet = page.getByRole('article', { name: 'Handout' })
  await expect(sheet).toBeVisible()
  // The address of this machine is in both.
  await looksLike(page, 'handout', {
    mask: [sheet.getByRole('img', { name: 'QR code of the link' }), sheet.getByText(/^http:/)],
  })
})
