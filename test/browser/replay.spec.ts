import { expect, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { chooseEngine, ended, LONG, openReplay, pause, replayOf, run, unfold, visit } from './driver/visit.ts'

/** Short enough for real threads, long enough for many decisions. */
const lively = {
  version: 1,
  title: 'Lively',
  source: { kind: 'poisson', rate: 400, jobs: 300 },
  stages: ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'uniform', min: 100, max: 3000 } })),
  workers: 3,
}

// A run on Web Workers is replayed in engines.spec.ts.
test('a simulated run is replayed by the scheduler, and the page reports that it is reproduced', async ({ page }) => {
  await visit(page, jsonLink(lively))
  await run(page)
  await openReplay(page)
  await replayOf(page).getByRole('button', { name: 'Check every decision' }).click()
  await expect(replayOf(page).getByText(/^Reproduced, [\d,]+ of [\d,]+ decisions\.$/)).toBeVisible(LONG)
  const [, reproduced, all] = /Reproduced, ([\d,]+) of ([\d,]+)/.exec(await replayOf(page).innerText()) ?? []
  expect(reproduced).toBe(all)
  expect(Number(all.replaceAll(',', ''))).toBeGreaterThan(50)
})

test('a link with the digest of its run tells whether the run here is the same', async ({ page }) => {
  await visit(page, jsonLink(lively, '&run=simulation'))
  await ended(page)
  await page.getByRole('button', { name: 'Share' }).click()
  const link = page.getByLabel(/^Link \d/)
  const plain = await link.inputValue()
  await page.getByLabel(/^With the digest of this run/).check()
  await expect(link).toHaveValue(/&digest=[0-9a-f]{16}$/)
  const fragment = new URL(await link.inputValue()).hash
  expect(fragment.startsWith(new URL(plain).hash)).toBe(true)

  // A page with threads switches to the simulation, so that both can be compared.
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
  // The link has been read, and has chosen the simulation.
  await expect(page.getByText('Run the simulation to see whether yours is the same.')).toBeVisible()
  await chooseEngine(page, 'Web Workers')
  await run(page)
  await expect(page.getByText(/Only a simulation can be compared with it/)).toBeVisible(LONG)
  // An edit makes another scenario, to which the digest does not apply.
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('2')
  await expect(page.getByText(/This link carries the digest/)).toHaveCount(0)
})

test('the folds below a decision are one line each, and an open fold is open again after a reload', async ({
  page,
}) => {
  await visit(page, jsonLink({ ...lively, order: { kind: 'buffer', slots: 32 } }, '&run=simulation'))
  await ended(page)
  const parts = page.locator('.side-body .panel-fold')
  await expect(parts).toHaveCount(1)
  for (const part of await parts.all()) expect((await part.boundingBox())?.height).toBeLessThan(45)
  await expect(parts.first()).toHaveText('Orderring of 32 slots')
  await expect(replayOf(page)).toHaveCount(0)
  await page.getByText('More about this decision').click()
  await expect(replayOf(page)).toHaveText('Replaynot checked yet')
  await unfold(parts.first())
  await page.reload()
  await ended(page)
  await pause(page)
  await expect(parts.first().getByRole('img')).toBeVisible()
  await expect(replayOf(page).getByRole('button')).toHaveCount(0)
})
