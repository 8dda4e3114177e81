import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './driver/accessible.ts'
import { choose, LONG, visit } from './driver/visit.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Your own log/ })
const pointOf = (page: Page) => dialogOf(page).getByRole('article', { name: 'Point of the log' })
const figure = (page: Page, name: string) => dialogOf(page).getByLabel('Results of the log').locator('div', { hasText: name }).locator('dd')

/** Gives the page a file as a hand that drops it does. */
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

const row = (time: number, stage: string, queue: number | string, workers: number) => `${time},${stage},${queue},1,${workers}\n`
const small = `time,stage,queue,service_s,workers\n${row(0, 'A', 2, 1)}${row(0, 'B', 2, 1)}${row(1, 'A', 9, 1)}${row(1, 'B', 1, 1)}`

test('the sample is opened, gone through by its differences, and put to another policy; it says that later queues would differ', async ({ page }) => {
  await visit(page)
  await choose(page, 'Open a log')
  await dialogOf(page).getByRole('button', { name: 'Try the sample' }).click()
  await expect(pointOf(page).getByRole('heading', { name: 'Point 62 of 121' })).toBeVisible(LONG)
  await expect(
    dialogOf(page).getByText(
      'Point by point: the queues are those your system had with its own workers; had it followed the policy, later queues would differ.',
    ),
  ).toBeVisible()
  await expect(figure(page, 'Policy and system differ')).toHaveText('73.6% of 121 points')
  await expect(figure(page, 'Seats that changed stage')).toHaveText(/^system \d+, policy \d+$/)

  await page.keyboard.press('.')
  await expect(pointOf(page).locator('.sentence')).toHaveText(
    /^The policy would have decided: .* of \d+ seats.* Your system had: Fetch \d, Resize \d, Upload \d\./,
  )
  await page.keyboard.press('End')
  await expect(pointOf(page).getByRole('heading', { name: 'Point 121 of 121' })).toBeVisible()
  await expect(pointOf(page).getByText('2026-03-02 09:10:00 UTC')).toBeVisible()
  await expect(pointOf(page).locator('.sentence')).toHaveText(
    'The policy would have decided: Fetch gets 12 of 12 seats. Your system had: Fetch 3, Resize 6, Upload 3.',
  )
  await page.keyboard.press(',')
  await expect(pointOf(page).getByRole('heading', { name: 'Point 120 of 121' })).toBeVisible()

  const before = await figure(page, 'Total time, on average').innerText()
  await dialogOf(page).getByRole('combobox', { name: 'Policy' }).selectOption('Adams')
  await expect(figure(page, 'Total time, on average')).not.toHaveText(before)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
})

