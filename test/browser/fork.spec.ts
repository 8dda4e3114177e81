import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { expectAccessibleAtAnyWidth, testWideAndNarrow } from './driver/accessible.ts'
import { boxOf, linksOf, runButton, stage } from './driver/drawing.ts'
import { alertOf, drawn, ended, LONG, playhead, pressTool, run, statusOf, visit, whatMustStay } from './driver/visit.ts'

const branches = (page: Page): Locator => page.getByRole('region', { name: 'Branches' })
const branch = (page: Page, name: string | RegExp): Locator => branches(page).getByRole('radio', { name })
const forkHere = (page: Page) => pressTool(page, 'Fork here')
const workers = (page: Page): Locator => page.getByRole('spinbutton', { name: 'Workers' })

test('by keyboard alone: a fork that joins again is drawn, run on Web Workers, stopped and forked in the past, with both branches in one link', {
  tag: '@alone',
}, async ({ page, browser }) => {
  await visit(page)
  await tabTo(page, page.getByRole('button', { name: /^Scenarios/ }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Scenarios: New pipeline' })).toBeVisible()
  await tabTo(page, stage(page, 'Stage A'))
  await page.keyboard.press('a')
  await expect(stage(page, 'Stage B')).toBeFocused()
  await page.keyboard.press('b')
  await expect(stage(page, 'Stage C')).toBeFocused()
  await page.keyboard.press('a')
  await expect(stage(page, 'Stage D')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await tabTo(page, stage(page, 'Stage B'))
  await page.keyboard.press('c')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => linksOf(page)).toEqual(['source>A', 'A>B', 'A>C', 'B>D', 'C>D', 'D>sink'])

  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('button', { name: 'Change it from a job on' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Change 1' })).toBeVisible()

  await tabTo(page, page.getByRole('radio', { name: 'Simulation' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => Number(await playhead(page).inputValue()), LONG).toBeGreaterThan(900_000)
  await page.keyboard.press('Control+Enter')
  await expect(statusOf(page)).toHaveText(/^Stopped/)
  await tabTo(page, playhead(page))
  await page.keyboard.press('Home')
  for (let i = 0; i < 4; i++) await page.keyboard.press('PageUp')
  await page.keyboard.press('k')
  await expect(branch(page, /^Branch 1 from [\d.]+ s/)).toBeChecked()
  await expect(branches(page)).toContainText(/Forked at [\d.]+ s: changes now apply from there on/)

  await tabTo(page, workers(page))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('6')
  await expect(branches(page)).toContainText('(6 workers)')
  await tabTo(page, page.getByRole('textbox', { name: 'Name of the branch' }))
  await page.keyboard.type('Six from here')
  await page.keyboard.press('Enter')
  await expect(branch(page, /^Six from here/)).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(statusOf(page)).not.toHaveText(/^Stopped/)
  await ended(page, /^Finished: 200 of 200 jobs/)
  await expect(branches(page)).toContainText(/Equals the original until [\d.]+ s\. Then: 6 workers/)
  await tabTo(page, branch(page, /^Six/))
  await page.keyboard.press('ArrowLeft')
  await expect(branch(page, /^Original/)).toBeChecked()
  await expect(statusOf(page)).toHaveText(/^Stopped/)

  await tabTo(page, page.getByRole('button', { name: 'Share' }))
  await page.keyboard.press('Enter')
  await opensWithBoth(browser, await page.getByRole('textbox', { name: /^Link \d/ }).inputValue())
})

test('by pointer: a branch that cannot have a new stage reports it above, and after its deletion the focus returns to the start', async ({
  page,
}) => {
  await visit(page, jsonLink(small))
  await run(page)
  const { x, y, width, height } = await boxOf(playhead(page))
  await page.mouse.click(x + width / 2, y + height / 2)
  await forkHere(page)
  await expect(branch(page, /^Branch 1/)).toBeChecked()
  await expectAccessibleAtAnyWidth(page, 'branches')
  await stage(page, 'B').click({ position: { x: 30, y: 10 } })
  await page.keyboard.press('a')
  await expect(alertOf(page)).toContainText('cannot change during the run')
  await expect(runButton(page)).toBeDisabled()
  await expect(branches(page)).toContainText('Not everything can change during the run')
  await page.keyboard.press('Control+z')
  await expect(runButton(page)).toBeEnabled()
  await page.getByRole('button', { name: 'Delete branch' }).click()
  await expect(branches(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Tools' })).toBeFocused()
})

test('a running run on Web Workers is stopped when it is forked', async ({ page }) => {
  const waiting = small.stages.map((stage) => ({ ...stage, work: 'wait' }))
  await visit(
    page,
    jsonLink({ ...small, source: { kind: 'poisson', rate: 50, jobs: 1000 }, stages: waiting }, '&run=threads'),
  )
  await expect.poll(async () => Number(await playhead(page).inputValue()), LONG).toBeGreaterThan(500_000)
  await page.keyboard.press('k')
  await expect(branch(page, /^Branch 1/)).toBeChecked()
  await expect(statusOf(page)).toHaveText(/^Stopped: \d+ of \d+ jobs/)
  await expect(runButton(page)).toBeEnabled()
  await drawn(page)
  const at = Number(await playhead(page).inputValue())
  expect(at).toBeGreaterThan(500_000)
  // A screen reader reads it.
  await expect(branches(page).locator('[aria-live=polite]')).toContainText(`Forked at ${(at / 1e6).toFixed(3)} s`)
})

const small = {
  version: 1,
  source: { kind: 'batch', jobs: 200 },
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 3000 } },
    { id: 'B', service: { kind: 'exponential', mean: 6000 } },
  ],
  workers: 4,
}

testWideAndNarrow('conditions to pause and a fork move nothing that stands above', async ({ page }) => {
  await visit(page, jsonLink(workedExample, '&run=simulation&t=1500000'))
  await ended(page)
  await drawn(page)
  const before = await whatMustStay(page)
  for (const name of ['A stage loses its last worker', 'Another policy would choose other targets']) {
    await pressTool(page, 'Pause when…')
    await page.getByRole('checkbox', { name }).check()
    await page.keyboard.press('Escape')
    expect(await whatMustStay(page)).toEqual(before)
  }
  await forkHere(page)
  await expect(branches(page)).toBeInViewport()
  await drawn(page)
  expect(await whatMustStay(page)).toEqual(before)
})

/** A fresh browser shows original and branch, each with its own workers. */
async function opensWithBoth(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  await expect(branch(page, /^Original/)).toBeChecked()
  await expect(workers(page)).not.toHaveValue('6')
  await branch(page, /from [\d.]+ s/).check({ force: true })
  await expect(workers(page)).toHaveValue('6')
  await context.close()
}

/** By Tab, forwards or backwards around the page, as a keyboard user. */
async function tabTo(page: Page, what: Locator): Promise<void> {
  for (let i = 0; i < 150; i++) {
    if (await what.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${what}`)
}
