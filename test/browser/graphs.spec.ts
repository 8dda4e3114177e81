import { expect, test } from '@playwright/test'
import { boxOf, drag, dragNewStage, link, linksOf, middle, runButton, stage } from './driver/drawing.ts'
import { alertOf, chooseScenario, jsonLink, run, stageNames, visit } from './driver/visit.ts'

const line = { version: 1, title: 'Two', source: { kind: 'batch', jobs: 4 }, stages: [{ id: 'A' }, { id: 'B' }], workers: 2 }
const fork = ['source>A', 'A>B', 'A>C', 'B>D', 'C>D', 'D>sink']

test('a fork that joins again is drawn from an empty canvas by keyboard alone, and undone to the last', async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'New pipeline')
  await stage(page, 'Stage A').focus()
  await page.keyboard.press('a')
  await expect(stage(page, 'Stage B')).toBeFocused()
  // Beside B, with the same stages before and behind it.
  await page.keyboard.press('b')
  await expect(stage(page, 'Stage C')).toBeFocused()
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>B', 'A>C', 'B>sink', 'C>sink'])
  // Behind C, and B leads there as well.
  await page.keyboard.press('a')
  await expect(stage(page, 'Stage D')).toBeFocused()
  await stage(page, 'Stage B').focus()
  await page.keyboard.press('c')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/^Link Stage B to Stage D/)).toBeAttached()
  await page.keyboard.press('Enter')
  await expect.poll(() => linksOf(page)).toEqual(fork)
  await expect(alertOf(page)).toBeHidden()
  await expect(runButton(page)).toBeEnabled()

  // The join waits for both parts: that follows from the drawing, and the form says it.
  await stage(page, 'Stage D').focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: 'Stage Stage D' }).getByRole('combobox', { name: 'From 2 stages' })).toHaveValue('all')

  // A link is taken away from its button, by the same key as a stage.
  await page.getByRole('button', { name: 'Add a stage after Stage B' }).focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>B', 'A>C', 'B>sink', 'C>D', 'D>sink'])

  for (const before of [
    fork,
    ['source>A', 'A>B', 'A>C', 'B>sink', 'C>D', 'D>sink'],
    ['source>A', 'A>B', 'A>C', 'B>sink', 'C>sink'],
    ['source>A', 'A>B', 'B>sink'],
    ['source>A', 'A>sink'],
  ]) {
    await page.keyboard.press('Control+z')
    await expect.poll(() => linksOf(page)).toEqual(before)
  }
})

test('a fork that joins again is drawn from an empty canvas by pointer: what is wrong meanwhile is said where it is', async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'New pipeline')
  // Off the button onto a link: the link leads through it.
  await dragNewStage(page, await middle(page.getByRole('button', { name: 'Add a stage after Stage A' })))
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>B', 'B>sink'])
  // Off the button beside all: linked to nothing yet.
  const canvas = await boxOf(page.locator('.pipeline-canvas'))
  await dragNewStage(page, { x: canvas.x + 200, y: canvas.y + canvas.height - 60 })
  await expect.poll(() => stageNames(page)).toContain('Stage C')
  await expect(stage(page, 'Stage C').getByText(/is not reached.*is a dead end/)).toBeVisible()
  await expect(stage(page, 'Stage C')).toHaveAccessibleDescription(/is a dead end/)
  await expect(alertOf(page)).toContainText('Stage "Stage C" is not reached: link the source or a stage to it')
  await expect(alertOf(page)).toContainText('is a dead end')
  await expect(runButton(page)).toBeDisabled()

  await link(page, 'Stage A', 'Stage C')
  await expect(alertOf(page)).not.toContainText('is not reached')
  await expect(alertOf(page)).toContainText('is a dead end')
  await link(page, 'Stage C', 'Stage B')
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>C', 'A>B', 'C>B', 'B>sink'])
  await expect(alertOf(page)).toBeHidden()
  await expect(runButton(page)).toBeEnabled()

  // A link back closes a circle, which is named at the link, and undone.
  await link(page, 'Stage B', 'Stage A')
  await expect(page.locator('.fault-note.on-link')).toContainText('circle')
  await expect(alertOf(page)).toContainText('Link from Stage B to Stage A')
  await expect(runButton(page)).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  await expect(alertOf(page)).toContainText('put right first')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(alertOf(page)).toBeHidden()

  // A link that is picked has a button that takes it away.
  const way = page.locator('.react-flow__edge[data-id="A B"] .pipeline-link-reach')
  await way.dispatchEvent('click')
  await page.getByRole('button', { name: 'Remove the link from Stage A to Stage B' }).click()
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>C', 'C>B', 'B>sink'])
})

