import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { alertOf, chooseScenario, visit } from './driver/visit.ts'

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

test('of two tabs the second reports that the first has saved, saves its own as a copy, and saves again what the first deletes', async ({
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
  await expect(alertOf(page)).toContainText('“Mine” was changed in another tab')
  await page.getByRole('button', { name: 'Keep this one as a copy' }).click()
  await expect(mark(page)).toHaveText('Saved')
  await openLibrary(other)
  await entries(other).first().getByRole('button', { name: 'Delete' }).click()
  await expect(alertOf(page)).toContainText('was deleted in another tab')
  await page.getByRole('button', { name: 'Keep it again' }).click()
  await expect(entries(other)).toHaveCount(2)
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

test('of a database that is deleted in use the canvas keeps its scenario and saves it again when asked', async ({
  page,
}) => {
  await visit(page, jsonLink(simple))
  await chooseScenario(page, 'Keep in my scenarios')
  await expect(mark(page)).toHaveText('Saved')
  const deleted = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.deleteDatabase('apportion')
        request.onsuccess = () => resolve('deleted')
        request.onblocked = () => resolve('blocked')
        request.onerror = () => resolve('refused')
      }),
  )
  expect(deleted).toBe('deleted')
  await workers(page).fill('9')
  await expect(alertOf(page)).toContainText('“Mine” was deleted in another tab. It is on the canvas as before.')
  await page.getByRole('button', { name: 'Keep it again' }).click()
  await expect(mark(page)).toHaveText('Saved')
  await openLibrary(page)
  await expect(entries(page)).toHaveCount(1)
  await expect(entries(page)).toContainText(/Mine.*9 workers/s)
})

const mark = (page: Page) => page.locator('.kept-mark')
const entries = (page: Page) => page.locator('.library-entry')
const workers = (page: Page) => page.getByRole('spinbutton', { name: 'Workers' })

async function openLibrary(page: Page) {
  await chooseScenario(page, 'My scenarios')
  return page.getByRole('dialog', { name: 'My scenarios' })
}
