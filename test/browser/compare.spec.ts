import { expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink, threeStages } from '../fixtures/scenarios.ts'
import { expectAccessible, expectAccessibleAtAnyWidth } from './driver/accessible.ts'
import { drawn, LONG, openView, playhead, run, statusOf, visit } from './driver/visit.ts'

const scenario = (more: object = {}) => ({ ...threeStages, ...more })

const compare = (page: Page): Locator => page.getByRole('article', { name: 'Compare' })
const row = (page: Page, name: string): Locator => compare(page).getByRole('row', { name: new RegExp(`^${name}`) })
const cards = (page: Page): Locator => compare(page).getByRole('list', { name: 'Side by side' }).getByRole('listitem')

/** All runs have been played. */
async function settled(page: Page, name: 'Compare' | 'What if'): Promise<void> {
  const panel = page.getByRole('article', { name })
  await expect(panel.locator('table td, svg text').first()).toBeVisible(LONG)
  await expect(panel.getByRole('progressbar')).toHaveCount(0, LONG)
}

async function seek(page: Page, share: number): Promise<void> {
  const slider = playhead(page)
  // Stops the playback.
  await slider.focus()
  await page.keyboard.press('Home')
  const box = await slider.boundingBox()
  if (box === null) throw new Error('the slider is not there')
  await slider.click({ position: { x: box.width * share, y: box.height / 2 } })
  await drawn(page)
}

test('the answer tells how good a run was, and Results leads to the comparison; an edit changes the verdict', async ({
  page,
}) => {
  await visit(page)
  await run(page, /^Finished/)
  const line = page.getByRole('region', { name: 'Result', exact: true })
  await expect(line).toContainText(/times faster than fixed workers\./, LONG)
  // The verdict is not part of the status.
  await expect(statusOf(page)).toHaveText(/^Finished: 600 of 600 jobs in [\d.]+ s\.$/)
  await expectAccessible(page, 'with a verdict', ['.answer-bar'])
  await page.getByRole('tab', { name: 'Results' }).click()
  const gain = page.getByRole('region', { name: 'Gain' })
  await expectAccessible(page, 'with answers', ['.side'])
  await page.getByRole('region', { name: 'Bottleneck' }).getByRole('button', { name: 'Show' }).click()
  await expect(page.getByRole('button', { name: 'Try it: One worker more' })).toBeVisible()
  await gain.getByRole('button', { name: 'Compare' }).click()
  await expect(page.getByRole('tab', { name: 'Compare' })).toBeFocused()
  await settled(page, 'Compare')
  await expect(row(page, 'Fixed')).toBeVisible()
  const verdict = line.locator('.answer-why')
  const verdictWords = await verdict.innerText()
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('7')
  await expect(verdict).not.toHaveText(verdictWords)
  await expect(verdict).toContainText('fixed workers')
  await expect(statusOf(page)).toHaveText(/^Simulated in \d/)
})

