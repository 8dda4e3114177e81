import { expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { expectAccessibleAtAnyWidth } from './driver/accessible.ts'
import { chooseEngine, drawn, LONG, playhead, run, unfold, visit } from './driver/visit.ts'

const groups = [12, 5, 9, 20, 3, 8, 14, 6, 11, 7]
const grouped = (more: object = {}, source: object = {}) => ({
  version: 1,
  source: { kind: 'groups', groups, order: 'spread', feeders: 4, ...source },
  stages: [{ id: 'A', name: 'Write', service: { kind: 'exponential', mean: 8000 }, work: 'wait', resource: 'group' }],
  workers: 6,
  groupSwitchCost: 1000,
  ...more,
})

const spread = (page: Page): Locator => page.getByRole('article', { name: 'Spread' })
const feeders = (page: Page): Locator => spread(page).locator('[data-part="feeder"]:visible')

/** Moves the playhead to a share of the run, 0 to 1. */
async function moveTo(page: Page, share: number): Promise<void> {
  const slider = playhead(page)
  await slider.focus()
  await page.keyboard.press('Home')
  if (share === 0) return
  const box = await slider.boundingBox()
  if (box === null) throw new Error('the slider is not there')
  await slider.click({ position: { x: box.width * share, y: box.height / 2 } })
  await drawn(page)
}

test('on Web Workers the drawing has the chosen number of feeders, follows the playhead backwards, and names waiting workers', async ({
  page,
}) => {
  await visit(page, jsonLink(grouped()))
  await unfold(spread(page))
  await expect(feeders(page)).toHaveCount(4)
  await expect(spread(page).getByRole('img')).toHaveAttribute(
    'aria-label',
    /^4 feeders; \d+ of 10 groups to come; \d+ of 95 jobs taken/,
  )
  await chooseEngine(page, 'Web Workers')
  await run(page)
  await page.keyboard.press('End')
  const words = () => spread(page).getByRole('img').getAttribute('aria-label')
  const taken = async () => Number(/(\d+) of 95 jobs/.exec((await words()) ?? '')?.[1])
  await moveTo(page, 0.7)
  const late = await taken()
  await moveTo(page, 0.3)
  const early = await taken()
  expect(early).toBeGreaterThan(0)
  expect(late).toBeGreaterThan(early)
  // Six workers on four feeders: at least one waits.
  await expect(spread(page)).toContainText(
    /Worker [1-6] has a job of group \d+ and waits for worker [1-6], who is at one\./,
  )
  const then = await words()
  await moveTo(page, 0.7)
  expect(await taken()).toBe(late)
  await moveTo(page, 0.3)
  expect(await words()).toBe(then)
  await expect(feeders(page)).toHaveCount(4)
})

test('one of the compared numbers of feeders is chosen by keys or by a click', async ({ page }) => {
  await visit(page, jsonLink(grouped()))
  const sweep = page.getByRole('article', { name: 'Feeders' })
  await unfold(spread(page))
  await unfold(sweep)
  await sweep.scrollIntoViewIfNeeded()
  const plot = sweep.getByRole('slider')
  await expect(plot).toBeVisible(LONG)
  await expectAccessibleAtAnyWidth(page, 'spread jobs')
  await expect(plot).toHaveAttribute('aria-valuetext', /^4 feeders: two jobs of a group .*skip$/, LONG)
  await plot.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(plot).toHaveAttribute('aria-valuenow', '6')
  await expect(feeders(page)).toHaveCount(4)
  await page.keyboard.press('Enter')
  await expect(feeders(page)).toHaveCount(6)
  const picture = sweep.locator('svg')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  if (box === null) throw new Error('the plot is not there')
  await picture.click({ position: { x: 42, y: box.height / 2 } })
  await expect(feeders(page)).toHaveCount(1)
})
