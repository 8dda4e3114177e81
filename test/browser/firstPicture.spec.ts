import { expect, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { neverVisited } from './driver/visits.ts'

test.use({ storageState: neverVisited })

/** Holds back the script of the page until it is released. */
async function holdPage(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/assets\/page-.*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** The places of the parts that are visible from the first paint on. */
async function places(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready)
  return page
    .locator(
      '.front :is(h2, h3, button, .lane-picture, .lane-out), header :is(h1, button, select, input, .title-text), .canvas-tools, .transport > *, .record .tabs, .record-view h2, .side .tabs',
    )
    .evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return `${element.className || element.tagName} ${[x, y, width, height].map(Math.round).join(' ')}`
      }),
    )
}

for (const [width, language, words] of [
  [1440, 'en', 'No decision yet'],
  [390, 'ru', 'Готово. Нажмите «Пуск».'],
] as const) {
  test(`a fresh page is visible before its script arrives, and nothing moves afterwards: ${width} pixels, ${language}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const release = await holdPage(page)
    await page.goto(language === 'en' ? '/' : `/?lang=${language}`)
    await expect(page.getByText(words)).toBeVisible()
    // Its controls are inert, so that no press is lost.
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.locator('.front h2')).toBeInViewport()
    const before = await places(page)
    expect(before.length).toBeGreaterThan(20)
    release()
    await expect(page.getByRole('status')).toBeVisible()
    expect(await places(page)).toEqual(before)
  })
}

test('a visitor with a link does not see another scenario first', async ({ page }) => {
  const release = await holdPage(page)
  await page.goto(`/${jsonLink(workedExample)}`)
  await expect(page.locator('.mark.coming')).toBeVisible()
  await expect(page.locator('.title-text')).toHaveCount(0)
  release()
  await expect(page.locator('.title-text')).toHaveText('Worked example')
})
