import { expect, type Locator, type Page, test } from '@playwright/test'
import { alertOf, chooseScenario, downloadTrace, jsonLink, run, stageNames, statusOf, visit } from './driver/visit.ts'

test('a pipeline is drawn by keyboard alone: a stage is added, named, moved in the line, slowed down, removed, and all of it undone', async ({ page }) => {
  await visit(page, jsonLink({ version: 1, title: 'Two', source: { kind: 'batch', jobs: 4 }, stages: [{ id: 'A' }, { id: 'B' }], workers: 2 }))
  await stage(page, 'A').focus()
  await page.keyboard.press('a')
  await expect.poll(() => stageNames(page)).toEqual(['A', 'Stage C', 'B'])
  await expect(stage(page, 'Stage C')).toBeFocused()

  await page.keyboard.press('F2')
  await page.keyboard.type('Polish')
  await page.keyboard.press('Enter')
  await expect.poll(() => stageNames(page)).toEqual(['A', 'Polish', 'B'])
  await expect(stage(page, 'Polish')).toBeFocused()

  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(() => stageNames(page)).toEqual(['A', 'B', 'Polish'])
  await expect(stage(page, 'Polish')).toBeFocused()

  const form = page.getByRole('region', { name: 'Stage Polish' })
  const mean = form.getByRole('textbox', { name: 'Mean', exact: true })
  await mean.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('40 ms')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Stage Polish, 40 ms on average, 3 of 3' })).toBeVisible()

  await stage(page, 'A').focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => stageNames(page)).toEqual(['B', 'Polish'])
  await expect(stage(page, 'B')).toBeFocused()

  for (const before of [
    ['A', 'B', 'Polish'],
    ['A', 'B', 'Polish'],
    ['A', 'Polish', 'B'],
    ['A', 'Stage C', 'B'],
    ['A', 'B'],
  ]) {
    await page.keyboard.press('Control+z')
    await expect.poll(() => stageNames(page)).toEqual(before)
  }
  await expect(page.getByRole('button', { name: 'Undo' })).toBeEnabled()
  await run(page)
  await expect(statusOf(page)).toHaveText(/^Finished: 4 of 4 jobs/)
})

test('the only stage cannot be removed, and the person is told why', async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'New pipeline')
  await stage(page, 'Stage A').focus()
  await page.keyboard.press('Delete')
  await expect(alertOf(page)).toHaveText(/Stage A is the only stage/)
  expect(await stageNames(page)).toEqual(['Stage A'])
})

test('a pipeline is drawn by pointer: a stage is added on a link, named by a double click, dragged to another place and removed', async ({ page }) => {
  await visit(page)
  await page.getByRole('button', { name: 'Add a stage after Validate' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Stage E', 'Enrich', 'Write'])
  await expect(stage(page, 'Stage E').locator('.stage-card-live')).toHaveAttribute('data-waiting', '0')

  await stage(page, 'Stage E').getByText('Stage E').dblclick()
  await page.getByRole('textbox', { name: 'Name of the stage' }).fill('Cache')
  await page.keyboard.press('Enter')
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Cache', 'Enrich', 'Write'])

  await drag(page, stage(page, 'Cache'), stage(page, 'Parse'))
  await expect.poll(() => stageNames(page)).toEqual(['Cache', 'Parse', 'Validate', 'Enrich', 'Write'])

  await stage(page, 'Cache').getByText('Cache').click()
  await page.getByRole('region', { name: 'Stage Cache' }).getByRole('button', { name: 'Delete the stage' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Enrich', 'Write'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Cache', 'Parse', 'Validate', 'Enrich', 'Write'])
  await run(page)
  const { scenario } = await downloadTrace(page)
  expect(scenario.stages.map(({ name }) => name).sort()).toEqual(['Cache', 'Enrich', 'Parse', 'Validate', 'Write'])
})

test('the toolbar adds a stage at the end of the line', async ({ page }) => {
  await visit(page)
  await page.getByRole('toolbar').getByRole('button', { name: '+ Stage' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Enrich', 'Write', 'Stage E'])
})

test('a service time is changed by its number, its slider and its distribution; nonsense is refused beside the field', async ({ page }) => {
  await visit(page)
  await stage(page, 'Parse').getByText('Parse', { exact: true }).click()
  const form = page.getByRole('region', { name: 'Stage Parse' })
  const mean = form.getByRole('textbox', { name: 'Mean', exact: true })
  await mean.fill('9 ms')
  await expect(page.getByRole('group', { name: /^Stage Parse, 9 ms/ })).toBeVisible()
  const slider = form.getByRole('slider', { name: /^Mean/ })
  await slider.focus()
  await page.keyboard.press('PageUp')
  await expect(page.getByRole('group', { name: /^Stage Parse, 9 ms/ })).toBeHidden()
  await form.getByRole('combobox', { name: 'Distribution' }).selectOption('uniform')
  await expect(form.getByRole('textbox', { name: /least|from|min/i })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await mean.fill('fast')
  await expect(mean).toHaveAttribute('aria-invalid', 'true')
  await expect(mean).toHaveAccessibleDescription(/allowed: a time/)
  await mean.press('Escape')
  await expect(mean).toHaveAttribute('aria-invalid', 'false')
  await run(page)
})

test('how jobs arrive and the seed are edited, and another seed is another run', async ({ page }) => {
  await visit(page)
  await page.getByRole('group', { name: /^Source/ }).focus()
  await page.keyboard.press('Enter')
  const source = page.getByRole('region', { name: 'Source' })
  await expect(source).toBeVisible()
  await source.getByRole('textbox', { name: 'Jobs', exact: true }).fill('100')
  await run(page)
  await expect(statusOf(page)).toHaveText(/^Finished: 100 of 100 jobs/)
  const one = await downloadTrace(page)
  await page.getByRole('tab', { name: 'Scenario' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('textbox', { name: 'Seed' }).fill('12345')
  await run(page)
  const other = await downloadTrace(page)
  expect(other.events.time).not.toEqual(one.events.time)
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
