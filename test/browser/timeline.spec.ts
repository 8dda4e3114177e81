import { expect, type Locator, type Page, test } from '@playwright/test'
import { drawn, LONG, run, visit } from './driver/visit.ts'

const playhead = (page: Page): Locator => page.getByRole('slider', { name: 'Time', exact: true })
const timelineOf = (page: Page): Locator => page.getByLabel(/^Timeline\./)
const pane = (page: Page): Locator => page.getByRole('slider', { name: 'Shown', exact: true })

/** How much of the run is shown, in microseconds. */
async function shownLength(page: Page): Promise<number> {
  // The whole run needs no overview, which may go away at any time.
  const value = (name: string) =>
    page
      .getByRole('slider', { name })
      .evaluateAll(([slider]) => Number(slider?.getAttribute('aria-valuenow') ?? Number.NaN))
  const length = (await value('Shown to')) - (await value('Shown from'))
  return Number.isNaN(length) ? Number(await playhead(page).getAttribute('max')) : length
}

async function openFinder(page: Page): Promise<void> {
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Find a stage, worker or job' })).toBeFocused()
}

/** Drags over the timeline, or a part of it, from one share of its width to another, at a share of its height. */
async function drag(page: Page, from: number, to: number, height: number, on = timelineOf(page)): Promise<void> {
  const box = await on.boundingBox()
  if (box === null) throw new Error('the timeline has no box')
  const y = box.y + box.height * height
  await page.mouse.move(box.x + box.width * from, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 })
  await page.mouse.up()
  await drawn(page)
}

