import { type CDPSession, expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { boxOf, linksOf, middle, stage } from './driver/drawing.ts'
import { alertOf, playhead, run, visit } from './driver/visit.ts'

test.use({ hasTouch: true, viewport: { width: 1280, height: 1500 } })

const fork = {
  version: 1,
  title: 'Fork',
  source: { kind: 'batch', jobs: 6 },
  stages: ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'constant', mean: 100_000 } })),
  links: [
    ['source', 'A'],
    ['A', 'B'],
    ['A', 'C'],
    ['B', 'sink'],
    ['C', 'sink'],
  ],
  workers: 2,
}

test('a finger opens a stage, draws a link from its dot, moves the open stage, and two fingers zoom', async ({
  page,
}) => {
  await visit(page, jsonLink(fork))
  const hand = await handOn(page)
  await stage(page, 'B').tap({ position: { x: 30, y: 10 } })
  await expect(page.getByRole('region', { name: 'Stage B' })).toBeAttached()

  // A link: from the dot on a card's side to another card.
  expect(await linksOf(page)).not.toContain('B>C')
  await hand.drag(await middle(stage(page, 'B').locator('.card-source')), await middle(stage(page, 'C')))
  await expect.poll(() => linksOf(page)).toContain('B>C')
  // Undone by mouse: a tap right after a drag may count as a part of it.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => linksOf(page)).not.toContain('B>C')
  await expect(alertOf(page)).toBeHidden()

  // A drag moves the open card; on other cards it scrolls the page.
  const before = await boxOf(stage(page, 'B'))
  await hand.drag({ x: before.x + 40, y: before.y + 10 }, { x: before.x + 70, y: before.y + 50 })
  await expect.poll(async () => (await boxOf(stage(page, 'B'))).y).toBeGreaterThan(before.y + 20)
  await page.getByRole('button', { name: 'Undo' }).click()

  const wide = (await boxOf(stage(page, 'A'))).width
  const { x, y, width, height } = await boxOf(page.locator('.pipeline-canvas'))
  const [at, level] = [x + width / 2, y + height * 0.25]
  await hand.pinch([at - 30, level], [at + 30, level], 90)
  await expect.poll(async () => (await boxOf(stage(page, 'A'))).width).toBeGreaterThan(wide * 1.3)
})

test('a finger scrubs the timeline, marks a range after a rest, and two fingers zoom', async ({ page }) => {
  await visit(page, jsonLink(fork))
  await run(page)
  const hand = await handOn(page)
  const timeline = page.getByRole('application', { name: /^Timeline/ })
  await timeline.scrollIntoViewIfNeeded()
  const { x, y, width } = await boxOf(timeline)
  const point = (share: number) => ({ x: x + width * share, y: y + 60 })
  const time = async () => Number(await playhead(page).inputValue())
  const card = page.getByRole('region', { name: 'Marked range' })

  await hand.drag(point(0.3), point(0.7))
  await expect.poll(time).toBeGreaterThan(300_000)
  await expect(card).toHaveCount(0)
  await hand.drag(point(0.3), point(0.6), 600)
  await expect(card).toContainText('Utilisation')
  await card.getByRole('button', { name: 'Close' }).click()
  await expect(card).toHaveCount(0)

  const shown = async () => Number(await page.getByRole('slider', { name: 'Shown to' }).getAttribute('aria-valuenow'))
  // The overview appears while a part is shown.
  const whole = Number(await playhead(page).getAttribute('max'))
  const { y: top } = await boxOf(timeline)
  await hand.pinch([x + width * 0.4, top + 60], [x + width * 0.6, top + 60], 120)
  await expect.poll(shown).toBeLessThan(whole)
})

interface Point {
  readonly x: number
  readonly y: number
}

/** Fingers that drag and pinch: the browser's driver only has taps. */
async function handOn(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  const steps = 10
  return {
    /** @param rests for this many milliseconds, before it moves */
    async drag(from: Point, to: Point, rests = 0) {
      const started = touch('touchStart', from)
      // Without a rest the first move is sent at once: a busy page would take a pause as a rest.
      if (rests > 0) await started.then(() => page.waitForTimeout(rests))
      const moves = Array.from({ length: steps }, (_, k) => (k + 1) / steps).map((share) => ({
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
      }))
      await Promise.all([started, touch('touchMove', moves[0])])
      for (const to of moves.slice(1)) await touch('touchMove', to)
      await touch('touchEnd')
      // A tap right afterwards would count as a part of it.
      await page.waitForTimeout(400)
    },
    /** Two fingers move apart by this many pixels each. */
    async pinch([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number], by2: number) {
      await touch('touchStart', { x: ax, y: ay }, { x: bx, y: by })
      for (let k = 1; k <= steps; k++)
        await touch('touchMove', { x: ax - (by2 * k) / steps, y: ay }, { x: bx + (by2 * k) / steps, y: by })
      await touch('touchEnd')
    },
  }
}
