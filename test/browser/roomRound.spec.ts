import { type Browser, expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { type OpenRoom, openRoom } from './driver/openRoom.ts'
import { choose, LONG } from './driver/visit.ts'

/** Two stages that wait. At the end both workers are busy at the second. */
const line = {
  version: 1,
  title: 'Two phones',
  source: { kind: 'batch', jobs: 6 },
  stages: [
    { id: 'A', name: 'Read', service: { kind: 'constant', mean: 40_000 }, work: 'wait' },
    { id: 'B', name: 'Write', service: { kind: 'constant', mean: 120_000 }, work: 'wait' },
  ],
  workers: 2,
}

let room: OpenRoom
test.beforeAll(async () => {
  room = await openRoom()
})
test.afterAll(() => room.close())

async function phone(browser: Browser, name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  await page.goto(room.join)
  await expect(page.getByRole('heading', { name: 'You are in the room.' })).toBeVisible(LONG)
  await page.locator('.join-form summary').click()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Your name').press('Enter')
  await page.locator('.join-form summary').click()
  return page
}

test('devices of a room guess before a run and see what happened', async ({ browser }) => {
  const host = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await host.goto(`${room.host}${jsonLink(line).replace('#', '&')}`)
  const panel = host.getByRole('article', { name: 'Room' })
  await expect(panel).toContainText('Nobody is in the room yet.', LONG)
  const [ada, bo] = [await phone(browser, 'Ada'), await phone(browser, '<b>Bo</b>')]
  await expect(panel).toContainText('on 2 devices')

  // A question: both answer, one changes its answer, and an impossible number is refused at its field.
  const inClass = host.getByRole('region', { name: 'In class' })
  await panel.getByRole('button', { name: /^Use/ }).click()
  await inClass.getByRole('combobox', { name: /^Stage/ }).selectOption('Write')
  await inClass.getByRole('button', { name: 'Ask the room' }).click()
  for (const page of [ada, bo])
    await expect(
      page.getByRole('heading', { name: 'How many workers will be busy at Write at once, at its peak?' }),
    ).toBeVisible()
  await ada.getByRole('textbox', { name: 'Workers' }).fill('99')
  await ada.getByRole('button', { name: 'Send' }).click()
  await expect(ada.getByRole('alert')).toHaveText(/allowed: a whole number from 0 to 2/)
  await ada.getByRole('textbox', { name: 'Workers' }).fill('2')
  await ada.getByRole('button', { name: 'Send' }).click()
  await expect(inClass).toContainText('1 of 2 devices have answered.')
  await bo.getByRole('textbox', { name: 'Workers' }).fill('0')
  await bo.getByRole('button', { name: 'Send' }).click()
  await bo.getByRole('button', { name: 'Change my answer' }).click()
  await bo.getByRole('textbox', { name: 'Workers' }).fill('1')
  await bo.getByRole('button', { name: 'Send' }).click()
  await expect(inClass).toContainText('2 of 2 devices have answered.')

  // On a projector: the code and the count, the run by a key, and the answer when it has ended.
  await choose(host, 'Present')
  const shown = host.locator('.presenter').getByRole('region', { name: 'Room' })
  await expect(shown).toContainText('2 of 2 devices have answered.')
  await expect(shown.locator('.qr-code')).toBeVisible()
  await host.keyboard.press('r')
  await expect(shown).toContainText('It was 2 workers.', LONG)
  await expect(shown.getByRole('img', { name: /^Guesses\./ })).toBeVisible()
  await host.keyboard.press('Escape')
  await expect(inClass).toContainText('It was 2 workers.', LONG)
  await expect(inClass.getByRole('img', { name: /^Guesses\./ })).toHaveAccessibleName(
    'Guesses. 1: 1; 2: 1, what happened',
  )
  await expect(inClass.getByRole('listitem')).toHaveText(['Ada 2 workers', '<b>Bo</b> 1 worker'])
  await expect(ada.locator('.join-round')).toContainText('You said 2 workers.')
  await expect(bo.locator('.join-round')).toContainText('You said 1 worker.')

  // The host's next round takes the question away.
  await inClass.getByRole('button', { name: 'Another question' }).click()
  await expect(ada.locator('.join-round')).toHaveCount(0)
})
