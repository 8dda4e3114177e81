import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { chooseScenario, downloadBytes, LONG, playhead, statusOf, unfold, visit } from './driver/visit.ts'

const TITLE = 'A picture, tile by tile'
/** Shaded tiles have far fewer colours than the picture, even with the soft edges of the lines between them. */
const FEW = 250
const MANY = 1000
const stages = ['mandelbrot', 'colour', 'antialias', 'qoi'].map((work, i) => ({
  id: work,
  work,
  service: { kind: 'constant', mean: 2000 },
  // Short queues, so that tiles leave early.
  capacity: i === 0 ? null : 2,
}))
/** 6 x 4 tiles: a second or so. */
const small = {
  version: 1,
  title: 'Small',
  source: { kind: 'image', width: 240, height: 160, tile: 40, iterations: 4000 },
  stages,
  workers: 2,
}

test('the picture appears tile by tile on Web Workers, equals that of one worker in sequence, and can be saved', {
  tag: '@alone',
}, async ({ page }) => {
  await visit(page)
  await chooseScenario(page, TITLE)
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toBeChecked()
  await expect(map(page)).toHaveAccessibleName('Picture of 384 tiles: 0 out, 0 in service')
  // As many tiles, each in less time.
  await page.getByRole('group', { name: /^Source/ }).click()
  await page.getByRole('textbox', { name: 'Iterations', exact: true }).fill('1500')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  // In the middle of the run some tiles are visible, and workers serve others.
  await expect.poll(() => out(page).then((tiles) => tiles > 20 && tiles < 384), { ...LONG, intervals: [50] }).toBe(true)
  await expect.poll(() => colours(page)).toBeGreaterThan(FEW)
  await expect(statusOf(page)).toHaveText(/^Finished: 384 of 384 jobs/, LONG)
  await expect.poll(() => out(page)).toBe(384)

  const output = page.getByRole('article', { name: 'Output' })
  await unfold(output)
  await expect(output.getByText('384 tiles, 3.54 MB')).toBeVisible()
  await expect(output.getByText('Equal: the same bytes in the same order.')).toBeVisible(LONG)
  const [parallel, sequential] = await output.locator('code').allInnerTexts()
  expect(parallel).toMatch(/^[0-9a-f]{64}$/)
  expect(sequential).toBe(parallel)
  const png = await downloadBytes(page, () => output.getByRole('button', { name: 'Save picture as PNG' }).click())
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1152, 768])
})

test('tiles disappear when going back in time, and appear when going forward', async ({ page }) => {
  await visit(page, jsonLink(small, '&run=threads'))
  await expect(statusOf(page)).toHaveText(/^Finished/, LONG)
  await expect.poll(() => out(page)).toBe(24)
  await playhead(page).fill('0')
  await expect.poll(() => out(page)).toBe(0)
  const end = await playhead(page).getAttribute('max')
  await playhead(page).fill(String(Math.round(Number(end) / 2)))
  await expect.poll(() => out(page)).toBeGreaterThan(0)
  await expect.poll(() => out(page)).toBeLessThan(24)
  await playhead(page).fill(String(end))
  await expect.poll(() => out(page)).toBe(24)
  // The view of the work: few shades instead of pixels, and the least and the most as text.
  await expect.poll(() => colours(page)).toBeGreaterThan(MANY)
  await page.getByRole('checkbox', { name: 'Work' }).check()
  await expect(page.getByRole('region', { name: 'Picture' }).getByText(/24 of 24 out · .* to .* each/)).toBeVisible()
  await expect.poll(() => colours(page)).toBeLessThan(FEW)
})

function map(page: Page) {
  return page.getByRole('region', { name: 'Picture' }).getByRole('img')
}

/** How many tiles are out, as the map says. */
async function out(page: Page): Promise<number> {
  return Number(/: (\d+) out/.exec((await map(page).getAttribute('aria-label')) ?? '')?.[1])
}

/** How many colours the map has. */
function colours(page: Page): Promise<number> {
  return map(page).evaluate((canvas: HTMLCanvasElement) => {
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer(0))).size
  })
}
