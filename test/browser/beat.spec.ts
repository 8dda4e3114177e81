import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink, smallGame } from '../fixtures/scenarios.ts'
import { choose, statusOf, visit } from './driver/visit.ts'

const game = (page: Page) => page.getByRole('region', { name: 'Beat the scheduler' })
const count = (page: Page) => game(page).locator('.lesson-count')
const stage = (page: Page, name: string) => game(page).getByRole('button', { name: `Send a worker to ${name}` })
const goOn = (page: Page) => game(page).getByRole('button', { name: 'Continue' })

test('a game works by keys alone, is compared with the policies, and its challenge opens the same game with the score to beat', async ({
  page,
}) => {
  await visit(page, jsonLink(smallGame))
  await page.getByRole('button', { name: 'Learn', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Beat the scheduler' }).press('Enter')
  await game(page).getByRole('button', { name: 'Begin' }).press('Enter')
  await expect(count(page)).toHaveText(/^Turn 1 of about \d+$/)
  await expect(statusOf(page)).toContainText(/: \d workers? (is|are) free\. Where to\?/)
  // The record ends at the question, so the future stays hidden.
  const end = () => page.getByRole('slider', { name: 'Time' }).getAttribute('max')
  const first = Number(await end())
  await expect(goOn(page)).toBeDisabled()
  await page.keyboard.press('1')
  await expect(stage(page, 'Cut')).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(goOn(page)).toBeDisabled()
  await page.keyboard.press('1')
  await game(page).getByRole('button', { name: 'take one back' }).press('Enter')
  await expect(goOn(page)).toBeDisabled()
  await expect(stage(page, 'Cut')).toBeFocused()
  expect(await new AxeBuilder({ page }).include('.beat').analyze()).toMatchObject({ violations: [] })
  for (let n = 1; await goOn(page).isVisible(); n++) {
    await expect(count(page)).toHaveText(new RegExp(`^Turn ${n} of`))
    // First a worker waits, although there is work.
    while (await goOn(page).isDisabled()) for (const key of n === 1 ? ['0'] : ['2', '1']) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await expect(count(page)).not.toHaveText(new RegExp(`^Turn ${n} of`))
  }
  await expect(game(page)).toContainText(/You: .*\. The policy: .*\./)
  await expect(
    game(page).getByRole('region', { name: 'Where you chose differently' }).getByRole('button').first(),
  ).toContainText('You: 1 waiting.')
  await expect.poll(async () => Number(await end())).toBeGreaterThan(first)
  await expect(statusOf(page)).toContainText('Finished: 4 of 4 jobs')
  const chart = game(page).getByRole('list', { name: 'Makespan' })
  await expect(chart.getByRole('listitem').filter({ hasText: 'Jefferson' })).toBeVisible()
  await expect(chart.getByRole('listitem').last()).toContainText('Lower bound')
  expect(await new AxeBuilder({ page }).include('.beat').analyze()).toMatchObject({ violations: [] })
  // One press leads to the first difference from the policy.
  await game(page).getByRole('region', { name: 'Where you chose differently' }).getByRole('button').first().click()
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('The targets were set by hand')
  const link = await game(page)
    .getByRole('textbox', { name: /^A challenge/ })
    .inputValue()
  expect(link).toMatch(/&beat=\d+$/)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(game(page)).toContainText('The score to beat: ')
  await game(page).getByRole('button', { name: 'Begin' }).click()
  await expect(count(page)).toHaveText(/^Turn 1 of about \d+$/)
})

test('a worker is sent by a press on a stage’s card, or dragged there', async ({ page }) => {
  await visit(page)
  await choose(page, 'Beat the scheduler')
  await expect(game(page)).toContainText('Rush hour at the API gateway cannot be played as a game: it is too long.')
  await game(page)
    .getByRole('button', { name: /^Six jobs through three stages/ })
    .click()
  await expect(count(page)).toHaveText(/^Turn 1 of about \d+$/)
  const free = game(page).locator('.beat-seat:visible')
  const before = await free.count()
  const open = game(page).locator('li:has(.beat-stage:enabled)')
  const place = Number(await open.first().getAttribute('data-beat-place'))
  await page.locator(`.react-flow__node[data-id="${'ABC'[place]}"]`).click()
  await expect(free).toHaveCount(before - 1)
  await game(page).getByRole('button', { name: 'take one back' }).click()
  await expect(free).toHaveCount(before)
  await free.first().dragTo(open.first())
  await expect(free).toHaveCount(before - 1)
  await game(page).getByRole('button', { name: 'Leave the game' }).click()
  await expect(game(page)).toHaveCount(0)
})
