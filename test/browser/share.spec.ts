import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { downloadBytes, drawn, run, statusOf, visit, WELL } from './driver/visit.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this scenario' })
const link = (page: Page) => dialog(page).getByRole('textbox', { name: /^Link \d+ characters/ })

test('keys do nothing behind a dialog, and Escape closes it from any focus', async ({ page }) => {
  await visit(page, jsonLink(workedExample))
  await run(page)
  await page.getByRole('button', { name: 'Share' }).click()
  await dialog(page).getByRole('heading').first().click()
  await page.keyboard.press('k')
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  for (const key of ['k', 'p', 'Control+Enter']) await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await drawn(page)
  await expect(page.locator('.presenter, .branches')).toHaveCount(0)
  await expect(statusOf(page)).toHaveText(WELL)
})

test('the link is copied; besides it there are a file, Markdown with figures, two ways to embed, and a QR code; each button has its own name', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, jsonLink(workedExample))
  await run(page)
  await page.getByRole('button', { name: 'Share' }).click()
  await dialog(page).getByRole('button', { name: 'Copy: Link', exact: true }).click()
  await expect(dialog(page).getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await link(page).inputValue())
  const file = await downloadBytes(page, () => dialog(page).getByRole('button', { name: 'Save as a file' }).click())
  expect(JSON.parse(file.toString())).toMatchObject(workedExample)
  await expect(dialog(page).getByRole('meter', { name: 'Link' })).toHaveAttribute(
    'value',
    String((await link(page).inputValue()).length),
  )
  await dialog(page).getByRole('button', { name: 'QR code' }).click()
  await expect(dialog(page).getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await dialog(page).getByText('For a text or another page').click()
  await expect(dialog(page).getByRole('textbox', { name: 'Markdown' })).toHaveValue(
    /^\[Worked example\]\(http.*#s=.*\): Finished: 3 of 3 jobs in 3/,
  )
  await expect(dialog(page).getByRole('textbox', { name: 'Embed, with its element' })).toHaveValue(
    /<apportion-embed scenario="http.*#s=.*&amp;run=simulation"/,
  )
  await expect(dialog(page).getByRole('textbox', { name: 'Embed, as a frame' })).toHaveValue(
    /<iframe src="http.*\/\?embed#s=/,
  )
  const { violations } = await new AxeBuilder({ page })
    .include('dialog')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  const names = await dialog(page)
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent))
  expect(new Set(names).size).toBe(names.length)
})

test('without permission to copy, the text is selected, and a note explains it', async ({ page }) => {
  await visit(page, jsonLink(workedExample))
  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('no')) }))
  await page.getByRole('button', { name: 'Share' }).click()
  await dialog(page).getByRole('button', { name: 'Copy: Link', exact: true }).click()
  await expect(dialog(page)).toContainText('Press Ctrl+C')
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(await link(page).inputValue())
})