test('six policies are compared without a run, with the best of each column and the bound; one opens at the first difference, and one is chosen', async ({
  page,
}) => {
  await visit(page, jsonLink(scenario()))
  await openView(page, 'Compare')
  await settled(page, 'Compare')
  await expect(cards(page)).toHaveCount(6)
  await expect(row(page, 'Least total time')).toHaveAttribute('aria-current', 'true')
  await expect(row(page, 'One worker does it all')).toContainText('1.00×')
  await expect(
    compare(page)
      .getByRole('cell', { name: / best with this seed$/ })
      .first(),
  ).toBeVisible()
  await expect(compare(page)).toContainText(
    /There is .* s of work for 6 workers, so no run can finish before .*\. .* s \/ 6 = .*Proven for this column only/,
  )
  // The page has simulated its own scenario, and nobody pressed Run.
  await expect(statusOf(page)).toHaveText(/^Simulated in \d/)

  const difference = compare(page).getByRole('region', { name: 'First difference' })
  await expect(difference).toContainText(/What followed: took .* \/ /)
  const decision = /At decision ([\d,]+) /.exec(await difference.innerText())?.[1]
  await difference.getByRole('button', { name: 'in Jefferson', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Decision ${decision}`, exact: true })).toBeVisible()
  // The canvas has its scenario, so picture and header agree.
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('jefferson')
  await difference.getByRole('button', { name: 'in Least total time' }).click()
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('leastScore')

  await compare(page).getByText('6 of at most 6 policies').click()
  await expectAccessibleAtAnyWidth(page, 'Compare')
  await expect(compare(page).getByRole('checkbox', { name: 'Webster' })).toBeDisabled()
  await compare(page).getByRole('checkbox', { name: 'One per stage' }).uncheck()
  await compare(page).getByRole('checkbox', { name: 'Webster' }).check()
  await expect(row(page, 'Webster')).toContainText('×', LONG)
  await cards(page).getByRole('button', { name: 'Take Webster' }).click()
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('webster')
  await expect(compare(page).getByRole('button', { name: /^Compare/ })).toHaveCount(0)
})

test('a small scenario has a row for the best possible, and a run that reaches it; for a large one the page tells why not', async ({
  page,
}) => {
  await visit(page, jsonLink(scenario({ source: { kind: 'batch', jobs: 4 }, workers: 2 })))
  await openView(page, 'Compare')
  await settled(page, 'Compare')
  const best = row(page, 'Best possible')
  await expect(best.getByRole('cell').first()).toHaveText(/^[\d.]+$/, LONG)
  const figure = async (each: Locator) =>
    Number(
      await each
        .getByRole('cell')
        .first()
        .innerText()
        .then((text) => text.replace(' best with this seed', '')),
    )
  expect(await figure(best)).toBeLessThanOrEqual(await figure(row(page, 'Least total time')))
  await compare(page).getByRole('button', { name: 'Show the shortest run' }).click()
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('byHand', LONG)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('leastScore')
  await visit(page, jsonLink(scenario()))
  await openView(page, 'Compare')
  await settled(page, 'Compare')
  await expect(compare(page)).toContainText(
    'The best possible schedule is not searched: it has more than 12 jobs, 4 stages or 4 workers.',
  )
})

test('the playhead of the page moves all of them, forwards and backwards', async ({ page }) => {
  await visit(page, jsonLink(scenario()))
  await run(page)
  await openView(page, 'Compare')
  await settled(page, 'Compare')
  const out = async () =>
    (await cards(page).locator('header .soft').allInnerTexts()).map((text) =>
      Number(/^(\d+) of 300 out$/.exec(text)?.[1]),
    )
  await seek(page, 0.15)
  const early = await out()
  await seek(page, 0.3)
  const late = await out()
  expect(late.every((jobs, k) => jobs >= early[k])).toBe(true)
  expect(Math.max(...late)).toBeGreaterThan(Math.max(...early))
  await seek(page, 0.15)
  expect(await out()).toEqual(early)
  // A click on the queues of a card also seeks, on the common axis.
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
  // It reaches the end of the longest run, and with the timeline returns to the end of the own run.
  await playhead(page).focus()
  await page.keyboard.press('End')
  await expect.poll(out).toEqual(early.map(() => 300))
  const end = Number(await playhead(page).inputValue())
  await openView(page, 'Timeline')
  await expect.poll(async () => Number(await playhead(page).getAttribute('max'))).toBeLessThan(end)
})

test('a value of a sweep is viewed by keys and chosen by Enter or a click', async ({ page }) => {
  await visit(page, jsonLink(scenario()))
  await openView(page, 'What if')
  await settled(page, 'What if')
  await expectAccessibleAtAnyWidth(page, 'What if')
  const sweep = page.getByRole('article', { name: 'What if' })
  const plot = sweep.getByRole('slider')
  await expect(plot).toHaveAttribute('aria-valuetext', /^6 workers: took .* targets Read .*, Think .*, Write /)
  await plot.focus()
  await page.keyboard.press('ArrowRight')
  await expect(plot).toHaveAttribute('aria-valuenow', '7')
  await page.keyboard.press('Enter')
  const workers = page.getByRole('spinbutton', { name: 'Workers' })
  await expect(workers).toHaveValue('7')
  const box = await sweep.locator('svg').boundingBox()
  if (box === null) throw new Error('the plot is not there')
  await sweep.locator('svg').click({ position: { x: 54, y: box.height / 2 } })
  await expect(workers).toHaveValue('1')
  await sweep.getByRole('combobox', { name: 'Vary' }).selectOption('Jobs a batch')
  await expect(plot).toHaveAttribute('aria-valuetext', /^1 job a batch: took/, LONG)
})