test('a table with other headings is asked about, column by column and by keyboard, and nothing stands in the way of anyone', async ({ page }) => {
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
  for (let presses = 0; presses < 8 && !(await read.evaluate((button) => button === document.activeElement)); presses++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(pointOf(page).getByRole('heading', { name: 'Point 2 of 2' })).toBeVisible(LONG)
  await page.keyboard.press('Escape')
  await expect(title).toHaveText(before)
})

test('a log that is dropped is gone through and asked about; a bad row is named, and left out if one goes on', async ({ page }) => {
  await visit(page)
  await drop(page, 'mine.csv', small + row(2, 'A', 'abc', 1))
  await expect(dialogOf(page).getByText('line 6: queue found "abc"; allowed: a whole number of jobs from 0 to 1,000,000,000')).toBeVisible(LONG)
  await expect(dialogOf(page).getByText('1 of 5 rows cannot be read.')).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Continue without it' }).click()
  // It begins where the most jobs wait.
  await dialogOf(page).getByRole('button', { name: 'Previous point' }).click(LONG)
  await expect(pointOf(page).locator('.sentence')).toHaveText('The policy would have decided: A and B get 1 of 2 seats each. Your system had: A 1, B 1.', LONG)
  await expect(dialogOf(page).getByText('1 bad row is left out.')).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Next difference' }).click()
  await expect(pointOf(page).locator('.sentence')).toHaveText('The policy would have decided: A gets 2 of 2 seats. Your system had: A 1, B 1.')
  await expect(pointOf(page).getByRole('row', { name: /^A 9/ })).toHaveText(/1 → 2/)
  await pointOf(page).getByRole('button', { name: 'Ask the allocator about this point' }).click()
  const ask = page.getByRole('dialog', { name: 'Ask the allocator' })
  await expect(ask.getByText('A gets 2 of 2 seats.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ask).toHaveCount(0)
  await expect(pointOf(page)).toBeVisible()
})

test('a stage without a row yet is called that, and not done', async ({ page }) => {
  await visit(page)
  await drop(page, 'mine.csv', `time,stage,queue,service_s,workers\n${row(0, 'A', 2, 1)}${row(1, 'B', 2, 1)}`)
  const seen = pointOf(page).getByRole('table').first()
  await dialogOf(page).getByRole('button', { name: 'Previous point' }).click(LONG)
  await expect(seen.getByRole('row', { name: /^B/ })).toHaveText(/no row yet/, LONG)
  await expect(pointOf(page).getByText('done', { exact: true })).toHaveCount(0)
  await dialogOf(page).getByRole('button', { name: 'Next point' }).click()
  await expect(seen.getByRole('row', { name: /^B/ })).not.toHaveText(/no row yet/)
})

test('series whose names do not say what they are are explained in a form', async ({ page }) => {
  await visit(page)
  const series = (name: string, stage: string, values: readonly (readonly [number, string])[]) => ({ metric: { __name__: name, stage }, values })
  const result = ['A', 'B'].flatMap((stage, s) => [series('x_total', stage, [[1000, String(4 * s)]]), series('y_mean', stage, [[1000, '25']])])
  await drop(page, 'range.json', JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }))
  await dialogOf(page)
    .getByLabel(/^x_total/)
    .selectOption('Jobs that wait')
  await dialogOf(page).getByRole('button', { name: 'Read the log' }).click()
  await expect(dialogOf(page).getByRole('alert')).toHaveText(/stage "A" has no service time; allowed: both for every stage/)
  await dialogOf(page)
    .getByLabel(/^y_mean/)
    .selectOption('Service time, in ms')
  await dialogOf(page).getByRole('button', { name: 'Read the log' }).click()
  await dialogOf(page).getByLabel('Workers to share').fill('3')
  await expect(pointOf(page).locator('.sentence')).toHaveText('The policy would have decided: B gets 3 of 3 seats.')
  await dialogOf(page).getByLabel('Workers to share').fill('0')
  await expect(dialogOf(page).getByRole('alert')).toHaveText(/Workers to share: found 0; allowed: a whole number from 1 to 10,000/)
})

test('a panel of Grafana is read as it is exported; what its names do not say is refused with a question', async ({ page }) => {
  await visit(page)
  const heading = (name: string) => `"${name}{stage=""encode""}"`
  const headings = ['"Time"', ...['queue_length', 'work_seconds', 'workers'].map(heading)].join(',')
  await drop(page, 'panel.csv', `${headings}\r\n2026-03-02 09:00:00,1.2 K,35 ms,2\r\n2026-03-02 09:00:15,13,36 ms,2\r\n`)
  await expect(pointOf(page).getByRole('row', { name: /^encode 1,200 35/ })).toBeVisible(LONG)
  await expect(dialogOf(page).getByText('Numbers with units are rounded, as in the file.')).toBeVisible()
  await drop(page, 'panel.csv', '"Time","encode{}","replicas"\n2026-03-02 09:00:00,12,2\n')
  await expect(dialogOf(page).getByRole('alert')).toHaveText(
    /the names "replicas" do not say what they measure, and where; allowed: names such as queue_length\{stage="encode"\}/,
    LONG,
  )
})

test('a large log shows its size first, waits for a word, and can be given up while it is read', async ({ page }) => {
  await visit(page)
  await drop(page, 'mine.csv', small)
  await expect(pointOf(page)).toBeVisible(LONG)
  await page.evaluate(() => {
    const line = '9,A,3,1.25,2\n'
    const parts = ['time,stage,queue,service_s,workers\n', ...Array.from({ length: 52 }, () => line.repeat(77_000))]
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(parts, 'large.csv'))
    document.querySelector('.page')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await expect(dialogOf(page).getByText('large.csv, 52.1 MB: reading it takes a while')).toBeVisible(LONG)
  await dialogOf(page).getByRole('button', { name: 'Open', exact: true }).click()
  await expect(dialogOf(page).getByRole('progressbar', { name: 'Reading the log' })).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(pointOf(page).getByRole('heading', { name: 'Point 2 of 2' })).toBeVisible()
})