test('what was drawn last without a fault stays the link, and a reload loses nothing of the drawing', async ({ page }) => {
  await visit(page, jsonLink(line))
  await stage(page, 'B').focus()
  await page.keyboard.press('c')
  await page.keyboard.press('Enter')
  await expect(alertOf(page)).toContainText('circle')
  await page.waitForTimeout(1500)
  await page.reload()
  await expect(alertOf(page)).toContainText('circle')
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>B', 'B>A'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(alertOf(page)).toBeHidden()
  await expect(runButton(page)).toBeEnabled()
})

test('stages are chosen together by a box, by clicks and by key, and moved, aligned, duplicated and removed as one', async ({ page }) => {
  await visit(page)
  await stage(page, 'Parse').click({ position: { x: 30, y: 10 } })
  await stage(page, 'Enrich').click({ position: { x: 30, y: 10 }, modifiers: ['Shift'] })
  await expect(page.getByRole('toolbar', { name: 'Chosen stages' })).toContainText('2 stages')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('toolbar', { name: 'Chosen stages' })).toBeHidden()

  const [first, second, pane] = [await boxOf(stage(page, 'Parse')), await boxOf(stage(page, 'Validate')), await boxOf(page.locator('.pipeline-canvas'))]
  await page.keyboard.down('Shift')
  await drag(page, { x: first.x - 6, y: first.y - 20 }, { x: second.x + 40, y: second.y + 60 })
  await page.keyboard.up('Shift')
  await expect(page.getByRole('toolbar', { name: 'Chosen stages' })).toContainText('2 stages')
  await page.getByRole('button', { name: 'Duplicate what is chosen' }).click()
  await expect.poll(async () => (await stageNames(page)).sort()).toEqual(['Enrich', 'Parse', 'Parse 2', 'Validate', 'Validate 2', 'Write'])
  await expect(alertOf(page)).toContainText('is not reached')
  // What hangs together in the original does so in the copy.
  await expect.poll(() => linksOf(page)).toContain('E>F')
  await page.getByRole('button', { name: 'Remove what is chosen' }).click()
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Enrich', 'Write'])
  await expect(alertOf(page)).toBeHidden()

  await stage(page, 'Write').focus()
  await page.keyboard.press('Control+a')
  await expect(page.getByRole('toolbar', { name: 'Chosen stages' })).toContainText('4 stages')
  const before = await boxOf(stage(page, 'Write'))
  await drag(page, { x: first.x + 40, y: first.y + 12 }, { x: first.x + 60, y: pane.y + pane.height - 60 })
  await expect.poll(async () => (await boxOf(stage(page, 'Write'))).y).toBeGreaterThan(before.y + 20)
  await page.getByRole('button', { name: 'Align in a column' }).click()
  await expect.poll(async () => Math.abs((await boxOf(stage(page, 'Write'))).x - (await boxOf(stage(page, 'Parse'))).x)).toBeLessThan(2)
  for (let i = 0; i < 4; i++) await page.keyboard.press('Control+z')
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Enrich', 'Write'])
  await expect(alertOf(page)).toBeHidden()
})

