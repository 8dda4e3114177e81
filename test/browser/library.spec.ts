import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { chooseScenario, visit } from './driver/visit.ts'

const simple = {
  version: 1,
  title: 'Mine',
  source: { kind: 'batch', jobs: 4 },
  stages: [{ id: 'A' }, { id: 'B' }],
  workers: 2,
}

test('a scenario is kept, saved with each edit, renamed, duplicated, found, deleted, restored, opened, and still there after a reload', async ({
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

test('two tabs: each keeps its own canvas, no tab overwrites the entry of the other, and what one deletes is saved again', async ({
  page,
  context,
}) => {
  await visit(page, jsonLink(simple))
  await chooseScenario(page, 'Keep in my scenarios')
  await expect(mark(page)).toHaveText('Saved')
  const other = await context.newPage()
  await visit(other)
  await openLibrary(other)
  await other.getByRole('button', { name: 'Open Mine' }).click()
  await workers(other).fill('9')
  await expect(mark(other)).toHaveText('Saved')
  await workers(page).fill('3')
  await openLibrary(page)
  await expect(entries(page).filter({ hasText: '9 workers' })).toHaveCount(1)
  await expect(entries(page).filter({ hasText: 'on the canvas' })).toContainText(/^Mine, copy.*3 workers/s)
  await page.keyboard.press('Escape')
  for (const [tab, count] of [
    [page, '3'],
    [other, '9'],
  ] as const) {
    await tab.reload()
    await expect(mark(tab)).toHaveText('Saved')
    await expect(workers(tab)).toHaveValue(count)
  }
  await openLibrary(other)
  await entries(other).filter({ hasText: 'Mine, copy' }).getByRole('button', { name: 'Delete' }).click()
  await expect(entries(other)).toHaveCount(1)
  await workers(page).fill('4')
  await openLibrary(page)
  await expect(entries(page).filter({ hasText: 'on the canvas' })).toContainText(/4 workers/)
  await expect(entries(page)).toHaveCount(2)
})

test('1,000 records of an earlier version open, and one that cannot be read is offered as it is', async ({ page }) => {
  const records = JSON.parse(readFileSync(new URL('../corpus/records-1.json', import.meta.url), 'utf8'))
  const many = Array.from({ length: 999 }, (_, k) => ({ ...records[k % records.length], id: `record ${k}` }))
  await visit(page)
  await page.evaluate(
    (all) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('apportion', 2)
        request.onupgradeneeded = () => {
          request.result.createObjectStore('scenarios', { keyPath: 'id' })
          request.result.createObjectStore('runs', { keyPath: ['id', 'part'] })
        }
        request.onsuccess = () => {
          const transaction = request.result.transaction('scenarios', 'readwrite')
          for (const each of all) transaction.objectStore('scenarios').put(each)
          transaction.oncomplete = () => resolve(request.result.close())
          transaction.onabort = reject
        }
      }),
    [...many, { id: 'odd', revision: 4, scenario: {} }],
  )
  const dialog = await openLibrary(page)
  await expect(dialog).toContainText('999 scenarios')
  const unreadable = entries(page).filter({ hasText: 'This one cannot be read' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    unreadable.getByRole('button', { name: 'Download it' }).click(),
  ])
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual({ id: 'odd', revision: 4, scenario: {} })
  await dialog.getByRole('button', { name: 'Open exhaustive' }).first().click()
  await workers(page).fill('8')
  await expect(mark(page)).toHaveText('Saved')
})

test('an edit right before a reload that takes seconds is on the canvas afterwards, and saved', async ({ page }) => {
  await visit(page, jsonLink(simple))
  await chooseScenario(page, 'Keep in my scenarios')
  await expect(mark(page)).toHaveText('Saved')
  await page.waitForTimeout(1200)
  // The old page lives until the answer comes, and writes its address meanwhile.
  await page.route('/', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await route.continue()
  })
  await workers(page).fill('6')
  await page.reload()
  await expect(workers(page)).toHaveValue('6')
  await expect(mark(page)).toHaveText('Saved')
  await openLibrary(page)
  await expect(entries(page)).toContainText(/Mine.*6 workers/s)
})

test('a reload before the library could be read forgets nothing', async ({ page }) => {
  await visit(page, jsonLink(simple))
  await chooseScenario(page, 'Keep in my scenarios')
  await expect(mark(page)).toHaveText('Saved')
  await page.addInitScript(() => {
    if (sessionStorage.getItem('slow') === null) return
    const add = EventTarget.prototype.addEventListener
    EventTarget.prototype.addEventListener = function (this: EventTarget, ...all: Parameters<typeof add>) {
      if (all[0] !== 'success' || !(this instanceof IDBOpenDBRequest)) add.apply(this, all)
    }
  })
  await page.evaluate(() => sessionStorage.setItem('slow', '1'))
  await page.reload()
  await expect(workers(page)).toHaveValue('2')
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/libraryKeeping-[^/]*\.js/.test(name)),
  )
  await page.waitForTimeout(500)
  await expect(mark(page)).toBeHidden()
  await page.evaluate(() => sessionStorage.removeItem('slow'))
  await page.reload()
  await expect(mark(page)).toHaveText('Saved')
})

const mark = (page: Page) => page.locator('.kept-mark')
const entries = (page: Page) => page.locator('.library-entry')
const workers = (page: Page) => page.getByRole('spinbutton', { name: 'Workers' })

async function openLibrary(page: Page) {
  await chooseScenario(page, 'My scenarios')
  return page.getByRole('dialog', { name: 'My scenarios' })
}
