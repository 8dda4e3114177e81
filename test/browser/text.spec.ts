import { expect, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { alertOf, choose, stageNames, visit } from './driver/visit.ts'

// If they are blocked, the console reports it.
test.use({ serviceWorkers: 'allow' })

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Scenario as JSON' })

async function openText(page: Page): Promise<void> {
  await visit(page, jsonLink(workedExample))
  await page.getByRole('tab', { name: 'JSON' }).click()
  await expect(editorOf(page)).toBeVisible()
}

/** Puts the cursor behind some words of the text, by the editor's own search. */
async function cursorBehind(page: Page, words: string): Promise<void> {
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+f')
  await page.getByRole('textbox', { name: 'Find' }).pressSequentially(words)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
}

/** Accepts the offered completion. The editor ignores a key that comes too soon after the offer. */
async function accept(page: Page): Promise<void> {
  await page.waitForTimeout(150)
  await page.keyboard.press('Enter')
}

test('typed text changes the canvas, the undo keys revert it, a problem is underlined and found by a key, and Tab leaves the text', async ({
  page,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await openText(page)
  await cursorBehind(page, '"id": "A"')
  await page.keyboard.type(', "name": "Parse"')
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'B'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => stageNames(page)).toEqual(['A', 'B'])
  await expect(editorOf(page)).not.toContainText('Parse')
  await page.keyboard.press('ControlOrMeta+Shift+Z')
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'B'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(editorOf(page)).not.toContainText('Parse')
  expect(complaints).toEqual([])

  await cursorBehind(page, '"workers": 2')
  await page.keyboard.type('9999')
  await expect(alertOf(page)).toContainText('found 29999; allowed: a whole number from 1 to 10,000')
  await expect(page.locator('.cm-lintRange-error')).toHaveText('"workers": 29999')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('F8')
  await expect(page.locator('.cm-panel-lint, .cm-tooltip-lint')).not.toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(editorOf(page)).not.toBeFocused()
})

test('a key accepts a completion, and a key of the JSON shows its meaning', async ({ page }) => {
  await openText(page)
  await cursorBehind(page, '"workers": 2')
  await page.keyboard.type(', "pol')
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option')
  await expect(options.first()).toHaveText('policy')
  await accept(page)
  await expect(editorOf(page)).toContainText('"policy": ')
  // A request is ignored while the editor still inserts the last completion.
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+Space')
    await expect(options.filter({ hasText: 'leastScore' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.keyboard.type('web')
  await expect(options).toHaveText(['webster'])
  await accept(page)
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('webster')
  await editorOf(page).getByText('"workers"').hover()
  await expect(page.locator('.cm-meaning')).toContainText('Workers')
})

test('the stage at the cursor is selected, and the selected stage is visible', async ({ page }) => {
  await visit(page)
  await choose(page, 'Dark')
  await page.getByRole('tab', { name: 'JSON' }).click()
  await expect(editorOf(page)).toBeVisible()
  const [, second] = await stageNames(page)
  await page.getByRole('group', { name: new RegExp(`^Stage ${second}`) }).click()
  await expect(page.locator('.cm-activeLine').last()).toContainText('{')
  await expect(page.getByRole('tab', { name: 'JSON' })).toHaveAttribute('aria-selected', 'true')

  await cursorBehind(page, '"name": "Parse"')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Parse')
})
