import { expect, type Page, test } from '@playwright/test'
import { boxOf, drag, linksOf, middle, stage } from './driver/drawing.ts'
import { drawn, visit } from './driver/visit.ts'

/** Where links are dropped near the lower edge of the canvas, as shares of the width: there are no cards. */
const PLACES = [0.3, 0.75]

test.describe('in a tall window, in which there is room below the cards', () => {
  test.use({ viewport: { width: 1440, height: 1500 } })
  test('a link dropped beside the cards makes a stage under the pointer, wherever the view is', async ({ page }) => {
    for (const way of ['as it opens', 'zoomed out', 'zoomed in', 'moved'] as const) {
      await visit(page)
      await look(page, way)
      for (const x of PLACES) {
        const canvas = await boxOf(page.locator('.pipeline-canvas'))
        const to = { x: canvas.x + x * canvas.width, y: canvas.y + canvas.height - 16 }
        const before = await linksOf(page)
        await stage(page, 'Parse').hover({ position: { x: 30, y: 10 } })
        await drag(page, await middle(stage(page, 'Parse').locator('.card-source')), to)
        await expect.poll(async () => (await linksOf(page)).length).toBe(before.length + 1)
        await drawn(page)
        const [, added] = (await linksOf(page)).find((link) => !before.includes(link))?.split('>') ?? []
        const card = await boxOf(page.locator(`.react-flow__node[data-id="${added}"]`))
        expect(to.x, `${way}, left edge`).toBeGreaterThan(card.x)
        expect(to.x, `${way}, right edge`).toBeLessThan(card.x + card.width)
        expect(to.y, `${way}, upper edge`).toBeGreaterThan(card.y)
        expect(to.y, `${way}, lower edge`).toBeLessThan(card.y + card.height)
        await page.getByRole('button', { name: 'Undo' }).click()
        await expect.poll(() => linksOf(page)).toEqual(before)
        await page.waitForTimeout(400)
      }
    }
  })
})

async function look(page: Page, way: 'as it opens' | 'zoomed out' | 'zoomed in' | 'moved'): Promise<void> {
  if (way === 'zoomed out') await page.getByRole('button', { name: 'Zoom out' }).click()
  if (way === 'zoomed in') await page.getByRole('button', { name: 'Zoom in' }).click()
  if (way === 'moved') {
    const canvas = await boxOf(page.locator('.pipeline-canvas'))
    const from = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height - 12 }
    await drag(page, from, { x: from.x + 60, y: from.y - 30 })
  }
  await page.waitForTimeout(400)
}

test('at a small zoom a link is drawn out of a card, though the button on its own link is beside the dot', async ({
  page,
}) => {
  await visit(page)
  await drawn(page)
  const canvas = await boxOf(page.locator('.pipeline-canvas'))
  await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height - 12)
  await zoomTo(page, 0.4)
  await stage(page, 'Parse').hover({ position: { x: 6, y: 3 } })
  const dot = await middle(stage(page, 'Parse').locator('.card-source'))
  // A person misses the middle of the dot by some pixels.
  for (const x of [-6, -3, 0, 1])
    expect(
      await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.classList.contains('card-source'), {
        x: dot.x + x,
        y: dot.y,
      }),
      `${x} pixels beside the middle`,
    ).toBe(true)
  const before = await linksOf(page)
  await drag(page, dot, { x: dot.x, y: canvas.y + canvas.height - 16 })
  await expect.poll(async () => (await linksOf(page)).length).toBe(before.length + 1)
  // The button on the link still adds a stage between the two.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => linksOf(page)).toEqual(before)
  await page.getByRole('button', { name: 'Add a stage between Parse and Validate' }).click()
  await expect.poll(async () => (await linksOf(page)).length).toBe(before.length + 1)
})

test('a drag along the edge of a canvas that shows all does not move the view', async ({ page }) => {
  await visit(page)
  await drawn(page)
  const canvas = await boxOf(page.locator('.pipeline-canvas'))
  const source = () => middle(page.locator('.react-flow__node[data-id="source"]'))
  const before = await source()
  const from = await middle(stage(page, 'Validate').locator('.stage-card-mark'))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  for (const x of [0, 40, 80]) await page.mouse.move(from.x + x, canvas.y + canvas.height - 12, { steps: 5 })
  for (let k = 0; k < 20; k++) await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await source()).toEqual(before)
  await page.mouse.up()
})

/** Turns the wheel with Ctrl until the canvas has that zoom, within a hundredth. */
async function zoomTo(page: Page, zoom: number): Promise<void> {
  const now = () =>
    page.locator('.react-flow__viewport').evaluate((viewport) => new DOMMatrix(getComputedStyle(viewport).transform).a)
  await expect(async () => {
    await page.keyboard.down('Control')
    // 500 pixels double the zoom.
    await page.mouse.wheel(0, -Math.log2(zoom / (await now())) * 500)
    await page.keyboard.up('Control')
    await drawn(page)
    expect(await now()).toBeCloseTo(zoom, 2)
  }).toPass({ timeout: 60_000 })
}
