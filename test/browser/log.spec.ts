import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './driver/accessible.ts'
import { choose, LONG, visit } from './driver/visit.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Your own log/ })
const pointOf = (page: Page) => dialogOf(page).getByRole('article', { name: 'Point of the log' })
const figure = (page: Page, name: string) =>
  dialogOf(page).getByLabel('Results of the log').locator('div', { hasText: name }).locator('dd')

/** Drops a file on the page. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([file, content]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], file))
      const target = document.querySelector('.page')
      target?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    [name, text] as const,
  )
}

const row = (time: number, stage: string, queue: number | string, workers: number) =>
  `${time},${stage},${queue},1,${workers}\n`
const small = `time,stage,queue,service_s,workers\n${row(0, 'A', 2, 1)}${row(0, 'B', 2, 1)}${row(1, 'A', 9, 1)}${row(1, 'B', 1, 1)}`

test('the sample opens, steps through its differences, and is compared with another policy; a note tells that later queues would differ', async ({
  page,
}) => {
  await visit(page)
  await choose(page, 'Open a log')
  await dialogOf(page).getByRole('button', { name: 'Try the sample' }).click()
  await expect(pointOf(page).getByRole('heading', { name: 'Point 62 of 121' })).toBeVisible(LONG)
  await expect(
    dialogOf(page).getByText('Point by point: had your system followed the policy, later queues would differ.'),
  ).toBeVisible()
  await expect(figure(page, 'Policy and system differ')).toHaveText('73.6% of 121')
  await expect(figure(page, 'Seats that changed stage')).toHaveText(/^\d+ → \d+$/)

  await page.keyboard.press('.')
  await expect(pointOf(page).locator('.sentence')).toHaveText(
    /^Least total time would have decided: .* of \d+ seats.* Your system had: Fetch \d, Resize \d, Upload \d\./,
  )
  await page.keyboard.press('End')
  await expect(pointOf(page).getByRole('heading', { name: 'Point 121 of 121' })).toBeVisible()
  await expect(pointOf(page).getByText('2026-03-02 09:10:00 UTC')).toBeVisible()
  await expect(pointOf(page).locator('.sentence')).toHaveText(
    'Least total time would have decided: Fetch gets 12 of 12 seats. Your system had: Fetch 3, Resize 6, Upload 3.',
  )
  await page.keyboard.press(',')
  await expect(pointOf(page).getByRole('heading', { name: 'Point 120 of 121' })).toBeVisible()

  const before = await figure(page, 'Total time, on average').innerText()
  await dialogOf(page).getByRole('combobox', { name: 'Policy' }).selectOption('Apportionment')
  await dialogOf(page).getByRole('combobox', { name: 'Method' }).selectOption('Adams')
  await expect(figure(page, 'Total time, on average')).not.toHaveText(before)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
})

test('a decision of another scheduler has words at the pointer, and in the list at its point by keyboard', async ({
  page,
}) => {
  await visit(page)
  await drop(page, 'mine.csv', small)
  await expect(pointOf(page)).toBeVisible(LONG)
  await drop(page, 'scaler.csv', 'time,stage,from,to,reason\n0.5,A,1,2,queue above 5\n')
  const words = 'A from 1 to 2: queue above 5'
  await dialogOf(page).getByRole('button', { name: 'Next decision' }).press('Enter')
  await page.keyboard.press('Home')
  await expect(pointOf(page).getByText(words)).toBeVisible()
  const drawing = dialogOf(page).locator('.log-drawing')
  const name = await drawing.getByText('Its decisions').boundingBox()
  const all = await drawing.boundingBox()
  if (name === null || all === null) throw new Error('there is no drawing')
  await expect(async () => {
    // The mark stands in the middle of the plot, which begins behind the names.
    const middle = all.x + (140 + all.width - 20) / 2
    await page.mouse.move(middle + 3, name.y + name.height / 2)
    await page.mouse.move(middle, name.y + name.height / 2)
    await expect(page.locator('.hint', { hasText: words })).toBeVisible({ timeout: 500 })
  }).toPass(LONG)
  await page.mouse.move(all.x + all.width - 30, name.y + name.height / 2)
  await expect(page.locator('.hint', { hasText: words })).toBeHidden()
})

test('a table with unknown headings opens a form for its columns, which works by keyboard and is accessible', async ({
  page,
}) => {
  await visit(page)
  const title = page.getByRole('button', { name: /^Scenarios/ })
  const before = await title.innerText()
  await drop(page, 'export.csv', small.replace('time,stage,queue,service_s,workers', 'ts,where,n,took,replicas'))
  const queue = dialogOf(page).getByRole('combobox', { name: 'Queue' })
  await expect(queue).toHaveValue('-1')
  await expect(dialogOf(page).getByRole('combobox', { name: 'Stage' })).toHaveValue('1')
  await expect(dialogOf(page).getByRole('button', { name: 'Read the log' })).toBeDisabled()
  await expectAccessible(page, 'columns of a table')
  await queue.focus()
  await page.keyboard.type('n,')
  await expect(queue).toHaveValue('2')
  const read = dialogOf(page).getByRole('button', { name: 'Read the log' })
  for (let presses = 0; presses < 8 && !(await read.evaluate((button) => button === document.activeElement)); presses++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(pointOf(page).getByRole('heading', { name: 'Point 2 of 2' })).toBeVisible(LONG)
  await page.keyboard.press('Escape')
  await expect(title).toHaveText(before)
})
