import { expect, type Page, test } from '@playwright/test'
import { readFragment } from '../../src/scenario/link/codec.ts'
import { boxOf } from './driver/drawing.ts'
import { alertOf, chooseScenario, downloadBytes, followLink, jsonLink, LONG, playhead, stageNames, statusOf, visit, workedExample } from './driver/visit.ts'

const title = (page: Page) => page.getByRole('button', { name: /^Scenarios/ })
const workers = (page: Page) => page.getByRole('spinbutton', { name: 'Workers' })

/** What a fragment of the address opens. */
function scenarioIn(hash: string): unknown {
  const fragment = readFragment(hash)
  return fragment.found === 'scenario' ? fragment.scenario : fragment
}

const forked = { ...workedExample, title: 'Forked', branches: [{ at: 500_000, title: 'With five', workers: 5 }] }

test('Back leads to the scenario before, as it was left; an edit is no step back', async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'Bursts')
  await expect(title(page)).toHaveText('Bursts')
  // Opened at once after an edit: the address had no time to follow.
  await workers(page).fill('5')
  await chooseScenario(page, 'A tie')
  await expect(title(page)).toHaveText('A tie')
  await expect.poll(() => page.evaluate(() => history.length)).toBe(4)
  const opened = page.url()
  await workers(page).fill('7')
  await expect.poll(() => page.url()).not.toBe(opened)
  await page.goBack()
  await expect(title(page)).toHaveText('Bursts')
  await expect(workers(page)).toHaveValue('5')
  await page.goBack()
  await expect(title(page)).toHaveText(/^Rush hour/)
  await page.goForward()
  await page.goForward()
  await expect(title(page)).toHaveText('A tie')
  await expect(workers(page)).toHaveValue('7')
})

test('a link followed is one step back, and no more', async ({ page }) => {
  await visit(page)
  const before = await page.evaluate(() => history.length)
  await followLink(page, jsonLink(workedExample))
  await expect.poll(() => stageNames(page)).toEqual(['A', 'B'])
  await page.waitForTimeout(1500)
  expect(await page.evaluate(() => history.length)).toBe(before + 1)
})

test('a link followed at once after another scenario was opened is read, though the address had no time to follow that one', async ({ page }) => {
  // What reads and writes links comes late.
  await page.route(/codec-/, async (route) => {
    await page.waitForTimeout(500)
    await route.continue()
  })
  await visit(page)
  await chooseScenario(page, 'Bursts')
  await followLink(page, '#json=%7B%2')
  await expect(alertOf(page)).toHaveText(/not URI-encoded/)
  await expect(title(page)).toHaveText('Bursts')
  await page.goBack()
  // The address goes on following what is on the canvas.
  await workers(page).fill('3')
  await expect.poll(() => page.url()).toContain('#s=')
})

test('a link that was followed and left before it could be read is read after the reload', async ({ page }) => {
  let reads = false
  await page.route(/codec-/, (route) => (reads ? route.continue() : undefined))
  await visit(page)
  const asked = page.waitForRequest(/codec-/)
  await followLink(page, jsonLink(workedExample))
  await asked
  reads = true
  await page.reload()
  await expect.poll(() => stageNames(page)).toEqual(['A', 'B'])
})

test('the address is written once a second at most, and not while a stage is dragged', async ({ page }) => {
  await visit(page)
  await page.evaluate(() => {
    const times: number[] = []
    const replaceState = history.replaceState.bind(history)
    history.replaceState = (...args) => {
      times.push(performance.now())
      replaceState(...args)
    }
    Object.assign(window, { times })
  })
  const times = () => page.evaluate(() => (window as unknown as { times: number[] }).times)
  for (let k = 0; k < 12; k++) {
    await workers(page).fill(String(2 + k))
    await page.waitForTimeout(200)
  }
  await expect.poll(async () => scenarioIn(new URL(page.url()).hash)).toMatchObject({ workers: 13 })
  const often = await times()
  expect(often.length).toBeGreaterThanOrEqual(2)
  for (let k = 1; k < often.length; k++) expect(often[k] - often[k - 1]).toBeGreaterThanOrEqual(990)

  // A press that lasts: what has been edited meanwhile, by keys, waits until it is let go.
  const box = await boxOf(page.getByRole('group', { name: /^Stage / }).first())
  await workers(page).focus()
  await page.mouse.move(box.x + 20, box.y + 12)
  await page.mouse.down()
  await page.mouse.move(box.x + 40, box.y + 40, { steps: 4 })
  await page.keyboard.press('Control+z')
  await page.waitForTimeout(1600)
  expect(await times()).toHaveLength(often.length)
  await page.mouse.up()
  await expect.poll(async () => (await times()).length, LONG).toBeGreaterThan(often.length)
})

test('a link that cannot be read is said to be cut, changes nothing, and is kept for download', async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'Bursts')
  await expect(title(page)).toHaveText('Bursts')
  await expect.poll(() => page.url()).toContain('#s=')
  const link = new URL(page.url()).hash
  await followLink(page, link.slice(0, -7))
  await expect(alertOf(page)).toHaveText(/cut off or was altered.*The link is kept: More, Download unreadable link.*Nothing on the screen was changed/)
  await expect(title(page)).toHaveText('Bursts')
  const kept = await downloadBytes(page, async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Download unreadable link' }).click()
  })
  expect(kept.toString()).toContain(link.slice(0, -7))
})

test('of a link whose view cannot be read the rest opens, and what is wrong is named', async ({ page }) => {
  await visit(page, jsonLink(workedExample, '&t=soon&panel=figures&decision=99&run=simulation'))
  await expect(alertOf(page)).toHaveText(/&t= is "soon".*&decision= is 99, and the run has 3 decisions.*All else that the link says holds/)
  await expect(statusOf(page)).toHaveText(/^Finished: 3 of 3 jobs/, LONG)
  await expect(page.getByRole('tab', { name: 'Figures' })).toHaveAttribute('aria-selected', 'true')
  await expect(playhead(page)).toHaveValue('0')
})

test('a branch that is shown stays shown after a reload, and in the address', async ({ page }) => {
  await visit(page, jsonLink(forked, '&branch=1'))
  const branch = page.getByRole('radio', { name: /^With five/ })
  await expect(branch).toBeChecked()
  await expect(workers(page)).toHaveValue('5')
  await workers(page).fill('6')
  await page.reload()
  await expect(branch).toBeChecked()
  await expect(workers(page)).toHaveValue('6')
  await expect.poll(() => page.url()).toMatch(/#s=.*&branch=1$/)
  await page.getByRole('radio', { name: /^Trunk/ }).check({ force: true })
  await expect.poll(() => page.url()).not.toContain('branch')
})
