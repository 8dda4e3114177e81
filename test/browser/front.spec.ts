import { expect, test } from '@playwright/test'
import { expectAccessible, expectNoWider, expectTargets, testWideAndNarrow } from './driver/accessible.ts'
import { chooseEngine, chooseScenario, LONG, run, statusOf } from './driver/visit.ts'
import { neverVisited } from './driver/visits.ts'

test.use({ storageState: neverVisited })

const gap = /^(\d+\.\d) s against (\d+\.\d) s: (\d+(\.\d)?) times faster\.$/

test('a first visit runs the same jobs in two lanes, shows the gain of the scheduler, and continues with its run on the full page', async ({
  page,
}) => {
  await page.goto('/')
  const front = page.getByRole('region', { name: 'What it is about' })
  await expect(front).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Run' })).toHaveCount(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(front.getByRole('button', { name: 'Run' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(front.getByRole('button', { name: 'Pause' })).toBeFocused()
  // Both lanes move at once.
  for (const lane of [0, 1])
    await expect(front.locator('.lane-out').nth(lane)).toHaveText(/^[1-9]\d* of 200 jobs out$/, LONG)
  await expect(front.locator('[aria-live]')).toHaveText(gap, LONG)
  const [, slow, fast, ratio] = gap.exec(await front.locator('[aria-live]').innerText()) ?? []
  expect(Number(slow) / Number(fast)).toBeCloseTo(Number(ratio), 0)
  await expect(statusOf(page)).toHaveText(/^Finished: 200 of 200 jobs/)
  await expect(front.getByRole('button', { name: 'Watch again' })).toBeFocused()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(front).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Run' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Scenarios: A stage gets five times slower' })).toBeInViewport()
  await expect(page.getByRole('group', { name: /^Stage / })).toHaveCount(4)
  await expect(page.getByRole('heading', { name: /^Decision \d/ })).toBeVisible()

  await page.goto('about:blank')
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Scenarios: A stage gets five times slower' })).toBeInViewport()
  await expect(front).toHaveCount(0)
})

test('Back leads out of a dialog, to the scenario before and to the front page; Forward leads there again, and no link says so', async ({
  page,
}) => {
  await page.goto('/')
  const front = page.getByRole('region', { name: 'What it is about' })
  await page.getByRole('button', { name: 'Try it yourself' }).click()
  await expect(front).toHaveCount(0)
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('5')
  await chooseScenario(page, 'Bursts')
  const title = page.getByRole('button', { name: /^Scenarios/ })
  const share = page.getByRole('dialog', { name: 'Share' })
  await expect(title).toHaveText('Bursts')
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(share).toBeVisible()
  // The driver asks the browser where it is, and the page's own step may reach the browser later.
  await expect.poll(() => page.evaluate(() => history.state.dialog)).toBe('open')
  await page.goBack()
  await expect(share).toBeHidden()
  await expect(title).toHaveText('Bursts')
  await page.goForward()
  await expect(share).toBeVisible()
  // Closed by its button it is no step back any more.
  await page.keyboard.press('Escape')
  await expect(share).toBeHidden()
  await expect.poll(() => page.evaluate(() => history.state.dialog)).toBe('closed')
  await page.goBack()
  await expect(title).toHaveText('A stage gets five times slower')
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('5')
  await page.goBack()
  await expect(front).toBeInViewport()
  expect(new URL(page.url()).hash).toBe('')
  await page.goForward()
  await expect(front).toHaveCount(0)
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('5')
  // After a reload there is no front page yet to return to: it is fetched.
  await page.reload()
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('5')
  await page.goBack()
  await expect(front).toBeInViewport()
  await front.getByRole('button', { name: 'Run' }).click()
  await expect(page.locator('.front [aria-live]')).toHaveText(gap, LONG)
})

test('the page below the front page can be used at once: a change there closes the front page, and Run plays the chosen scenario', async ({
  page,
}) => {
  await page.goto('/')
  await chooseEngine(page, 'Web Workers')
  await expect(page.getByRole('region', { name: 'What it is about' })).toHaveCount(0)
  await run(page, /^Finished: 200 of 200 jobs/)
})

testWideAndNarrow(
  'the front page shows people who ask for no motion three frames of each run, and nothing serious stands in their way',
  async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page.locator('.front [aria-live]')).toHaveText(gap, LONG)
    for (const lane of [0, 1])
      await expect(page.locator('.lane').nth(lane).locator('figcaption')).toHaveText([
        /^0\.0 s: 0 of 200 jobs out$/,
        /^\d\.\d s: \d+ of 200/,
        /^all 200 jobs out/,
      ])
    await expectAccessible(page, 'the front page', ['.front'])
    await expectTargets(page, 'the front page')
    await expectNoWider(page)
  },
)
