import { expect, type Page, test } from '@playwright/test'
import { choose, drawn, run, runAndPlay, visit } from './driver/visit.ts'

test('from move to move: the sentence says who went where, and the panel agrees with the picture', async ({ page }) => {
  await visit(page)
  await run(page)
  const next = page.getByRole('button', { name: 'Next move' })
  for (let i = 0; i < 3; i++) {
    await next.click()
    await expect(page.getByRole('article', { name: 'Decision' })).toContainText(/Worker \d moves from \w+ to \w+/)
    await expectAgreement(page)
  }
  const heading = page.getByRole('article', { name: 'Decision' }).getByRole('heading', { level: 2 })
  const third = await heading.innerText()
  await page.keyboard.press('<')
  await expect(heading).not.toHaveText(third)
  await page.keyboard.press('>')
  await expect(heading).toHaveText(third)
  // Read out while one steps, and not while it plays.
  const sentence = page.getByRole('article', { name: 'Decision' }).locator('.sentence')
  await expect(sentence).toHaveAttribute('aria-live', 'polite')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(sentence).toHaveAttribute('aria-live', 'off')
})

test('whenever the picture is paused, the decision shown is the latest one at that instant', async ({ page }) => {
  await visit(page)
  await runAndPlay(page)
  for (let i = 0; i < 4; i++) {
    await page.waitForTimeout(230)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await drawn(page)
    const shown = await page.evaluate(() => document.querySelector('[aria-label=Decision] h2')?.textContent)
    await page.keyboard.press('.')
    await page.keyboard.press(',')
    await drawn(page)
    expect(await page.evaluate(() => document.querySelector('[aria-label=Decision] h2')?.textContent)).toBe(shown)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
  }
})

test('a stage added in the middle stands in the middle of every table', async ({ page }) => {
  await visit(page)
  await page.getByRole('button', { name: 'Add a stage between Parse and Validate' }).focus()
  await page.keyboard.press('Enter')
  await run(page)
  const names = () => page.getByRole('rowheader').evaluateAll((cells) => cells.map((cell) => cell.textContent?.trim()).filter((name) => name !== ''))
  const line = ['Parse', 'Stage E', 'Validate', 'Enrich', 'Write']
  // It may have been paused before anything was decided.
  await page.keyboard.press('.')
  await expect.poll(async () => (await names()).slice(0, 5)).toEqual(line)
  await page.getByRole('tab', { name: 'Results' }).click()
  await expect(page.getByRole('heading', { name: 'Stage by stage' })).toBeVisible()
  expect((await names()).filter((name) => line.includes(name ?? ''))).toEqual(line)
})

test('About says what this is and which keys there are', async ({ page }) => {
  await visit(page)
  await choose(page, 'About and keys')
  const dialog = page.getByRole('dialog', { name: 'About Apportion' })
  await expect(dialog).toContainText('who should work where, now?')
  await expect(dialog).toContainText('undo; with Shift: redo')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

/** What waits in each card is what the scheduler saw less what its decision took. */
async function expectAgreement(page: Page): Promise<void> {
  const rows = await page.locator('table.seen tbody tr').evaluateAll((all) =>
    all.map((row) => {
      const cell = row.querySelector<HTMLElement>('.waits')
      return Number(cell?.textContent) - Number((cell?.dataset.taken ?? '').replace('−', '') || 0)
    }),
  )
  const cards = await page.locator('.stage-card-live').evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset.waiting))
  expect(cards.map(Number)).toEqual(rows)
}
