import { expect, type Page, test } from '@playwright/test'
import { jsonLink, longExample } from '../fixtures/scenarios.ts'
import { expectAccessible } from './driver/accessible.ts'
import { chooseScenario, LONG, run, visit } from './driver/visit.ts'

const figuresOf = (page: Page) => page.getByRole('article', { name: 'Results' })

async function openFigures(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Results' }).click()
  await expect(figuresOf(page)).toBeVisible(LONG)
  const details = figuresOf(page).getByText('Details', { exact: true })
  if (!(await details.evaluate((summary) => (summary.parentElement as HTMLDetailsElement).open))) await details.click()
}

test('the figures of a queue are shown beside the prediction of theory, with its calculation, and each figure agrees', async ({
  page,
}) => {
  await visit(page)
  await chooseScenario(page, 'Four workers, one queue')
  await run(page)
  await openFigures(page)
  const theory = figuresOf(page).getByRole('region', { name: 'Theory' })
  await expect(theory).toContainText('M/M/c, Erlang C')
  await expect(theory).toContainText('wait = C S / (c − a) = 0.596 × 1.28 ms / 0.8 = 954 µs')
  await expect(theory.getByRole('row', { name: /^Wait 0\.95 .* \(.* – .*\) ms/ })).toContainText('agrees')
  await expect(theory.getByText('lies outside')).toHaveCount(0)
  await expect(figuresOf(page)).toContainText('to the microsecond')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, 'figures', ['.side'])
})

test('if no law applies the page tells why; figures come with the run and stay open for the next', async ({ page }) => {
  await visit(page)
  await page.getByRole('tab', { name: 'Results' }).click()
  await figuresOf(page).getByText('Details', { exact: true }).click()
  await expect(figuresOf(page)).toContainText('The policy moves workers between stages')
  await expect(figuresOf(page).getByRole('row', { name: /^Makespan/ })).toContainText('2.16 s')
  await run(page)
  await page.getByRole('tab', { name: 'Results' }).click()
  await expect(figuresOf(page).getByRole('row', { name: /^Makespan/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Results' }).press('ArrowLeft')
  await expect(page.getByRole('tab', { name: 'Decision' })).toBeFocused()
  await visit(page, jsonLink(longExample))
  await page.getByRole('tab', { name: 'Results' }).click()
  await expect(page.getByRole('heading', { name: 'No results yet' })).toBeVisible()
})
