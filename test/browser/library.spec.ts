import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { alertOf, choose, chooseScenario, downloadBytes, visit } from './driver/visit.ts'

const simple = { version: 1, title: 'Mine', source: { kind: 'batch', jobs: 4 }, stages: [{ id: 'A' }, { id: 'B' }], workers: 2 }

test('a scenario is kept, saved as it is edited, renamed, duplicated, found, deleted, brought back, opened, and still there after a reload', async ({
  page,
}) => {
  await visit(page, jsonLink(simple))
  await chooseScenario(page, 'Keep in my scenarios')
  await expect(mark(page)).toHaveText('Saved')
  await workers(page).fill('5')
  await chooseScenario(page, 'Worked example')
  await expect(mark(page)).toBeHidden()

  const dialog = await openLibrary(page)
  await expect(entries(page)).toContainText(/Mine.*2 stages · 5 workers/s)
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await page.keyboard.type('Ours')
  await page.keyboard.press('Enter')
  await expect(entries(page).getByText('Ours', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Duplicate' }).click()
  await expect(entries(page)).toHaveText([/^Ours, copy/, /^Ours/])
  await dialog.getByRole('searchbox', { name: 'Search my scenarios' }).fill('COPY')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(entries(page)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(entries(page)).toHaveCount(1)
  await dialog.getByRole('searchbox').fill('')
  await dialog.getByRole('button', { name: 'Open Ours', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(mark(page)).toHaveText('Saved')

  await workers(page).fill('7')
  await page.reload()
  await expect(mark(page)).toHaveText('Saved')
  await openLibrary(page)
  await expect(entries(page).filter({ hasText: 'on the canvas' })).toContainText(/Ours.*7 workers/s)
})

test('all scenarios go out as one file, and come in from one that is chosen, each bad one with a named problem', async ({ page }) => {
  await visit(page, jsonLink(simple))
  await chooseScenario(page, 'Keep in my scenarios')
  const dialog = await openLibrary(page)
  const bytes = await downloadBytes(page, () => dialog.getByRole('button', { name: 'Export all' }).click())
  const file = JSON.parse(bytes.toString('utf8'))
  file.scenarios.push({ scenario: { ...simple, title: 'Good' } }, { scenario: { ...simple, workers: 99_999 } })
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await (await choosing).setFiles({ name: 'theirs.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(file)) })
  await expect(dialog.getByRole('alert')).toContainText('1 scenario came in; 1 was here already; 1 cannot be taken')
  await expect(dialog.getByRole('alert')).toContainText(/scenarios\[2\]\.scenario\.workers/)
  await expect(entries(page)).toHaveCount(2)

  // Chosen on the page it is taken as well.
  await page.keyboard.press('Escape')
  const opening = page.waitForEvent('filechooser')
  await choose(page, 'Open a file')
  file.scenarios = [{ scenario: { ...simple, title: 'Third' } }]
  await (await opening).setFiles({ name: 'more.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(file)) })
  await expect(entries(page)).toHaveCount(3)
})

test('of two tabs the second is told that the first has saved, keeps its own as a copy, and keeps again what is deleted there', async ({ page, context }) => {
  await visit(page, jsonLink(simple))
  await chooseScenario(page, 'Keep in my scenarios')
  await expect(mark(page)).toHaveText('Saved')
  const other = await context.newPage()
  await visit(other)
  await openLibrary(other)
  await other.getByRole('button', { name: 'Open Mine' }).click()
  await workers(other).fill('9')
  await expect(alertOf(page)).toContainText('“Mine” was changed in another tab')
  await page.getByRole('button', { name: 'Keep this one as a copy' }).click()
  await expect(mark(page)).toHaveText('Saved')
  await openLibrary(other)
  await entries(other).first().getByRole('button', { name: 'Delete' }).click()
  await expect(alertOf(page)).toContainText('was deleted in another tab')
  await page.getByRole('button', { name: 'Keep it again' }).click()
  await expect(entries(other)).toHaveCount(2)
})

test('what the library cannot read stays as it is, and is there for download', async ({ page }) => {
  await visit(page, jsonLink(simple))
  await chooseScenario(page, 'Keep in my scenarios')
  await expect(mark(page)).toHaveText('Saved')
  const record = { id: 'of-the-future', revision: 4, changed: 1, text: '{"version":99,"title":"Later"}' }
  await page.evaluate(
    (record) =>
      new Promise((done, fail) => {
        const opening = indexedDB.open('apportion')
        opening.onerror = fail
        opening.onsuccess = () => {
          const put = opening.result.transaction('scenarios', 'readwrite').objectStore('scenarios').put(record)
          put.onsuccess = done
        }
      }),
    record,
  )
  const dialog = await openLibrary(page)
  await expect(entries(page)).toHaveCount(2)
  await expect(entries(page).last()).toContainText(/cannot be read.*newer/s)
  const bytes = await downloadBytes(page, () => dialog.getByRole('button', { name: 'Download it as it is' }).click())
  expect(bytes.toString('utf8')).toBe(record.text)
})

test('where the browser lets the page keep nothing, that is said, and the canvas can be downloaded', async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('denied', 'SecurityError')
    }
  })
  await visit(page, jsonLink(simple))
  await workers(page).fill('6')
  await chooseScenario(page, 'Keep in my scenarios')
  await expect(alertOf(page)).toContainText(/lets the page keep nothing/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download it' }).click()
  expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toMatchObject({ title: 'Mine', workers: 6 })
})

const mark = (page: Page) => page.locator('.kept-mark')
const entries = (page: Page) => page.locator('.library-entry')
const workers = (page: Page) => page.getByRole('spinbutton', { name: 'Workers' })

async function openLibrary(page: Page) {
  await chooseScenario(page, 'My scenarios')
  return page.getByRole('dialog', { name: 'My scenarios' })
}
