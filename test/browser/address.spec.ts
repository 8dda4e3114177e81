import { expect, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { chooseScenario, followLink, stageNames, visit } from './driver/visit.ts'

// The contents of links and addresses are tested in test/app/share/links. This tests the window.

const title = (page: Page) => page.getByRole('button', { name: /^Scenarios/ })
const workers = (page: Page) => page.getByRole('spinbutton', { name: 'Workers' })

test('Back and Forward of the browser go from link to scenario one by one, each as it was left', async ({ page }) => {
  await visit(page)
  const before = await page.evaluate(() => history.length)
  await chooseScenario(page, 'Bursts')
  await expect(title(page)).toHaveText('Bursts')
  await expect.poll(() => page.url()).toContain('#s=')
  const opened = page.url()
  await workers(page).fill('5')
  await expect.poll(() => page.url()).not.toBe(opened)
  await followLink(page, jsonLink(workedExample))
  await expect.poll(() => stageNames(page)).toEqual(['A', 'B'])
  expect(await page.evaluate(() => history.length)).toBe(before + 2)
  await page.goBack()
  await expect(title(page)).toHaveText('Bursts')
  await expect(workers(page)).toHaveValue('5')
  await page.goBack()
  await expect(title(page)).toHaveText(/^Rush hour/)
  await page.goForward()
  await page.goForward()
  await expect.poll(() => stageNames(page)).toEqual(['A', 'B'])
})

test('all edits are restored after a reload, however soon it comes, and at the next visit', async ({ page }) => {
  await visit(page)
  await workers(page).fill('5')
  await expect.poll(() => page.url()).toContain('#s=')
  await workers(page).fill('6')
  await page.reload()
  await expect(workers(page)).toHaveValue('6')
  await page.goto('about:blank')
  await page.goto('/')
  await expect(workers(page)).toHaveValue('6')
})
