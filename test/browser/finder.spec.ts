import { expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink, threeStages } from '../fixtures/scenarios.ts'
import { expectAccessibleAtAnyWidth } from './driver/accessible.ts'
import { LONG, openView, playhead, visit } from './driver/visit.ts'

const finder = (page: Page): Locator =>
  page.getByRole('article', { name: 'Compare' }).locator('details', { hasText: 'Find where it fails' })
const sentence =
  /^Flow time, mean: Least total time has [\d.]+ times that of Nearest the sink first, on \d+ stages?, \d+ workers? and \d+ jobs?\.$/

async function openFinder(page: Page): Promise<void> {
  await openView(page, 'Compare')
  await finder(page).locator('summary').click()
  await expect(finder(page).getByRole('button', { name: 'Find', exact: true })).toBeVisible()
}

/** Searches until there is a result, then stops and keeps the best. */
async function find(page: Page): Promise<void> {
  await finder(page).getByRole('button', { name: 'Find', exact: true }).click()
  await expect(finder(page)).toContainText(/Best so far: [\d.]+ times/, LONG)
  await finder(page).getByRole('button', { name: 'Stop' }).click()
  await expect(finder(page).getByText(sentence)).toBeVisible(LONG)
  await expect(finder(page)).toContainText(/The first difference is at [\d.]+ s\./)
}

test('a search shows the best so far, stops and keeps it; the result opens in Compare at the first difference, and undo reverts it', async ({
  page,
}) => {
  await visit(page, jsonLink(threeStages))
  await openFinder(page)
  await find(page)
  await expectAccessibleAtAnyWidth(page, 'with a find', ['.finder'])
  const link = await finder(page).getByRole('textbox', { name: 'Link' }).inputValue()
  expect(link).toMatch(/#s=.*&record=compare&policies=leastScore,sinkFirst$/)
  await finder(page).getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Side by side' }).getByRole('listitem')).toHaveCount(2, LONG)
  await expect(page.getByRole('region', { name: 'First difference' })).toContainText(/took .+ \/ .+/, LONG)
  const parting = Number(/&t=(\d+)/.exec(link)?.[1])
  await expect.poll(async () => Number(await playhead(page).inputValue())).toBe(parting)
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).not.toHaveValue('6')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('6')
})

test('code of the canvas is searched too, by its name: around its scenario, until the search is stopped', async ({
  page,
}) => {
  const source = 'export default ({ workers, stages }) => stages.map((_, k) => (k === 0 ? workers : 0))'
  await visit(page, jsonLink({ ...threeStages, policy: { kind: 'code', name: 'First alone', source } }))
  await openFinder(page)
  await finder(page).getByRole('combobox', { name: 'Policy that fails' }).selectOption({ label: 'First alone' })
  await finder(page).getByRole('checkbox').check()
  await finder(page).getByRole('button', { name: 'Find', exact: true }).click()
  await expect(finder(page)).toContainText(/Best so far: [\d.]+ times/, LONG)
  await finder(page).getByRole('button', { name: 'Stop' }).click()
  await expect(finder(page).getByText(/^Flow time, mean: First alone has [\d.]+ times that/)).toBeVisible(LONG)
})
