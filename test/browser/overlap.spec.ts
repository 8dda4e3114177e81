import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { overlaps, watchPaintedTexts } from './driver/overlaps.ts'
import { drawn, LONG, statusOf } from './driver/visit.ts'

const SIZES = ['1920x1080', '1440x900', '1280x720', '820x1180', '390x844', '844x390'] as const

const slower = (from: number, mean: number) => ({ from, service: { kind: 'exponential', mean } })
const stage = (id: string, name: string, more = {}) => ({
  id,
  name,
  service: { kind: 'constant', mean: 20_000 },
  ...more,
})
const source = { kind: 'regular', rate: 120, jobs: 300 }
const line = ['Parse', 'Validate the address', 'Enrich', 'Write'].map((name, k) => stage(`s${k}`, name))
const fork = {
  stages: [
    stage('A', 'Parse'),
    stage('B', 'Check stock'),
    stage('C', 'Check credit card', { changes: [slower(50, 100_000)] }),
    stage('D', 'Ship'),
  ],
  links: ['source A', 'A B', 'A C', 'B D', 'C D', 'D sink'].map((link) => link.split(' ')),
}
const routed = {
  ...fork,
  stages: fork.stages.map((each) => (each.id === 'A' ? { ...each, fanOut: { route: { B: 1, C: 2 } } } : each)),
}
const joined = { ...fork, stages: fork.stages.map((each) => (each.id === 'D' ? { ...each, join: 'all' } : each)) }
/** As a fitted log: each stage changes, and workers come and go. */
const faults = {
  stages: line.map((each, k) => ({
    ...each,
    changes: Array.from({ length: 10 }, (_, i) => slower(10 + 25 * i + k, 10_000 + 9000 * ((7 * i + 3 * k) % 5))),
  })),
  workerEvents: Array.from({ length: 60 }, (_, i) => ({
    at: 20_000 + 50_000 * i,
    kind: i % 2 === 0 ? 'join' : 'leave',
    worker: 8 + (i >> 1),
  })),
}
const pipelines = [
  ['a line', { stages: line }],
  ['a fork', routed],
  ['a join', joined],
  ['a log with 100 faults', faults],
] as const

for (const language of ['en', 'ru'] as const)
  test(`no text, button or card overlaps another, at any size: before, during and after a run, in ${language}`, async ({
    page,
  }) => {
    const client = await page.context().newCDPSession(page)
    await watchPaintedTexts(page)
    await page.emulateMedia({ colorScheme: language === 'en' ? 'light' : 'dark' })
    let touches = false
    const wrong = new Map<string, Set<string>>()
    for (const [what, pipeline] of pipelines) {
      await page.goto('about:blank')
      await page.goto(`/?lang=${language}${jsonLink({ version: 1, title: 'Orders', source, workers: 8, ...pipeline })}`)
      await expect(page.locator('.react-flow__node')).toHaveCount(6)
      await expect(page.getByRole('alert')).toHaveCount(0)
      for (const when of ['before', 'during', 'after'] as const) {
        // At its beginning the time of the playhead stands beside the names.
        await showAt(page, when, what === 'a line' ? 0 : 1_200_000)
        for (const size of SIZES) {
          const [width, height] = size.split('x').map(Number)
          if (width < 900 !== touches) {
            touches = width < 900
            await client.send('Emulation.setTouchEmulationEnabled', { enabled: touches })
          }
          await page.setViewportSize({ width, height })
          await drawn(page)
          await drawn(page)
          // A long page is looked at from its top to its end.
          const end = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
          for (let at = 0; at === 0 || at < end; at += height) {
            await page.evaluate((top) => scrollTo(0, top), at)
            for (const fault of await overlaps(page))
              wrong.set(fault, (wrong.get(fault) ?? new Set()).add(`${what}, ${when}, ${size}`))
          }
        }
      }
    }
    expect([...wrong].map(([fault, where]) => `${fault} (${[...where].slice(0, 3).join('; ')} …)`)).toEqual([])
  })

test('the header is one row of one height at 1280 pixels, in English and in Russian', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  const heights = []
  for (const language of ['en', 'ru']) {
    await page.goto('about:blank')
    await page.goto(`/?lang=${language}`)
    await showAt(page, 'before')
    const header = page.locator('header.bar')
    const middles = await header.locator('button:visible').evaluateAll((all) =>
      all.map((each) => {
        const { top, bottom } = each.getBoundingClientRect()
        return Math.round((top + bottom) / 2)
      }),
    )
    expect(Math.max(...middles) - Math.min(...middles), language).toBeLessThanOrEqual(2)
    heights.push((await header.boundingBox())?.height)
  }
  expect(heights[0]).toBeLessThan(60)
  expect(heights[1]).toBe(heights[0])
})

/** Shows the page as it opens, a run in its middle after Run was pressed, or its end. */
async function showAt(page: Page, when: 'before' | 'during' | 'after', during = 0): Promise<void> {
  const time = page.getByRole('slider', { name: /^(Time|Время)$/ })
  if (when === 'during') await page.locator('header [data-control=run]').click()
  await expect(statusOf(page)).toHaveText(/^(Simulated|Имитация|Finished|Закончено)/, LONG)
  await expect.poll(async () => Number(await time.getAttribute('max')), LONG).toBeGreaterThan(1_500_000)
  if (when === 'during') await time.fill(`${during}`)
  if (when === 'after') await time.press('End')
}
