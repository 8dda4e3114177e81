import { expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { expectAccessibleAtAnyWidth } from './driver/accessible.ts'
import { chooseEngine, LONG, openView, playhead, run, visit } from './driver/visit.ts'

/** Short enough for real threads, with many changes of seats; its workers sleep, so that they need no cores. */
const lively = {
  version: 1,
  title: 'Lively',
  seed: 5,
  source: { kind: 'poisson', rate: 400, jobs: 200 },
  stages: ['Read', 'Think', 'Write'].map((name, k) => ({
    id: 'ABC'[k],
    name,
    work: 'wait',
    service: { kind: 'exponential', mean: 2000 + 2000 * k },
  })),
  workers: 4,
}

const reality = (page: Page): Locator => page.getByRole('article', { name: 'Real vs simulated' })
const sentence = (page: Page): Locator => reality(page).getByText(/^It took/)

async function open(page: Page): Promise<void> {
  await openView(page, 'Real vs simulated')
}

async function playedAndLaidOver(page: Page, scenario: object): Promise<void> {
  await visit(page, jsonLink(scenario))
  await chooseEngine(page, 'Web Workers')
  await run(page)
  await open(page)
  await expect(sentence(page)).toBeVisible(LONG)
}

/** The numbers of a row in microseconds; the page shows ms. */
async function numbersOf(row: Locator): Promise<number[]> {
  const cells = await row.getByRole('cell').allInnerTexts()
  return cells
    .filter((text) => /\d/.test(text))
    .map((text) => Math.round(Number(text.replace('−', '-').replaceAll(',', '')) * 1000))
}

test('a run on Web Workers explains why it took longer than predicted, in parts that add up', async ({ page }) => {
  await playedAndLaidOver(page, lively)
  const text = await sentence(page).innerText()
  expect(text).toMatch(
    /^It took [\d.]+ s on Web Workers, [\d.]+ (µs|ms|s) (longer|shorter) than predicted \([^)]*\): .*Messages.*\.$/,
  )

  const rows = reality(page).getByRole('table').first().getByRole('row')
  const parts = await Promise.all(
    ['As predicted', 'Contention for cores', 'Batches', 'Messages'].map((name) =>
      numbersOf(rows.filter({ hasText: name })),
    ),
  )
  const total = await numbersOf(rows.filter({ hasText: 'Makespan' }))
  expect(total).toHaveLength(3)
  for (const column of [0, 1, 2]) expect(parts.reduce((sum, part) => sum + part[column], 0)).toBe(total[column])
  expect(total[0] - total[1]).toBe(total[2])
  // Messages take time only on threads.
  expect(parts[3][0]).toBeGreaterThan(0)
  expect(parts[3][1]).toBe(0)
  expect(text).toContain(`${(total[0] / 1e6).toFixed(3)} s`)

  await reality(page).getByText('The difference stage by stage').click()
  const stages = reality(page).locator('.wide-table').getByRole('row')
  const all = await Promise.all((await stages.all()).slice(1).map(numbersOf))
  expect(all.length).toBeGreaterThanOrEqual(3)
  expect(all.reduce((sum, each) => sum + (each.at(-1) ?? Number.NaN), 0)).toBe(total[2])
  await expectAccessibleAtAnyWidth(page, 'reality')
})

test('both runs are drawn under the playhead of the page, which can go to the first difference', async ({ page }) => {
  await playedAndLaidOver(page, lively)
  const part = (name: string) => reality(page).locator(`[data-part=${name}]`).first()
  const [real, simulated] = [await part('real').getAttribute('d'), await part('simulated').getAttribute('d')]
  expect(real).toMatch(/^M[\d.,L]+$/)
  expect(simulated).toMatch(/^M[\d.,L]+$/)
  expect(real).not.toBe(simulated)
  await expect(part('simulated')).toHaveAttribute('stroke-dasharray', /\d/)
  await expect(part('lag')).toHaveAttribute('d', /^M/)

  await reality(page).getByRole('combobox', { name: 'Lines' }).selectOption('Waiting at Think')
  await expect(part('real')).not.toHaveAttribute('d', real ?? '')

  const door = reality(page)
    .getByRole('list', { name: 'First difference' })
    .getByRole('button', { name: /^Go to \d\.\d{3} s$/ })
    .first()
  const at = Number(/[\d.]+/.exec(await door.innerText())?.[0])
  await door.click()
  await expect
    .poll(async () => Math.round(Number(await playhead(page).inputValue()) / 1000))
    .toBe(Math.round(at * 1000))

  // The lines keep the colour of the key when the theme changes.
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect
      .poll(() =>
        page.locator('.overlay').evaluate((overlay) => {
          const colour = overlay.querySelector('.overlay-key path')?.getAttribute('stroke') ?? ''
          return overlay.querySelectorAll(`[role="img"] path[stroke="${colour}"]`).length
        }),
      )
      .toBe(2)
  }
})

test('if workers share cores, the page computes how much that explains', { tag: '@alone' }, async ({ page }) => {
  const workers = 3 * (await page.evaluate(() => navigator.hardwareConcurrency))
  const burning = {
    ...lively,
    source: { kind: 'batch', jobs: 8 * workers },
    stages: lively.stages.map((stage) => ({ ...stage, work: 'burn' })),
    workers,
  }
  await playedAndLaidOver(page, burning)
  const cores = reality(page).getByRole('combobox', { name: 'Cores to simulate' })
  await expect(cores).toHaveValue(`${workers}`)
  const before = await sentence(page).innerText()
  expect(before).toContain('Contention for cores')
  await cores.selectOption(`${workers / 3}`)
  await expect(sentence(page)).not.toHaveText(before, LONG)
  // The real run has not changed.
  const took = /^It took [\d.]+ s on Web Workers/
  expect(took.exec(await sentence(page).innerText())?.[0]).toBe(took.exec(before)?.[0])
})
