import { expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { answered, playhead, run, stageNames, statusOf, visit } from './driver/visit.ts'

test('a pipeline is drawn by pointer: stages are added, named by a double click, dragged to another place, removed, and played', async ({
  page,
}) => {
  await visit(page)
  await page.getByRole('toolbar').getByRole('button', { name: '+ Stage' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Enrich', 'Write', 'Stage E'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Add a stage between Validate and Enrich' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Stage E', 'Enrich', 'Write'])
  await expect(stage(page, 'Stage E').locator('.stage-card-live')).toHaveAttribute('data-waiting', '0')

  // Its name is selected.
  await page.keyboard.type('Store')
  await page.keyboard.press('Enter')
  await stage(page, 'Store').getByText('Store').dblclick()
  await page.getByRole('textbox', { name: 'Name of the stage' }).fill('Cache')
  await page.keyboard.press('Enter')
  await drag(page, stage(page, 'Cache'), stage(page, 'Parse'))
  await expect.poll(() => stageNames(page)).toEqual(['Cache', 'Parse', 'Validate', 'Enrich', 'Write'])

  await stage(page, 'Cache').getByText('Cache').click()
  await page.getByRole('region', { name: 'Stage Cache' }).getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Enrich', 'Write'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Cache', 'Parse', 'Validate', 'Enrich', 'Write'])
  await run(page)
})

test('an edit after a run is simulated by itself, and the playhead does not move', async ({ page }) => {
  const picture = page.locator('.pipeline-overlay')
  await visit(page, jsonLink(workedExample))
  await run(page, /^Finished/)
  await playhead(page).fill('1500000')
  await expect(picture).toHaveCSS('opacity', '1')
  await stage(page, 'B').focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => stageNames(page)).toEqual(['A'])
  await answered(page)
  await expect(page.locator('.answer-figure strong')).toHaveText(/^2(\.0+)? s$/)
  await expect(statusOf(page)).toHaveText(/^Simulated in \d/)
  await expect(playhead(page)).toHaveValue('1500000')
  await expect(picture).toHaveCSS('opacity', '1')
  await expect(page.getByText('Edited since this run.')).toBeHidden()
})

function stage(page: Page, name: string): Locator {
  return page.getByRole('group', { name: new RegExp(`^Stage ${name}, `) })
}

/** Takes a card by its head and drops it on the place of another. */
async function drag(page: Page, what: Locator, onto: Locator): Promise<void> {
  const [from, to] = [await what.boundingBox(), await onto.boundingBox()]
  if (from === null || to === null) throw new Error('a card is not on the screen')
  await page.mouse.move(from.x + from.width / 2, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + 12, { steps: 12 })
  await page.mouse.up()
}