test.describe('the timeline of a run', () => {
  test.beforeEach(async ({ page }) => {
    await visit(page)
    await run(page)
    // It is fetched with the first run, and so are its keys.
    await expect(timelineOf(page)).toBeVisible()
  })

  test('zooms and moves by W A S D and fits by F, except in a field, and shows the figures of a marked range', async ({
    page,
  }) => {
    await page.mouse.move(5, 5)
    const whole = await shownLength(page)
    await page.keyboard.press('w')
    await expect.poll(() => shownLength(page)).toBeLessThan(whole * 0.9)
    const closer = await shownLength(page)
    const before = await pane(page).getAttribute('aria-valuetext')
    await page.keyboard.press('d')
    await expect(pane(page)).not.toHaveAttribute('aria-valuetext', before ?? '')
    await page.keyboard.press('a')
    await page.keyboard.press('s')
    await expect.poll(() => shownLength(page)).toBeGreaterThan(closer * 1.1)
    await page.keyboard.press('w')
    await page.keyboard.press('f')
    await expect.poll(() => shownLength(page)).toBe(whole)
    // Held down it continues.
    await page.keyboard.down('w')
    await expect.poll(() => shownLength(page), LONG).toBeLessThan(whole / 20)
    await page.keyboard.up('w')
    await page.keyboard.press('f')
    await openFinder(page)
    await page.keyboard.type('wasd')
    await expect(page.getByLabel('Find a stage, worker or job')).toHaveValue('wasd')
    await expect.poll(() => shownLength(page)).toBe(whole)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('f')

    const card = page.getByRole('region', { name: 'Marked range' })
    await drag(page, 0.3, 0.6, 0.5)
    await expect(card.getByRole('row')).toHaveCount(5)
    await page.keyboard.press('z')
    await expect.poll(() => shownLength(page)).toBeLessThan(whole * 0.6)
    await page.keyboard.press('Escape')
    await expect(card).toHaveCount(0)
    await page.keyboard.press('f')
    // From edge to edge it is the whole run.
    await drag(page, 0.02, 0.999, 0.5)
    await expect(card.getByText('Utilisation')).toBeVisible()
    const shownValue = async (name: string) =>
      (
        await card
          .locator('dl > div', { has: page.getByText(name, { exact: true }) })
          .locator('dd')
          .innerText()
      ).trim()
    const [utilisation, moves, jobsIn, jobsOut] = [
      await shownValue('Utilisation'),
      await shownValue('Moves'),
      await shownValue('In'),
      await shownValue('Out'),
    ]
    expect([jobsIn, jobsOut]).toEqual(['600', '600'])
    await page.getByRole('tab', { name: 'Results' }).click()
    const figures = page.getByRole('tabpanel', { name: 'Results' })
    await figures.getByText('Details', { exact: true }).click()
    await expect(figures).toContainText(utilisation)
    await expect(figures).toContainText(moves)
  })

  test('a press moves the playhead, its handle and the axis scrub without a mark, and a click removes a mark', async ({
    page,
  }) => {
    const card = page.getByRole('region', { name: 'Marked range' })
    const time = async () => Number(await playhead(page).inputValue())
    await drag(page, 0.3, 0.3, 0.5)
    const pressed = await time()
    expect(pressed).toBeGreaterThan(0)
    const handle = await timelineOf(page).locator('[data-part=handle]').boundingBox()
    if (handle === null) throw new Error('the playhead has no handle')
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2]
    await page.mouse.move(x + 9, y)
    await page.mouse.down()
    await drawn(page)
    // Held beside its middle it does not jump.
    expect(Math.abs((await time()) - pressed)).toBeLessThan(3000)
    await page.mouse.move(x + 200, y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(time).toBeGreaterThan(pressed * 1.2)
    await expect(card).toHaveCount(0)
    const held = await time()
    await drag(page, 0.5, 0.3, 0.5, timelineOf(page).locator('canvas').last())
    await expect.poll(time).toBeLessThan(held)
    await expect(card).toHaveCount(0)
    await drag(page, 0.3, 0.6, 0.5)
    await expect(card).toBeVisible()
    await expect.poll(time).toBeGreaterThan(pressed * 1.2)
    await drag(page, 0.4, 0.4, 0.5)
    await expect(card).toHaveCount(0)
  })

  test('finds a job, follows it from stage to stage and goes to each of its services; finds a worker and a stage, and goes to the next service', async ({
    page,
  }) => {
    await openFinder(page)
    await page.keyboard.type('job 100')
    await expect(page.getByRole('option', { name: 'Job 100' })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    const card = page.getByRole('region', { name: 'Job 100' })
    await expect(card.getByRole('row')).toHaveCount(5)
    // At its first service the job has a ring on the pipeline too, at its worker.
    const ringed = page.locator('.stage-card-live[data-followed]')
    await expect(ringed).toHaveCount(1)
    const first = Number(await playhead(page).inputValue())
    await card.getByRole('button', { name: 'Write' }).click()
    await expect.poll(async () => Number(await playhead(page).inputValue())).toBeGreaterThan(first)
    await expect.poll(() => shownLength(page)).toBeLessThan(1_000_000)
    await expect(ringed).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(card).toHaveCount(0)
    await expect(ringed).toHaveCount(0)

    for (const [text, name] of [
      ['w3', 'Worker 3'],
      ['enr', 'Enrich'],
    ]) {
      await openFinder(page)
      await page.keyboard.type(text)
      await page.getByRole('option', { name }).click()
      const card = page.getByRole('region', { name: 'Found' })
      await expect(card.getByRole('heading', { name })).toBeVisible()
      const before = Number(await playhead(page).inputValue())
      await card.getByRole('button', { name: 'Next service' }).click()
      await expect.poll(async () => Number(await playhead(page).inputValue())).not.toBe(before)
      await page.keyboard.press('Escape')
    }
    await openFinder(page)
    await page.keyboard.type('nobody')
    await expect(page.getByText('No match.')).toBeVisible()
  })
})

test('the keys are listed before a run, and those of the timeline after it', async ({ page }) => {
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await visit(page)
  await page.keyboard.press('?')
  await expect(keys.getByRole('heading', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await run(page)
  await page.keyboard.press('?')
  await expect(keys.getByText('zoom in, out')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  // It opens over the present view, and not later over another one.
  await page.getByRole('tab', { name: 'Compare' }).click()
  await page.keyboard.press('?')
  await expect(keys).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await expect(keys).toHaveCount(0)
})
