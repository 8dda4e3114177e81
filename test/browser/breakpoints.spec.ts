import { expect, type Page, test } from '@playwright/test'
import { chooseEngine, drawn, jsonLink, LONG, playhead, run, statusOf, visit, workedExample } from './driver/visit.ts'

const stopped = (page: Page) => page.locator('.stopped')

async function breakWhen(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Break when…' }).click()
  await page.getByRole('checkbox', { name }).check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Break when…' })).toBeFocused()
}

test('playback stops at the very instant at which a stage loses its last worker, says so, and goes on when told to', async ({ page }) => {
  await visit(page, jsonLink(workedExample))
  await breakWhen(page, 'A stage loses its last worker')
  await run(page)
  await expect(stopped(page)).toHaveText('Stopped at 2.000 s: A has lost its last worker.', LONG)
  await expect(playhead(page)).toHaveValue('2000000')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  // The status line goes on saying how the run ended.
  await expect(statusOf(page)).toHaveText(/^Finished/)
  await expect(page.getByRole('article', { name: 'Decision' })).toContainText('A is done')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(playhead(page)).toHaveValue('3000000', LONG)
  await expect(stopped(page)).toHaveText('')
})

test('to the next stop without playing what lies between, by button and by key, until there is none', async ({ page }) => {
  await visit(page)
  await page.getByRole('button', { name: 'Break when…' }).click()
  const number = page.getByRole('spinbutton', { name: 'Jobs waiting' })
  await number.fill('')
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await number.fill('30')
  await page.getByRole('combobox', { name: 'Where they wait' }).selectOption('Enrich')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'No longer break when more than 30 wait at Enrich' })).toBeVisible()
  await run(page)
  await page.getByRole('button', { name: 'Next break' }).click()
  await expect(stopped(page)).toHaveText(/^Stopped at 1\.\d\d\d s: More than 30 wait at Enrich: 31\.$/)
  const first = Number(await playhead(page).inputValue())
  await page.getByRole('heading', { name: /^Decision \d/ }).click()
  const times = [first]
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('n')
    await expect(page.getByRole('button', { name: 'Next break' })).toBeEnabled()
    await drawn(page)
    if ((await stopped(page).innerText()) === 'There is no later stop.') break
    times.push(Number(await playhead(page).inputValue()))
  }
  await expect(stopped(page)).toHaveText('There is no later stop.')
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  // Taken off by its chip, nothing stops any more.
  await page.getByRole('button', { name: /^No longer break/ }).click()
  await expect(page.getByRole('button', { name: 'Next break' })).toBeHidden()
})

test('where two rules would part, the panel shows that they do', async ({ page }) => {
  await visit(page)
  await breakWhen(page, 'Another rule would seat them otherwise')
  await run(page)
  await page.getByRole('button', { name: 'Next break' }).click()
  await expect(stopped(page)).toHaveText(/^Stopped at .*: Jefferson would seat (one worker|\d workers) elsewhere\.$/)
  await expect(page.getByRole('article', { name: 'Decision' }).getByRole('img', { name: /^Jefferson: .*; \d elsewhere$/ })).toBeVisible()
})

test('while threads work it is the playhead that stops, and not the run', async ({ page }) => {
  const scenario = {
    ...workedExample,
    source: { kind: 'regular', rate: 20, jobs: 60 },
    stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 60_000 }, work: 'wait' })),
    workers: 2,
  }
  await visit(page, jsonLink(scenario))
  await page.getByRole('button', { name: 'Break when…' }).click()
  await page.getByRole('spinbutton', { name: 'Jobs waiting' }).fill('3')
  await page.keyboard.press('Escape')
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(stopped(page)).toHaveText(/^Stopped at .*: More than 3 wait at [AB]: \d+\./, LONG)
  await expect(page.getByRole('button', { name: 'Live' })).toBeVisible()
  await expect(statusOf(page)).toHaveText(/^Running/)
  await drawn(page)
  const stoodAt = await playhead(page).inputValue()
  await expect(statusOf(page)).toHaveText(/^Finished: 60 of 60/, LONG)
  await expect(playhead(page)).toHaveValue(stoodAt)
})

test('on a narrow page the whole form is brought into view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await visit(page)
  const button = page.getByRole('button', { name: 'Break when…' })
  // As low on the screen as it can be pressed.
  await button.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await button.click()
  await expect(page.getByRole('dialog', { name: 'Break when' })).toBeInViewport({ ratio: 1 })
})
