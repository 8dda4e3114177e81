import { expect, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { boxOf } from './driver/drawing.ts'
import { drawn, LONG, playhead, visit } from './driver/visit.ts'

// High enough for all lanes.
test.use({ viewport: { width: 1280, height: 1000 } })

/** Constant services, so that everything happens at round times: worker 3 moves from B to C at 1.04 s. */
const line = {
  version: 1,
  title: 'A worker leaves',
  source: { kind: 'batch', jobs: 40 },
  stages: [60, 80, 100].map((ms, s) => ({ id: 'ABC'[s], service: { kind: 'constant', mean: ms * 1000 } })),
  workers: 4,
}

test('a worker explains why it is there, what would have sent it elsewhere, and where it goes next', async ({
  page,
}) => {
  await visit(page, jsonLink(line, '&run=simulation&t=1040000'))
  await expect(playhead(page)).toHaveValue('1040000', LONG)
  await drawn(page)

  // On the canvas: the first worker of stage C.
  const card = await boxOf(page.locator('[data-id="C"] .stage-card-live'))
  const zoom =
    card.width /
    (await page.locator('[data-id="C"] .stage-card-live').evaluate((live) => (live as HTMLElement).offsetWidth))
  const hint = page.getByRole('tooltip').filter({ visible: true })
  // The worker may be drawn a moment after the card.
  await expect(async () => {
    await page.mouse.move(card.x, card.y)
    await page.mouse.move(card.x + 14 * zoom, card.y + 96 * zoom)
    await expect(hint).toContainText(/^Worker 3 · C\s*Job \d+ · 1\.040 s to 1\.140 s \(100 ms\)$/, { timeout: 1500 })
  }).toPass(LONG)
  await page.mouse.down()
  await page.mouse.up()
  await expect(hint).toHaveCount(0)
  const answer = page.getByRole('region', { name: 'Worker 3', exact: true })
  await expect(answer).toContainText(
    'C had 11 jobs waiting, 1.1 s of work. That raised its target from 1 to 2. By quotient, C comes before B.',
  )
  await expect(answer).toContainText('so worker 3 moved from B to C and took job')

  // Another queue.
  const slider = answer.getByLabel(/^Jobs waiting at C/)
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /^11\. With 10 or more waiting at C, worker 3 would have gone to C, as it did\.$/,
  )
  await slider.press('ArrowLeft')
  await slider.press('ArrowLeft')
  await expect(answer).toContainText('With 9 or fewer waiting at C, worker 3 would have stayed at B.')

  // Its own moves, and back.
  const heading = page.getByRole('article', { name: 'Decision' }).locator('header', { hasText: /^Decision/ })
  await answer.getByRole('button', { name: 'Previous move' }).click()
  await expect(answer).toContainText('worker 3 moved from')
  await expect(heading).not.toContainText('at 1.040 s')
  await answer.getByRole('button', { name: 'Next move' }).click()
  await expect(answer).toContainText('worker 3 moved from B to C')
  await expect(heading).toContainText('at 1.040 s')
  await slider.press('Escape')
  await expect(answer).toHaveCount(0)

  // In the timeline: the left edge of the same bar, which begins within a pixel.
  const timeline = page.getByLabel(/^Timeline\./)
  const box = await boxOf(timeline)
  const end = Number(await playhead(page).getAttribute('max'))
  const x = Math.floor(box.x + 112 + (1_040_000 / end) * (box.width - 134))
  await page.keyboard.press('Home')
  for (let y = box.y + box.height - 30; y > box.y; y -= 5) {
    await page.mouse.move(x, y)
    if ((await hint.count()) > 0 && (await hint.innerText()).startsWith('Worker 3')) break
  }
  await page.mouse.down()
  await page.mouse.up()
  await expect(answer).toContainText('worker 3 moved from B to C')
  await expect(heading).toContainText('at 1.040 s')
})

test('workers are asked by keyboard: on the canvas with one Tab stop and arrows, in the timeline by lane', async ({
  page,
}) => {
  await visit(page, jsonLink(line, '&run=simulation&t=1040000'))
  await expect(playhead(page)).toHaveValue('1040000', LONG)
  await drawn(page)
  const answer = (worker: number) => page.getByRole('region', { name: `Worker ${worker}`, exact: true })
  const stops = page.getByRole('toolbar', { name: /^Workers:/ }).getByRole('button')
  await expect(stops).toHaveCount(4)
  expect(await stops.evaluateAll((all) => all.map((stop) => (stop as HTMLElement).tabIndex))).toEqual([0, -1, -1, -1])
  await stops.first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Worker 3', exact: true })).toBeFocused()
  expect(await stops.evaluateAll((all) => all.map((stop) => (stop as HTMLElement).tabIndex))).toEqual([-1, -1, 0, -1])
  // The ring is at the first disc of stage C, as soon as that is painted.
  await expect(page.locator('.worker-stops i')).toBeVisible()
  const [ring, card] = [
    await boxOf(page.locator('.worker-stops i')),
    await boxOf(page.locator('[data-id="C"] .stage-card-live')),
  ]
  expect(ring.x + ring.width / 2).toBeGreaterThan(card.x)
  expect(ring.x + ring.width / 2).toBeLessThan(card.x + card.width / 4)
  await page.keyboard.press('Enter')
  await expect(answer(3)).toContainText('worker 3 moved from B to C')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(answer(2)).toBeVisible()

  await page.getByRole('application', { name: /^Timeline/ }).focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown', 'Enter'])
    await page.keyboard.press(key)
  await expect(answer(3)).toContainText('worker 3 moved from B to C')
  await expect(playhead(page)).toHaveValue('1040000')
})
