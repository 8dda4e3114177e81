import { expect, type Page, test } from '@playwright/test'
import { presets } from '../../src/scenario/presets/presets.ts'
import { jsonLink } from '../fixtures/scenarios.ts'
import { drag, middle } from './driver/drawing.ts'
import { alertOf, answered, LONG, run, statusOf, visit } from './driver/visit.ts'

declare const heightOf: (selector: string) => number

const DESKS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 1280, height: 600 },
]

for (const [k, size] of DESKS.entries()) {
  test(`at ${size.width} x ${size.height} the page never scrolls as a whole: every view after the run of some built-in scenarios`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    for (const { scenario } of presets.filter((_, i) => i % 14 === k)) {
      await visit(page, jsonLink(scenario))
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      // A scenario of a file asks for the file.
      await expect
        .poll(async () => (await statusOf(page).or(alertOf(page)).allInnerTexts()).join(' '), LONG)
        .toMatch(/Simulated|Finished|Stopped|no file to work on/)
      expect(await viewsThatScroll(page), `${scenario.title}, ${size.width} x ${size.height}`).toEqual([])
    }
  })
}

/** The places of all parts on the screen that are there before the first result. */
const standing = (page: Page) =>
  page
    .locator(
      '.react-flow__node, .canvas-tools, .canvas-controls, .divider, .side, header.bar :is(h1, button), .answer-bar :is(input, fieldset), .transport :is(button, input), [role=tab]',
    )
    .evaluateAll((all) =>
      all.map((each) => {
        const { x, y, width } = each.getBoundingClientRect()
        return y >= innerHeight
          ? 'below'
          : `${(each.getAttribute('aria-label') ?? each.className).replace('Pause', 'Play')} ${[x, y, width].map(Math.round).join(' ')}`
      }),
    )

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
  [390, 844],
]) {
  test(`nothing moves as the result comes or at Run: before both, at 0.3 s, at 1.5 s and at the end, at ${width} x ${height}; at a desk all lanes are in sight`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    const release = await holdSimulation(page)
    await page.goto('/')
    await expect(page.getByRole('group', { name: /^Stage / })).toHaveCount(4)
    const before = await standing(page)
    expect(before.length).toBeGreaterThan(15)
    release()
    await answered(page)
    expect(await standing(page)).toEqual(before)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    for (const wait of [300, 1200]) {
      await page.waitForTimeout(wait)
      expect(await standing(page)).toEqual(before)
    }
    await expect(page.getByRole('application', { name: /^Timeline/ })).toBeVisible(LONG)
    for (const control of [
      page.getByRole('slider', { name: 'Time', exact: true }),
      page.getByRole('button', { name: 'Pause', exact: true }),
    ])
      await expect(control).toBeInViewport({ ratio: 1 })
    await page.getByRole('slider', { name: 'Time', exact: true }).press('End')
    await expect(statusOf(page)).toHaveText(/^Finished/, LONG)
    expect(await standing(page)).toEqual(before)
    if (height > 800 && width > 1000) {
      const frame = page.locator('.timeline-frame')
      expect(await frame.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
    }
  })
}

/** Holds back the script that simulates until it is released. */
async function holdSimulation(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/simulation\.worker/, async (route) => {
    await held
    await route.continue()
  })
  return release
}

test('a dragged height of the pipeline stays, also during a run and after a reload', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const share = () => page.evaluate(() => (100 * heightOf('.stage')) / heightOf('.desk'))
  await page.addInitScript(() => {
    Object.assign(window, {
      heightOf: (selector: string) => document.querySelector<HTMLElement>(selector)?.offsetHeight ?? 0,
    })
  })
  const divider = page.getByRole('separator', { name: 'Height of the pipeline' })
  await visit(page)
  await expect.poll(share).toBeCloseTo(41, 0)
  await expect(divider).toHaveAttribute('aria-valuenow', '41')
  const { x, y } = await middle(divider)
  await drag(page, { x, y }, { x, y: y + 100 })
  await expect.poll(share).toBeGreaterThan(50)
  await visit(page)
  const kept = await share()
  expect(kept).toBeGreaterThan(50)
  await run(page)
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