test('part of a pipeline is copied as text and pasted, here and from elsewhere; what is wrong with it is named', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page)
  await stage(page, 'Validate').click({ position: { x: 30, y: 10 } })
  await stage(page, 'Enrich').click({ position: { x: 30, y: 10 }, modifiers: ['Shift'] })
  await page.keyboard.press('Control+c')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).not.toBe('')
  expect(JSON.parse(await copied())).toMatchObject({
    stages: [
      { id: 'B', name: 'Validate' },
      { id: 'C', name: 'Enrich' },
    ],
    links: [['B', 'C']],
  })
  await page.keyboard.press('Control+v')
  await expect.poll(async () => (await stageNames(page)).length).toBe(6)
  await page.keyboard.press('Control+z')
  await expect.poll(() => stageNames(page)).toEqual(['Parse', 'Validate', 'Enrich', 'Write'])

  const paste = async (content: string) => {
    await page.evaluate((given) => navigator.clipboard.writeText(given), content)
    await stage(page, 'Parse').focus()
    await page.keyboard.press('Control+v')
  }
  await paste('Stages, please')
  await expect(alertOf(page)).toContainText('no part of a pipeline')
  await paste('{ "stages": [{ "id": "X", "service": { "kind": "constant", "mean": -5 } }] }')
  await expect(alertOf(page)).toContainText('stages[0].service.mean')
  await paste('{ "stages": [{ "id": "X" }, { "id": "Y" }], "links": [["X", "Z"]] }')
  await expect(alertOf(page)).toContainText('"Z" is no stage')
  expect(await stageNames(page)).toHaveLength(4)
  await paste('{ "stages": [{ "id": "A", "name": "Audit" }, { "id": "B", "name": "Bill" }], "links": [["A", "B"]] }')
  await expect.poll(() => stageNames(page)).toContain('Bill')
  await expect.poll(() => linksOf(page)).toContain('E>F')
})

test('what is chosen is copied at once, though nothing more can be fetched', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page)
  await expect(stage(page, 'Validate')).toBeVisible()
  await page.route('**/*.js', (route) => route.abort())
  await stage(page, 'Validate').click({ position: { x: 30, y: 10 } })
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"Validate"')
})

test('a stage that routes says what share goes which way, and its weights are edited', async ({ page }) => {
  const links = fork.map((each) => each.split('>'))
  await visit(page, jsonLink({ ...line, stages: [{ id: 'A' }, { id: 'B' }, { id: 'C' }, { id: 'D', join: 'all' }], links }))
  await stage(page, 'A').click({ position: { x: 30, y: 10 } })
  const form = page.getByRole('region', { name: 'Stage A' })
  await form.getByRole('combobox', { name: 'To 2 stages' }).selectOption('route')
  await expect(page.locator('.pipeline-share')).toHaveText(['50%', '50%'])
  await form.getByRole('textbox', { name: 'B', exact: true }).fill('3')
  await expect(page.locator('.pipeline-share')).toHaveText(['75%', '25%'])
  await expect(alertOf(page)).toBeHidden()
  await form.getByRole('textbox', { name: 'B', exact: true }).fill('0')
  await expect(form.getByRole('textbox', { name: 'B', exact: true })).toHaveAttribute('aria-invalid', 'true')
  await form.getByRole('textbox', { name: 'B', exact: true }).press('Escape')
  // Copies that would meet at a merge are named at the stage where they meet.
  await form.getByRole('combobox', { name: 'To 2 stages' }).selectOption('copy')
  await stage(page, 'D').click({ position: { x: 30, y: 10 } })
  await page.getByRole('region', { name: 'Stage D' }).getByRole('combobox', { name: 'From 2 stages' }).selectOption('merge')
  await expect(stage(page, 'D').getByText(/copies of one job may come here/)).toBeVisible()
  await expect(runButton(page)).toBeDisabled()
})

test('a comb of 256 stages is opened by its link, played, and walked by keyboard', async ({ page }) => {
  const teeth = Array.from({ length: 128 }, (_, i) => i)
  const links = [['source', 's0'], ...teeth.flatMap((i) => [...(i > 0 ? [[`s${i - 1}`, `s${i}`]] : []), [`s${i}`, `t${i}`], [`t${i}`, 'sink']])]
  const stages = ['s', 't'].flatMap((row) => teeth.map((i) => ({ id: `${row}${i}`, service: { kind: 'constant', mean: 1000 } })))
  await visit(page, jsonLink({ version: 1, title: 'Comb', source: { kind: 'batch', jobs: 4 }, stages, links, workers: 8 }))
  await expect(stage(page, 's0')).toBeVisible()
  await expect(alertOf(page)).toBeHidden()
  await run(page, /^Finished: 4 of 4 jobs/)
  await stage(page, 's0').focus()
  // To the end of the pipeline, which was not even there, and back.
  await page.keyboard.press('End')
  await expect(page.getByRole('group', { name: 'Sink' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.react-flow__node')?.getAttribute('data-id'))).toBe('t127')
})
