import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { boxOf, stage } from './driver/drawing.ts'
import { alertOf, choose, drawn, ended, followLink, run, visit } from './driver/visit.ts'

test.describe('on a system that is dark', () => {
  test.use({ colorScheme: 'dark' })
  test('the page is dark, and light after a choice, also at the next visit', async ({ page }) => {
    await visit(page)
    expect(await brightness(page)).toBeLessThan(0.3)
    await choose(page, 'Light')
    await expect.poll(() => brightness(page)).toBeGreaterThan(0.7)
    await visit(page)
    expect(await brightness(page)).toBeGreaterThan(0.7)
    await choose(page, 'System')
    await expect.poll(() => brightness(page)).toBeLessThan(0.3)
  })
})

test('at 390, 768 and 1440 pixels the page does not scroll sideways, and Run is visible', async ({ page }) => {
  const widths = [390, 768, 1440]
  const atEach = async (look: () => Promise<void>) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      await drawn(page)
      await test.step(`${width} pixels`, look)
      await expectNoSideways(page)
    }
  }
  await visit(page)
  await atEach(() => expect(page.getByRole('button', { name: 'Run', exact: true })).toBeInViewport({ ratio: 1 }))
  await run(page)
  await atEach(async () => {})
  await page.getByRole('tab', { name: 'Settings' }).click()
  await atEach(async () => {
    for (const menu of [/^More/, /^Scenarios/]) {
      await page.evaluate(() => scrollTo(0, 0))
      await page.getByRole('button', { name: menu }).click()
      await expect(page.getByRole('menu')).toBeInViewport({ ratio: 0.9 })
      expect(await page.evaluate(() => scrollY)).toBe(0)
      await expectNoSideways(page)
      await page.keyboard.press('Escape')
    }
  })
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('dialog', { name: 'Share this scenario' })).toBeVisible()
  await atEach(async () => {})
})

test('with forced colours of the system the chosen engine and the open tabs are visible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await visit(page)
  const looks = (elements: Element[]) =>
    elements.map(
      (element) => `${getComputedStyle(element).backgroundColor} ${getComputedStyle(element).borderBottomColor}`,
    )
  for (const [chosen, other] of [
    ['.segmented input:checked + span', '.segmented input:not(:checked) + span'],
    ['.tabs [aria-selected=true]', '.tabs [aria-selected=false]'],
  ])
    expect(await page.locator(chosen).first().evaluateAll(looks)).not.toEqual(
      await page.locator(other).first().evaluateAll(looks),
    )
})

test('on a phone a menu opens above the messages on the page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page)
  await followLink(page, jsonLink({ version: 2, stages: {}, workers: -1 }))
  await expect(alertOf(page)).toContainText('Nothing was changed.')
  await page.getByRole('button', { name: /^Scenarios/ }).click()
  const items = page.getByRole('menuitem')
  for (const item of [items.nth(0), items.nth(1), items.nth(2)]) await item.click({ trial: true })
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  test('a tapped stage opens its form as a sheet, below the canvas that stays visible; its button, Escape and a tap outside close it', async ({
    page,
  }) => {
    await visit(page)
    const tap = (name: string) => stage(page, name).getByText(name, { exact: true }).tap()
    const sheet = page.getByRole('dialog', { name: 'Write', exact: true })
    await tap('Write')
    await expect(sheet.getByRole('region', { name: 'Stage Write' })).toBeVisible()
    await expect(sheet).toBeFocused()
    // The card scrolls into view above the sheet.
    await expect
      .poll(
        async () =>
          (await boxOf(sheet)).y - (await boxOf(stage(page, 'Write'))).y - (await boxOf(stage(page, 'Write'))).height,
      )
      .toBeGreaterThan(0)
    await expect(stage(page, 'Write')).toBeInViewport({ ratio: 0.98 })
    const close = sheet.getByRole('button', { name: 'Close' })
    expect(
      Math.min(
        ...Object.values(
          await close.evaluate(({ offsetWidth, offsetHeight }: HTMLElement) => [offsetWidth, offsetHeight]),
        ),
      ),
    ).toBeGreaterThanOrEqual(44)
    await close.tap()
    await expect(sheet).toBeHidden()
    await expect(stage(page, 'Write')).toBeFocused()

    await tap('Write')
    await expect(sheet).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(stage(page, 'Write')).toBeFocused()

    await tap('Write')
    await expect(sheet).toBeVisible()
    await tap('Parse')
    await expect(page.getByRole('dialog', { name: 'Parse', exact: true })).toBeFocused()
    await page.locator('.react-flow__pane').tap({ position: { x: 20, y: 60 } })
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await tap('Parse')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.getByRole('button', { name: 'Run', exact: true }).tap()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await ended(page)
  })
})

async function expectNoSideways(page: Page): Promise<void> {
  const [content, room] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBeLessThanOrEqual(room)
}

/** The brightness of the page background, from 0 to 1. */
function brightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')
    if (context === null) return Number.NaN
    for (const element of [document.documentElement, document.body]) {
      context.fillStyle = getComputedStyle(element).backgroundColor
      context.fillRect(0, 0, 1, 1)
    }
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
  })
}
