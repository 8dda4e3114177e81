import { expect, type Page, test } from '@playwright/test'
import { run, visit } from './driver/visit.ts'
import { neverVisited } from './driver/visits.ts'

test('from move to move: the sentence names the workers and stages, and the panel agrees with the picture', async ({
  page,
}) => {
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
  // Read out when stepping, and not during playback.
  const sentence = page.getByRole('article', { name: 'Decision' }).locator('.sentence')
  await expect(sentence).toHaveAttribute('aria-live', 'polite')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(sentence).toHaveAttribute('aria-live', 'off')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a decision is a sheet below the pipeline, which Back, Escape and its button close', async ({ page }) => {
    await visit(page)
    await run(page)
    const why = page.getByRole('button', { name: 'Why?' })
    const side = page.getByRole('complementary', { name: 'Details' })
    const closes = [
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
      () => side.getByRole('button', { name: 'Close' }).tap(),
    ]
    for (const close of closes) {
      await why.tap()
      await expect(side).toHaveAttribute('data-raised', 'true')
      await expect(side.getByRole('article', { name: 'Decision' })).toBeInViewport()
      const top = (await side.boundingBox())!.y
      expect(top).toBeGreaterThan(844 / 2)
      // The page scrolls there.
      const lowest = () =>
        page
          .getByRole('group', { name: /^Stage / })
          .evaluateAll((cards) => Math.max(...cards.map((card) => card.getBoundingClientRect().bottom)))
      await expect.poll(lowest).toBeLessThan(top)
      await close()
      await expect(side).toHaveAttribute('data-raised', 'false')
      await expect(why).toBeFocused()
    }
  })
})

test.describe('on a phone, at a first visit', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, storageState: neverVisited })

  test('the pipeline stays above the decision when the front page goes away', async ({ page }) => {
    await page.goto('/')
    await run(page)
    await page.getByRole('button', { name: 'Why?' }).tap()
    await expect(page.getByRole('complementary', { name: 'Details' })).toHaveAttribute('data-raised', 'true')
    await expect(page.getByRole('region', { name: 'What it is about' })).toHaveCount(0)
    await expect
      .poll(async () => Math.abs((await page.getByRole('region', { name: 'Pipeline' }).boundingBox())!.y))
      .toBeLessThan(1)
  })
})

/** The jobs waiting on each card are those that the scheduler saw, less those that its decision took. */
async function expectAgreement(page: Page): Promise<void> {
  const rows = await page.locator('table.seen tbody tr').evaluateAll((all) =>
    all.map((row) => {
      const cell = row.querySelector<HTMLElement>('.waits')
      return Number(cell?.textContent) - Number((cell?.dataset.taken ?? '').replace('−', '') || 0)
    }),
  )
  const cards = await page
    .locator('.stage-card-live')
    .evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset.waiting))
  expect(cards.map(Number)).toEqual(rows)
}
