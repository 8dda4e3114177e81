import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import {
  chooseScenario,
  drawn,
  ended,
  followLink,
  LONG,
  openTools,
  playhead,
  run,
  runAndPlay,
  statusOf,
  visit,
} from './driver/visit.ts'

// If they are blocked, the console reports it.
test.use({ serviceWorkers: 'allow' })

test('the names that other projects use are unique on the page, also as parts of a name', async ({ page }) => {
  await visit(page)
  await expect(page.getByRole('button', { name: 'Run' })).toHaveCount(1)
  await expect(page.getByRole('radio', { name: 'Simulation' })).toHaveCount(1)
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toHaveCount(1)
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveCount(1)
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveCount(1)
  await expect(statusOf(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: 'Download trace' })).toHaveCount(1)
})

test('the finished run plays from the beginning, pauses and continues', async ({ page }) => {
  await visit(page)
  await runAndPlay(page)
  await expect(playhead(page)).not.toHaveValue('0')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  const stood = Number(await playhead(page).inputValue())
  await drawn(page)
  await expect(playhead(page)).toHaveValue(String(stood))
  await openTools(page)
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('60')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(playhead(page)).toHaveValue(await endOf(page), LONG)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

test.describe('the worked example', () => {
  test('is stepped by keys and by buttons, and scrubbed by the slider and on the timeline; the decision follows', async ({
    page,
  }) => {
    await visit(page)
    await chooseScenario(page, 'Worked example')
    await run(page, /^Finished: 3 of 3 jobs in 3(\.0+)? s/)
    await scrub(page, 0)
    await page.getByRole('heading', { level: 1 }).click()
    for (const [key, to] of [
      [']', 1_000_000],
      [']', 2_000_000],
      [']', 3_000_000],
      ['[', 2_000_000],
      [',', 1_000_000],
      [',', 0],
      ['.', 1_000_000],
      ['.', 2_000_000],
    ] as const) {
      await page.keyboard.press(key)
      await expect(playhead(page)).toHaveValue(String(to))
    }
    await page.keyboard.press(' ')
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    await page.keyboard.press(' ')
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()

    await scrub(page, 0)
    await page.getByRole('button', { name: 'Step forward' }).click()
    await expect(playhead(page)).toHaveValue('1000000')
    await page.getByRole('button', { name: 'Step forward' }).click()
    await page.getByRole('button', { name: 'Step back' }).click()
    await expect(playhead(page)).toHaveValue('1000000')

    for (const [time, number] of [
      [2_500_000, 3],
      [1_500_000, 2],
      [2_000_000, 3],
      [999_999, 1],
      [1_000_000, 2],
      [0, 1],
    ]) {
      await scrub(page, time)
      await expect(decisionOf(page).getByRole('heading', { level: 2 })).toHaveText(`Decision ${number}`)
    }
    await scrub(page, 0)
    const timeline = page.getByRole('application', { name: /^Timeline/ })
    const box = await timeline.boundingBox()
    if (box === null) throw new Error('the timeline has no box')
    await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.5)
    await expect.poll(async () => Number(await playhead(page).inputValue())).toBeGreaterThan(1_000_000)
    await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.5)
    await expect.poll(async () => Number(await playhead(page).inputValue())).toBeLessThan(1_000_000)
  })
})

test('a run of 100,000 jobs is simulated off the main thread: the page stays responsive', async ({ page }) => {
  await visit(page)
  const stages = ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'exponential', mean: 5000 } }))
  await followLink(
    page,
    jsonLink({ version: 1, title: 'Many', source: { kind: 'batch', jobs: 100_000 }, stages, workers: 8 }),
  )
  await expect(page.getByText('Many', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(page.getByRole('tab', { name: 'Settings' })).toHaveAttribute('aria-selected', 'true')
  await ended(page, /^Finished: 100,000 of 100,000 jobs/)
})

function decisionOf(page: Page) {
  return page.getByRole('article', { name: 'Decision' })
}

/** Moves the slider as a person would: a range input takes the value and sends an event. */
async function scrub(page: Page, time: number): Promise<void> {
  await playhead(page).fill(String(time))
  await expect(playhead(page)).toHaveValue(String(time))
}

async function endOf(page: Page): Promise<string> {
  return (await playhead(page).getAttribute('max')) ?? ''
}
