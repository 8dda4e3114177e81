import { expect, type Page, test } from '@playwright/test'
import { chooseEngine, jsonLink, LONG, run, visit } from './driver/visit.ts'

/** Short enough for real threads, long enough for many decisions. */
const lively = {
  version: 1,
  title: 'Lively',
  source: { kind: 'poisson', rate: 400, jobs: 300 },
  stages: ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'uniform', min: 100, max: 3000 } })),
  workers: 3,
}

const replayOf = (page: Page) => page.getByRole('region', { name: 'Replay' })

// A run on Web Workers is replayed in engines.spec.ts.
test('a simulated run goes through the scheduler again, and the page says it is reproduced', async ({ page }) => {
  await visit(page, jsonLink(lively))
  await run(page)
  await replayOf(page).getByRole('button', { name: 'Check every decision' }).click()
  await expect(replayOf(page).getByText(/^Reproduced, [\d,]+ of [\d,]+ decisions\.$/)).toBeVisible(LONG)
  const [, reproduced, all] = /Reproduced, ([\d,]+) of ([\d,]+)/.exec(await replayOf(page).innerText()) ?? []
  expect(reproduced).toBe(all)
  expect(Number(all.replaceAll(',', ''))).toBeGreaterThan(50)
})

test('a link with the digest of its run says whether the run here is the same', async ({ page }) => {
  await visit(page, jsonLink(lively, '&run=simulation'))
  await expect(page.getByRole('status')).toHaveText(/^Finished/, LONG)
  await page.getByRole('button', { name: 'Share' }).click()
  const link = page.getByLabel(/^Link \d/)
  const plain = await link.inputValue()
  await page.getByLabel(/^With the digest of this run/).check()
  await expect(link).toHaveValue(/&digest=[0-9a-f]{16}$/)
  const fragment = new URL(await link.inputValue()).hash
  expect(fragment.startsWith(new URL(plain).hash)).toBe(true)

  // Whoever had chosen threads is put where the two can be held against each other.
  await page.keyboard.press('Escape')
  await chooseEngine(page, 'Web Workers')
  await visit(page, fragment)
  await expect(page.getByRole('radio', { name: 'Simulation' })).toBeChecked()
  await expect(page.getByText('Run the simulation to see whether yours is the same.')).toBeVisible()
  await run(page)
  await expect(page.getByText(/^Reproduced: the run is the one this link was made from/)).toBeVisible(LONG)

  const altered = `${fragment.slice(0, -1)}${fragment.endsWith('0') ? '1' : '0'}`
  await visit(page, altered)
  await run(page)
  await expect(page.getByText(/^Differs: this run has the digest/)).toBeVisible(LONG)

  await visit(page, fragment)
  await chooseEngine(page, 'Web Workers')
  await run(page)
  await expect(page.getByText(/Only a simulation can be held against it/)).toBeVisible(LONG)
  // An edit makes it another scenario, of which the link says nothing.
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('2')
  await expect(page.getByText(/This link carries the digest/)).toHaveCount(0)
})
