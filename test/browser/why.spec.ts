import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { expectAccessible } from './driver/accessible.ts'
import { drawn, LONG, playhead, visit } from './driver/visit.ts'

/** Constant services, so that everything happens at round times: worker 3 moves from B at 1.04 s. */
const line = {
  version: 1,
  title: 'A worker leaves',
  source: { kind: 'batch', jobs: 40 },
  stages: [
    { id: 'A', service: { kind: 'constant', mean: 60_000 } },
    { id: 'B', service: { kind: 'constant', mean: 80_000 } },
    { id: 'C', service: { kind: 'constant', mean: 100_000 } },
  ],
  workers: 4,
}

const panelOf = (page: Page) => page.getByRole('article', { name: 'Decision' })

/** Further explanations of a decision are in folds; an open fold stays open. */
const unfold = (page: Page, name: string) => panelOf(page).getByRole('heading', { name }).click()

/** As a first visitor who knows only the time. */
async function openThe(page: Page, time: string): Promise<void> {
  // Shortly before, wherever the playback is.
  await visit(page, jsonLink(line, '&run=simulation&t=1000000'))
  await expect(playhead(page)).toHaveValue('1000000', LONG)
  const next = page.getByRole('button', { name: 'Next move' })
  for (let i = 0; i < 40 && !(await panelOf(page).innerText()).includes(`at ${time}`); i++) {
    await next.click()
    await drawn(page)
  }
  await expect(panelOf(page)).toContainText(`at ${time}`)
  // The arguments follow a moment after the last step.
  await expect(panelOf(page)).toContainText('the target for B would be 2 (not 1)')
}

test('why did worker 3 leave stage B at 1.04 s, and what would have kept it there?', async ({ page }) => {
  await openThe(page, '1.040 s')
  const text = (await panelOf(page).innerText()).replace(/\s+/g, ' ')
  expect(text).toContain(
    'Targets: C 1 to 2 and B 2 to 1. By quotient, C comes before B. Worker 2 stays at B. Worker 3 moves from B to C.',
  )
  expect(text).toContain('With 14 waiting (not 12), the target for B would be 2 (not 1), from C.')

  // For each stage the page says what would lower its target and what would raise it.
  await panelOf(page).getByText('Stage by stage').click()
  const row = page.locator('table.flips').getByRole('row', { name: /^B / })
  await expect(row).toContainText('≥ 14 waiting')

  await unfold(page, 'More about this decision')
  await unfold(page, 'Other policies')
  // The other policies are shown as parliaments, those that differ with the number of seats.
  const parliaments = page.locator('.parliaments').getByRole('img')
  await expect(parliaments).toHaveCount(10)
  await expect(parliaments.first()).toHaveAttribute('aria-label', /^Least total time: A \d, B 1, C \d; the same$/)
  const labels = await parliaments.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''))
  const table = await page
    .locator('table.others tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
  expect(labels.map((label) => label.replace(/;.*/, ''))).toEqual(
    table.map(([name, a, b, c]) => `${name}: A ${a}, B ${b}, C ${c}`),
  )
  for (const [i, label] of labels.entries())
    expect(/; the same$/.test(label)).toBe(table[i].slice(1).join() === table[0].slice(1).join())

  await unfold(page, 'Service time: estimated and actual')
  // The estimated service time is shown beside the declared and the measured one.
  await expect(page.locator('table.costs').getByRole('row', { name: /^B / })).toHaveText(
    /B\s*80(\.0)?\s*80(\.0)?\s*80(\.0)?/,
  )
})

test('other targets, by keyboard and by pointer, show the slower stages and the new expected time', async ({
  page,
}) => {
  await openThe(page, '1.040 s')
  const panel = panelOf(page)
  await unfold(page, 'Why not?')
  const take = panel.getByRole('button', { name: 'Lower the target for C' })
  await expect(panel.getByRole('button', { name: 'Raise the target for B' })).toHaveAttribute('aria-disabled', 'true')
  await take.focus()
  await page.keyboard.press('Enter')
  await expect(panel).toContainText(/workers left: 1/i)
  await expectAccessible(page, 'other targets', ['.side'])
  await panel.getByRole('button', { name: 'Raise the target for B' }).focus()
  await page.keyboard.press('Enter')
  await expect(panel).toContainText(/B 480 ms to 320 ms and C .* Expected time /)
  await expect(panel).not.toContainText(/workers left/i)
  await panel.getByRole('button', { name: 'Reset' }).click()
  await expect(panel.getByRole('button', { name: 'Reset' })).toBeHidden()

  // The pointer drags a seat from one stage to another.
  const rows = page.locator('table.seat-table tbody tr')
  const seats = () => rows.locator('strong').allInnerTexts()
  const before = (await seats()).map(Number)
  await rows.nth(2).locator('.seat-dot').first().dragTo(rows.nth(0))
  await expect.poll(async () => (await seats()).map(Number)).toEqual([before[0] + 1, before[1], before[2] - 1])
  await expect(panelOf(page)).toContainText('Expected time')
})
