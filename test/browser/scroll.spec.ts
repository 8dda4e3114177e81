import { expect, type Page, test } from '@playwright/test'
import { presets } from '../../src/scenario/presets/presets.ts'
import { jsonLink } from '../fixtures/scenarios.ts'
import { drag, middle } from './driver/drawing.ts'
import { alertOf, LONG, statusOf, visit } from './driver/visit.ts'

declare const heightOf: (selector: string) => number

const DESKS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 1280, height: 600 },
]

for (const [k, size] of DESKS.entries()) {
  test(`at ${size.width} x ${size.height} the page never scrolls as a whole: every view after the run of every sixth built-in scenario`, async ({ page }) => {
    await page.setViewportSize(size)
    for (const { scenario } of presets.filter((_, i) => i % 6 === k)) {
      await visit(page, jsonLink(scenario))
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      // One that works on a file asks for it.
      await expect
        .poll(async () => (await statusOf(page).or(alertOf(page)).allInnerTexts()).join(' '), LONG)
        .toMatch(/Simulated|Finished|Stopped|no file to work on/)
      expect(await viewsThatScroll(page), `${scenario.title}, ${size.width} x ${size.height}`).toEqual([])
    }
  })
}

test('before the first run the canvas has three quarters of the height; a height that was dragged stays, also through a run and a reload', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const share = () => page.evaluate(() => (100 * heightOf('.stage')) / heightOf('.desk'))
  await page.addInitScript(() => {
    Object.assign(window, { heightOf: (selector: string) => document.querySelector<HTMLElement>(selector)?.offsetHeight ?? 0 })
  })
  const divider = page.getByRole('separator', { name: 'Height of the pipeline' })
  const runs = async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(statusOf(page)).toHaveText(/Simulated/, LONG)
  }
  await visit(page)
  await expect.poll(share).toBeCloseTo(75, 0)
  await expect(divider).toHaveAttribute('aria-valuenow', '75')
  await runs()
  await expect.poll(share).toBeCloseTo(41, 0)

  const { x, y } = await middle(divider)
  await drag(page, { x, y }, { x, y: y + 100 })
  await expect.poll(share).toBeGreaterThan(50)
  await visit(page)
  const kept = await share()
  expect(kept).toBeGreaterThan(50)
  await runs()
  expect(await share()).toBe(kept)
  await divider.focus()
  await page.keyboard.press('End')
  await expect.poll(share).toBeGreaterThan(kept)
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  await divider.dblclick()
  await expect.poll(share).toBeCloseTo(41, 0)
})

/** Opens each tab and returns the names of those where the page as a whole can be scrolled. */
function viewsThatScroll(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const scrolls: string[] = []
    for (const tab of document.querySelectorAll<HTMLElement>('[role="tab"]')) {
      tab.click()
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      const { scrollHeight, scrollWidth } = document.documentElement
      if (scrollHeight > innerHeight || scrollWidth > innerWidth) scrolls.push(tab.innerText)
    }
    return scrolls
  })
}
