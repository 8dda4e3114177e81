import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './driver/accessible.ts'
import { choose, LONG, run, visit } from './driver/visit.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Your own log/ })
const fitOf = (page: Page) => dialogOf(page).getByRole('region', { name: 'A scenario of this log' })

async function openSample(page: Page): Promise<void> {
  await visit(page)
  await choose(page, 'Open a log')
  await dialogOf(page).getByRole('button', { name: 'Try the sample' }).click()
  await expect(fitOf(page)).toBeVisible(LONG)
}

/** Drops a log on the open dialog. */
async function drop(page: Page, text: string): Promise<void> {
  await page.evaluate((content) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([content], 'mine.csv'))
    document
      .querySelector('.page')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, text)
}

test('the sample becomes a scenario with its error, is played again with changes, and opens on the canvas; undo restores the canvas before', async ({
  page,
}) => {
  await openSample(page)
  const title = page.getByRole('button', { name: /^Scenarios/ })
  const before = await title.innerText()
  await fitOf(page).getByRole('button', { name: 'Make a scenario of this log' }).click()
  await expect(fitOf(page).getByText(/^3,\d{3} jobs; nearest of \d+ runs$/)).toBeVisible(LONG)
  await expect(fitOf(page).locator('[data-part="logged"]')).toHaveCount(3)
  await expect(fitOf(page).locator('[data-part="run"]')).toHaveCount(3)
  await expect(fitOf(page).getByRole('row', { name: /^Resize 8\.67 \d\.\d\d \d%/ })).toBeVisible()
  await expect(
    fitOf(page)
      .getByRole('listitem')
      .filter({ hasText: /^Resize, \d\d:\d\d/ }),
  ).toHaveCount(0)

  await fitOf(page).getByRole('combobox', { name: 'From' }).selectOption('09:04')
  const own = fitOf(page).getByRole('group', { name: 'Your changes' })
  await own.getByRole('combobox', { name: 'Stage' }).selectOption('Upload')
  await own.getByRole('button', { name: 'Add the change' }).click()
  await own.getByRole('combobox', { name: 'Change' }).selectOption('Policy')
  await own.getByRole('button', { name: 'Add the change' }).click()
  await expect(own.getByRole('listitem')).toHaveText([/^1 worker more at Upload/, /^Least total time/])
  await fitOf(page).getByRole('button', { name: 'Play the changes' }).click()
  const answer = fitOf(page).getByRole('textbox', { name: 'Answer' })
  const peaks = 'the queue at Resize would have peaked at \\d+ \\(\\d+ to \\d+\\) instead of \\d+ \\(\\d+ to \\d+\\)\\.'
  await expect(answer).toHaveValue(
    new RegExp(`^With 1 worker more at Upload and Least total time from 09:04 ${peaks}`),
    LONG,
  )
  await fitOf(page).getByRole('button', { name: 'Least total time', exact: true }).click()
  await expect(answer).toHaveValue(
    new RegExp(
      `^With least total time from 09:04 ${peaks}( The longest queue would have been .*, at Fetch\\.)? Better in 20 of 20\\.$`,
    ),
  )
  await expectAccessible(page, 'a fit')
  await fitOf(page).getByRole('button', { name: '1 worker more at Resize', exact: true }).click()
  await expect(answer).toHaveValue(new RegExp(`^With 1 worker more at Resize from 09:04 ${peaks}`))
  const link = await fitOf(page).getByRole('textbox', { name: 'Link' }).last().inputValue()

  await fitOf(page).getByRole('button', { name: 'Open on the canvas' }).first().click()
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(page.getByRole('group', { name: /^Stage Resize/ })).toBeVisible()
  await run(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(title).toHaveText(before)

  await page.goto(link)
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('13')
})

test('a fit is cancelled; a log whose flow is not clear asks for the order of its stages', async ({ page }) => {
  await openSample(page)
  await fitOf(page).getByRole('button', { name: 'Make a scenario of this log' }).click()
  await fitOf(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(fitOf(page).getByRole('button', { name: 'Make a scenario of this log' })).toBeVisible()

  const rows = Array.from({ length: 60 }, (_, k) => `${k},Late,1,100,2,${3 * k}\n${k},Early,1,100,2,${30 * k}\n`)
  await drop(page, `time,stage,queue,service_ms,workers,completed\n${rows.join('')}`)
  await expect(dialogOf(page).getByText('mine.csv')).toBeVisible(LONG)
  await fitOf(page).getByRole('button', { name: 'Make a scenario of this log' }).click()
  await expect(fitOf(page).getByRole('alert')).toHaveText(
    /^177 jobs left "Late", but 1,770 came to "Early".* say in which order the stages follow each other$/,
    LONG,
  )
  // The guess stands there already.
  await expect(fitOf(page).getByRole('listitem').first()).toHaveText('Early')
  await fitOf(page).getByRole('button', { name: 'Make a scenario of this log' }).click()
  await expect(fitOf(page).getByText('nearest of')).toBeVisible(LONG)
})
