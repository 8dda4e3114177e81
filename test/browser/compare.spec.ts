import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, expectNoWider, testWideAndNarrow } from './driver/accessible.ts'
import { drawn, jsonLink, LONG, playhead, run, statusOf, visit } from './driver/visit.ts'

const scenario = (more: object = {}) => ({
  version: 1,
  seed: 5,
  source: { kind: 'batch', jobs: 300 },
  stages: [
    { id: 'A', name: 'Read', service: { kind: 'exponential', mean: 2000 } },
    { id: 'B', name: 'Think', service: { kind: 'exponential', mean: 9000 } },
    { id: 'C', name: 'Write', service: { kind: 'exponential', mean: 4000 } },
  ],
  workers: 6,
  ...more,
})

const open = (page: Page, name: 'Compare' | 'Sweep' | 'Timeline') => page.getByRole('tab', { name }).click()
const compare = (page: Page): Locator => page.getByRole('article', { name: 'Compare' })
const row = (page: Page, name: string): Locator => compare(page).getByRole('row', { name: new RegExp(`^${name}`) })
const cards = (page: Page): Locator => compare(page).getByRole('list', { name: 'Side by side' }).getByRole('listitem')

/** Everything there is to play has been played. */
async function settled(page: Page, name: 'Compare' | 'Sweep'): Promise<void> {
  const panel = page.getByRole('article', { name })
  await expect(panel.locator('table td, svg circle').first()).toBeVisible(LONG)
  await expect(panel.getByRole('progressbar')).toHaveCount(0, LONG)
}

async function seek(page: Page, share: number): Promise<void> {
  const slider = playhead(page)
  // Stops what plays.
  await slider.focus()
  await page.keyboard.press('Home')
  const box = await slider.boundingBox()
  if (box === null) throw new Error('the slider is not there')
  await slider.click({ position: { x: box.width * share, y: box.height / 2 } })
  await drawn(page)
}

test('six policies stand side by side without a run, with the best of each column, the bound with its sum, and the baseline', async ({ page }) => {
  await visit(page, jsonLink(scenario()))
  await open(page, 'Compare')
  await settled(page, 'Compare')
  await expect(cards(page)).toHaveCount(6)
  await expect(row(page, 'Least total time')).toHaveAttribute('aria-current', 'true')
  await expect(row(page, 'One worker does it all')).toContainText('1.00×')
  await expect(row(page, 'Least total time')).toContainText(/[56]\.\d\d×/)
  await expect(
    compare(page)
      .getByRole('cell', { name: / best$/ })
      .first(),
  ).toBeVisible()
  await expect(compare(page)).toContainText(/There is .* s of work for 6 workers: no run can be shorter than .*\. .* s \/ 6 = .*Proven for the makespan only/)
  await expect(statusOf(page)).toHaveText(/^Finished: 300 of 300 jobs/)
})

test('what differs by a hundredth is seen to differ, beside one worker alone who takes ten times as long', async ({ page }) => {
  await visit(page, jsonLink(scenario({ source: { kind: 'poisson', rate: 100, jobs: 300 } })))
  await open(page, 'Compare')
  await settled(page, 'Compare')
  await expect(row(page, 'One worker does it all')).toContainText('1.00×', LONG)
  const figure = async (name: string, column: number) => (await row(page, name).getByRole('cell').nth(column).innerText()).replace(/\s*best$/, '')
  expect(Number(await figure('One worker does it all', 2))).toBeGreaterThan(100)
  expect(await figure('Least total time', 2)).toMatch(/^\d\d\.\d$/)
  expect(await figure('Least total time', 5)).toMatch(/^\d\.\d\d$/)
})

test('the playhead of the page drives all of them, forwards and backwards', async ({ page }) => {
  await visit(page, jsonLink(scenario()))
  await run(page)
  await open(page, 'Compare')
  await settled(page, 'Compare')
  const out = async () => (await cards(page).locator('header .soft').allInnerTexts()).map((text) => Number(/^(\d+) of 300 out$/.exec(text)?.[1]))
  await seek(page, 0.15)
  const early = await out()
  const seats = await cards(page)
    .first()
    .getByRole('img', { name: /seats by stage/ })
    .getAttribute('aria-label')
  await seek(page, 0.3)
  const late = await out()
  expect(late.every((jobs, k) => jobs >= early[k])).toBe(true)
  expect(Math.max(...late)).toBeGreaterThan(Math.max(...early))
  await seek(page, 0.15)
  expect(await out()).toEqual(early)
  expect(
    await cards(page)
      .first()
      .getByRole('img', { name: /seats by stage/ })
      .getAttribute('aria-label'),
  ).toBe(seats)
  // A click into the queues of a card seeks too, on the axis that all have in common.
  const clickInto = async (k: number) => {
    await cards(page)
      .getByRole('img', { name: /^Queues of/ })
      .nth(k)
      .click({ position: { x: 40, y: 10 } })
    await drawn(page)
    return Number(await playhead(page).inputValue())
  }
  const there = await clickInto(1)
  expect(there).toBeGreaterThan(0)
  expect(await clickInto(4)).toBe(there)
  // It goes as far as the longest of them, and back to the end of the run with the timeline.
  await playhead(page).focus()
  await page.keyboard.press('End')
  await expect.poll(out).toEqual(early.map(() => 300))
  const end = Number(await playhead(page).inputValue())
  await open(page, 'Timeline')
  await expect.poll(async () => Number(await playhead(page).getAttribute('max'))).toBeLessThan(end)
})

