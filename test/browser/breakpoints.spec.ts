import { expect, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { chooseEngine, drawn, LONG, playhead, pressTool, run, runAndPlay, statusOf, visit } from './driver/visit.ts'

const stopped = (page: Page) => page.locator('.stopped')

async function breakWhen(page: Page, name: string): Promise<void> {
  const early = await page.getByRole('button', { name: 'Tools' }).isHidden()
  await pressTool(page, 'Pause when…')
  await page.getByRole('checkbox', { name }).check()
  await page.keyboard.press('Escape')
  if (!early) await expect(page.getByRole('button', { name: 'Tools' })).toBeFocused()
}

test('playback stops exactly when a stage loses its last worker, tells why, and continues on Play', async ({
  page,
}) => {
  await visit(page, jsonLink(workedExample))
  await breakWhen(page, 'A stage loses its last worker')
  await runAndPlay(page)
  await expect(stopped(page)).toHaveText('Stopped at 2.000 s: A has lost its last worker.', LONG)
  await expect(playhead(page)).toHaveValue('2000000')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  // The status line still says how the run ended.
  await expect(statusOf(page)).toHaveText(/^Finished/)
  await expect(page.getByRole('article', { name: 'Decision' })).toContainText('A is done')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(playhead(page)).toHaveValue('3000000', LONG)
  await expect(stopped(page)).toHaveText('')
})

test('during a run on threads the playhead stops, but the run continues', async ({ page }) => {
  const scenario = {
    ...workedExample,
    source: { kind: 'regular', rate: 20, jobs: 60 },
    stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 60_000 }, work: 'wait' })),
    workers: 2,
  }
  await visit(page, jsonLink(scenario))
  await pressTool(page, 'Pause when…')
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

test('on a narrow page the whole form scrolls into view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await visit(page)
  await run(page)
  const button = page.getByRole('button', { name: 'Tools' })
  // At the lowest place on the screen where it can be pressed.
  await button.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await pressTool(page, 'Pause when…')
  await expect(page.getByRole('dialog', { name: 'Pause when' })).toBeInViewport({ ratio: 1 })
})
