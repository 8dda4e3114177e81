import { expect, type Page, test } from '@playwright/test'
import { choose, visit } from './driver/visit.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Ask the allocator' })
const answerOf = (page: Page) => dialogOf(page).getByRole('article', { name: 'Answer' })

test('the allocator answers without a run: the worked example, another policy, a table from a spreadsheet, and a link', async ({
  page,
}) => {
  await visit(page)
  await choose(page, 'Ask the allocator')
  await expect(answerOf(page).getByText('A gets 5 of 8 seats and B, C and D 1 each.')).toBeVisible()
  await expect(answerOf(page).getByRole('heading', { name: 'Why not?' })).toBeVisible()
  await dialogOf(page).getByRole('combobox', { name: 'Policy' }).selectOption('Apportionment')
  await expect(answerOf(page).getByText('A gets 8 of 8 seats.')).toBeVisible()

  await dialogOf(page)
    .getByLabel('Stage, row 1')
    .evaluate((input) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'Stage\tWaiting\tMean\nParse\t40\t2 ms\nWrite\t10\t8 ms\n')
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
  await expect(dialogOf(page).getByLabel('Stage, row 2')).toHaveValue('Write')
  await expect(answerOf(page).getByText('Parse and Write get 4 of 8 seats each.')).toBeVisible()

  await dialogOf(page).getByLabel('Waiting, row 2').fill('ten')
  await expect(dialogOf(page).getByRole('alert')).toHaveText(/Waiting, row 2: found "ten"/)
  await expect(dialogOf(page).getByLabel('Waiting, row 2')).toHaveAttribute('aria-invalid', 'true')
  await dialogOf(page).getByLabel('Waiting, row 2').fill('30')
  await expect(answerOf(page).getByText(/^Write gets \d of 8 seats/)).toBeVisible()
  const answer = await answerOf(page).locator('.sentence').innerText()
  const link = await dialogOf(page).getByLabel(/^Link/).inputValue()

  await visit(page, new URL(link).hash)
  await expect(answerOf(page).getByText(answer)).toBeVisible()
  await expect(dialogOf(page).getByRole('combobox', { name: 'Policy' })).toHaveValue('jefferson')
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
})

test('a question with a mistake is refused with a reason', async ({ page }) => {
  await visit(page, '#ask={"version":1,"workers":0,"stages":[{"name":"A","waiting":-1,"mean":5}]}')
  await expect(page.getByRole('alert')).toContainText('stages[0].waiting found -1')
  await expect(page.getByRole('alert')).toContainText('workers found 0')
  await expect(dialogOf(page)).toHaveCount(0)
})