test('the first decision where two part is told with its seats and opens on the page; other policies are chosen, and one is taken', async ({ page }) => {
  await visit(page, jsonLink(scenario()))
  await open(page, 'Compare')
  await settled(page, 'Compare')
  const difference = compare(page).getByRole('region', { name: 'Where they part' })
  await expect(difference).toContainText(
    /Until .* s both runs are the same, row for row\. At decision [\d,]+, on the same queues and the same beliefs, they give different seats\./,
  )
  await expect(difference).toContainText(/What followed: .* ends .* sooner/)
  const decision = /At decision ([\d,]+),/.exec(await difference.innerText())?.[1]
  await difference.getByRole('button', { name: 'in Jefferson', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Decision ${decision}`, exact: true })).toBeVisible()
  await expect(page.getByText('A run of the comparison: Jefferson.')).toBeVisible()
  const at = await playhead(page).inputValue()
  await difference.getByRole('button', { name: 'Go there in Least total time' }).click()
  await expect(page.getByText('A run of the comparison: Jefferson.')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: `Decision ${decision}`, exact: true })).toBeVisible()
  await expect(playhead(page)).toHaveValue(at)
  await difference.getByRole('combobox', { name: 'Other' }).selectOption('One per stage')
  await expect(difference).toContainText('At decision 1,')

  // Others are chosen, six at most, and only what is new is played. One is taken as one step of undo.
  await compare(page).getByText('6 of at most 6 policies').click()
  await expect(compare(page).getByRole('checkbox', { name: 'Webster' })).toBeDisabled()
  await compare(page).getByRole('checkbox', { name: 'One per stage' }).uncheck()
  await compare(page).getByRole('checkbox', { name: 'Webster' }).check()
  await expect(row(page, 'Webster')).toContainText('×', LONG)
  await expect(row(page, 'One per stage')).toHaveCount(0)
  await compare(page).getByText('6 of at most 6 policies').click()
  await cards(page).getByRole('button', { name: 'Take Webster' }).click()
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('webster')
  // Nothing is to be played again for that.
  await expect(compare(page).getByRole('button', { name: /^Compare/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('leastScore')
})

test('a long comparison is asked for, shows what is there already, and can be called off', async ({ page }) => {
  await visit(page, jsonLink(scenario({ source: { kind: 'batch', jobs: 60_000 } })))
  await open(page, 'Compare')
  await compare(page).getByRole('button', { name: 'Compare 6 policies' }).click()
  await expect(compare(page).getByRole('progressbar')).toBeVisible()
  await expect(row(page, 'Least total time')).toContainText('%', LONG)
  await compare(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(compare(page).getByRole('progressbar')).toHaveCount(0)
  await expect(row(page, 'Least total time')).toContainText('%')
  await expect(compare(page).getByRole('button', { name: 'Compare again' })).toBeVisible()
  await expect.poll(() => page.workers().length).toBe(0)
})

test('what each core buys: a value is looked at by keys and taken as one step of undo, without playing again; so are other quantities', async ({ page }) => {
  await visit(page, jsonLink(scenario()))
  await open(page, 'Sweep')
  await settled(page, 'Sweep')
  const sweep = page.getByRole('article', { name: 'Sweep' })
  const plot = sweep.getByRole('slider')
  await expect(plot).toHaveAttribute(
    'aria-valuetext',
    /^6 workers: done after .* times as fast as one worker alone, .* the last worker saves .* busy; seats Read .*, Think .*, Write /,
  )
  await expect(sweep).toContainText(/One worker who runs each job to its end takes .* s; the first to beat that (is 1 worker|are 2 workers), with .*\./)
  await plot.focus()
  await page.keyboard.press('ArrowRight')
  await expect(plot).toHaveAttribute('aria-valuenow', '7')
  await page.keyboard.press('Enter')
  const workers = page.getByRole('spinbutton', { name: 'Workers' })
  await expect(workers).toHaveValue('7')
  await expect(sweep.getByRole('progressbar')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(workers).toHaveValue('6')
  const box = await sweep.locator('svg').boundingBox()
  if (box === null) throw new Error('the plot is not there')
  await sweep.locator('svg').click({ position: { x: 54, y: box.height / 2 } })
  await expect(workers).toHaveValue('1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(workers).toHaveValue('6')

  // Batches, the cost of a change of stage and the service of one stage are varied too.
  for (const [name, words] of [
    ['Jobs a batch', /^1 job a batch: done after/],
    ['Switch cost', /^Switch cost 0 µs: done after/],
    ['Mean service at Think', /^Mean service at Think 9 ms: done after/],
  ] as const) {
    await sweep.getByRole('combobox', { name: 'Vary' }).selectOption(name)
    await expect(plot).toHaveAttribute('aria-valuetext', words, LONG)
  }
})

testWideAndNarrow('nothing serious stands in the way of anyone who compares or sweeps', async ({ page }) => {
  await visit(page, jsonLink(scenario()))
  for (const name of ['Compare', 'Sweep'] as const) {
    await open(page, name)
    await settled(page, name)
    if (name === 'Compare') await compare(page).getByText('6 of at most 6 policies').click()
    await expectAccessible(page, name)
    await expectNoWider(page)
  }
})
