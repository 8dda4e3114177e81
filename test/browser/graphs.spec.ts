import { expect, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { boxOf, drag, dragNewStage, link, linksOf, middle, runButton, stage } from './driver/drawing.ts'
import { alertOf, chooseScenario, stageNames, visit } from './driver/visit.ts'

// A tall window, in which there is room below the cards.
test.use({ viewport: { width: 1280, height: 1500 } })

test('a fork that joins again is drawn from an empty canvas by pointer: problems are shown at their places meanwhile', async ({
  page,
}) => {
  await visit(page)
  await chooseScenario(page, 'New pipeline')
  // Dragged from the button onto a link: the link leads through it.
  await dragNewStage(page, await middle(page.getByRole('button', { name: 'Add a stage between Stage A and the sink' })))
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>B', 'B>sink'])
  // Dragged from the button to a free place: not linked yet.
  const canvas = await boxOf(page.locator('.pipeline-canvas'))
  await dragNewStage(page, { x: canvas.x + 200, y: canvas.y + canvas.height - 100 })
  await expect(stage(page, 'Stage C').getByText(/is not reached.*is a dead end/)).toBeVisible()
  await expect(stage(page, 'Stage C')).toHaveAccessibleDescription(/is a dead end/)
  await expect(alertOf(page)).toContainText('Stage "Stage C" is not reached')
  await expect(runButton(page)).toBeDisabled()
  await link(page, 'Stage A', 'Stage C')
  await link(page, 'Stage C', 'Stage B')
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>C', 'A>B', 'C>B', 'B>sink'])
  await expect(alertOf(page)).toBeHidden()
  await expect(runButton(page)).toBeEnabled()

  // A link back closes a cycle, which is named at the link.
  await link(page, 'Stage B', 'Stage A')
  await expect(page.locator('.fault-note.on-link')).toContainText('cycle')
  await expect(alertOf(page)).toContainText('Link from Stage B to Stage A')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(alertOf(page)).toBeHidden()

  // A selected link has a button that removes it.
  const way = page.locator('.react-flow__edge[data-id="A B"] .pipeline-link-reach')
  await way.dispatchEvent('click')
  await page.getByRole('button', { name: 'Remove the link from Stage A to Stage B' }).click()
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>C', 'C>B', 'B>sink'])
})

test('a fan-out of two is drawn by the + of a card and by the form of the new stage', async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'New pipeline')
  await stage(page, 'Stage A').click({ position: { x: 30, y: 10 } })
  await expect(stage(page, 'Stage A').locator('.card-source')).toHaveCSS('opacity', '1')
  await page.mouse.move(5, 5)
  await page.getByRole('button', { name: 'Add a stage after Stage A' }).click()
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>B', 'B>sink'])
  await page.keyboard.type('Left')
  await page.getByRole('button', { name: 'Add a stage beside it' }).click()
  await page.keyboard.type('Right')
  await page.keyboard.press('Enter')
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>B', 'A>C', 'B>sink', 'C>sink'])
  await expect.poll(async () => (await stageNames(page)).slice(1)).toEqual(['Left', 'Right'])
  await expect(runButton(page)).toBeEnabled()
})

test('stages are chosen by a box, by clicks and by key, and moved, aligned, duplicated and removed together', async ({
  page,
}) => {
  await visit(page)
  await stage(page, 'Parse').click({ position: { x: 30, y: 10 } })
  await stage(page, 'Enrich').click({ position: { x: 30, y: 10 }, modifiers: ['Shift'] })
  await expect(page.getByRole('toolbar', { name: 'Chosen stages' })).toContainText('2 stages')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('toolbar', { name: 'Chosen stages' })).toBeHidden()

  const [first, second, pane] = [
    await boxOf(stage(page, 'Parse')),
    await boxOf(stage(page, 'Validate')),
    await boxOf(page.locator('.pipeline-canvas')),
  ]
  await page.keyboard.down('Shift')
  await drag(page, { x: first.x - 6, y: first.y - 20 }, { x: second.x + 40, y: second.y + 60 })
  await page.keyboard.up('Shift')
  await expect(page.getByRole('toolbar', { name: 'Chosen stages' })).toContainText('2 stages')
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect
    .poll(async () => (await stageNames(page)).sort())
    .toEqual(['Enrich', 'Parse', 'Parse 2', 'Validate', 'Validate 2', 'Write'])
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Enrich', 'Write'])

  await stage(page, 'Write').focus()
  await page.keyboard.press('Control+a')
  await expect(page.getByRole('toolbar', { name: 'Chosen stages' })).toContainText('4 stages')
  const before = await boxOf(stage(page, 'Write'))
  const { x, y } = await boxOf(stage(page, 'Parse'))
  await drag(page, { x: x + 40, y: y + 12 }, { x: x + 60, y: pane.y + pane.height - 60 })
  await expect.poll(async () => (await boxOf(stage(page, 'Write'))).y).toBeGreaterThan(before.y + 20)
  await page.getByRole('button', { name: 'Align in a column' }).click()
  await expect
    .poll(async () => Math.abs((await boxOf(stage(page, 'Write'))).x - (await boxOf(stage(page, 'Parse'))).x))
    .toBeLessThan(2)
})

test('the chosen stages are copied even without a network, and pasted by keys', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page)
  await expect(stage(page, 'Validate')).toBeVisible()
  await page.route('**/*.js', (route) => route.abort())
  await stage(page, 'Validate').click({ position: { x: 30, y: 10 } })
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"Validate"')
  await page.unroute('**/*.js')
  await page.reload()
  await stage(page, 'Parse').focus()
  await page.keyboard.press('Control+v')
  await expect.poll(() => stageNames(page)).toContain('Validate 2')
})

test('a routing stage shows the share of each link, and copies that would meet are reported where they meet', async ({
  page,
}) => {
  const links = ['source>A', 'A>B', 'A>C', 'B>D', 'C>D', 'D>sink'].map((each) => each.split('>'))
  const stages = [{ id: 'A' }, { id: 'B' }, { id: 'C' }, { id: 'D', join: 'all' }]
  await visit(page, jsonLink({ version: 1, source: { kind: 'batch', jobs: 4 }, stages, links, workers: 2 }))
  await stage(page, 'A').click({ position: { x: 30, y: 10 } })
  const form = page.getByRole('region', { name: 'Stage A' })
  const ways = form.getByRole('combobox', { name: 'To 2 stages' })
  await ways.selectOption('route')
  await expect(page.locator('.pipeline-share')).toHaveText(['50%', '50%'])
  const weight = form.getByRole('textbox', { name: 'B', exact: true })
  await weight.fill('3')
  await expect(page.locator('.pipeline-share')).toHaveText(['75%', '25%'])
  await weight.fill('0')
  await expect(weight).toHaveAttribute('aria-invalid', 'true')
  await weight.press('Escape')
  await ways.selectOption('copy')
  await stage(page, 'D').click({ position: { x: 30, y: 10 } })
  await page
    .getByRole('region', { name: 'Stage D' })
    .getByRole('combobox', { name: 'From 2 stages' })
    .selectOption('merge')
  await expect(stage(page, 'D').getByText(/copies of a job may meet here/)).toBeVisible()
})
