import { expect, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { expectAccessible } from './driver/accessible.ts'
import { chooseEngine, chooseScenario, downloadTrace, LONG, playhead, run, unfold, visit } from './driver/visit.ts'

test('an elastic pool is drawn over time with its published trajectory, and alone under another controller', async ({
  page,
}) => {
  await visit(page)
  await chooseScenario(page, 'Elastic pool: PI')
  await run(page, /^Finished: 37,161 of 37,161 jobs/)
  const pool = page.getByRole('article', { name: 'Pool' })
  // Closed it is one line, with the present numbers.
  await expect(pool.locator('summary')).toHaveText(/^Pools\d+ workers?, [\d,]+ waiting$/)
  await unfold(pool)
  await expect(pool).toContainText('PID controller, every 10 ms')
  await playhead(page).press('End')
  await expect(pool.locator('dd').first()).toHaveText(/^(2[89]|3\d) workers, \d+ waiting$/)
  await expect(pool.locator('dd').last()).toHaveText('28 workers, 0 waiting')
  await expect(pool.locator('[data-part=published]').first()).toHaveAttribute('d', /^M/)

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Clamp integral' }).fill('15')
  await run(page, /^Finished/)
  await page.getByRole('tab', { name: 'Decision' }).click()
  await expect(pool).toBeVisible()
  await expect(pool.getByText('Published')).toBeHidden()
})

test('on Web Workers threads are hired and dismissed, every job comes out, and the simulated pool is drawn behind the real one', {
  tag: '@alone',
}, async ({ page }) => {
  const scenario = {
    version: 1,
    source: { kind: 'sine', max: 20, every: 100_000, duration: 3_000_000 },
    stages: [{ id: 'A', service: { kind: 'constant', mean: 25_000 }, work: 'wait' }],
    workers: 12,
    policy: { kind: 'pid', kp: 1, ki: 0.5, kd: 0, every: 10_000, setpoint: 0, up: -3, down: -2, clamp: 2 },
  }
  await visit(page, jsonLink(scenario))
  await chooseEngine(page, 'Web Workers')
  await run(page, /^Finished: (\d+) of \1 jobs/)
  const pool = page.getByRole('article', { name: 'Pool' })
  await unfold(pool)
  await expect(pool.getByText('Simulation')).toBeVisible()
  // Computed again from the reports of the threads.
  await expect(pool.getByRole('list', { name: 'Outputs of the controllers' })).toHaveText(
    /^output .+: hires at -3 or below, dismisses at -2 or above$/,
  )
  const [waiting, workers] = await pool
    .locator('[data-part=predicted]')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d') ?? ''))
  // Both curves go up and down. Their height depends on the jobs that wait for the real pool.
  const heights = (path: string) => new Set(path.split('L').map((point) => point.split(',')[1])).size
  expect(heights(waiting)).toBeGreaterThan(2)
  expect(heights(workers)).toBeGreaterThan(2)
  const { events, kinds, failures } = await downloadTrace(page)
  const rows = (name: string) => events.kind.filter((kind) => kinds[kind] === name).length
  expect(rows('hired')).toBeGreaterThan(0)
  // On a very busy machine a job always waits, so no worker is dismissed.
  expect(rows('dismissed')).toBeLessThanOrEqual(rows('hired'))
  expect(rows('released')).toBe(rows('arrived'))
  expect(failures).toEqual([])
})

test('a search for gains computes a map, names the least cost and the settings of Ziegler and Nichols, and a key chooses a cell', async ({
  page,
}) => {
  const scenario = {
    version: 1,
    source: { kind: 'sine', max: 40, every: 100_000, duration: 13_000_000 },
    stages: [{ id: 'A', service: { kind: 'constant', mean: 25_000 }, work: 'wait' }],
    workers: 20,
    policy: { kind: 'pid', kp: 1, ki: 0.05, kd: 0, every: 10_000, setpoint: 0, up: -100, down: -20 },
  }
  await visit(page, jsonLink(scenario))
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('region', { name: 'Settings' }).getByRole('button', { name: 'Search gains' }).click()
  const tuning = page.getByRole('article', { name: 'Tuning' })
  await tuning.getByRole('button', { name: 'Search gains' }).click()
  await expect(tuning.getByRole('progressbar')).toBeVisible()
  await expect(tuning.getByRole('progressbar')).toBeHidden(LONG)
  await expect(tuning.getByTestId('ultimate')).toContainText('Ziegler and Nichols')
  const settings = tuning.getByTestId('gain-settings')
  await expect(settings.getByRole('row')).toHaveText([/kp/, /^At the start/, /^P/, /^PI/, /^PID/, /^least/])
  const gain = page.getByRole('textbox', { name: 'Proportional' })
  const map = tuning.getByRole('grid', { name: 'Cost by proportional and integral gain' })
  await map.focus()
  await map.press('End')
  await map.press('ArrowUp')
  await expect(tuning.locator('output')).toContainText(
    /^kp 100, ki 0\.0005: cost [\d.,]+, mean wait .+ workers on average$/,
  )
  await expectAccessible(page, 'the map of gains', ['.side'])
  await map.press('Enter')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(gain).toHaveValue('100')
  await expect(page.getByRole('textbox', { name: 'Integral', exact: true })).toHaveValue('0.0005')
  await page.getByRole('tab', { name: 'Decision' }).click()

  // A higher price of waiting changes the costs without another search.
  const before = await settings.locator('td:last-child').first().textContent()
  await tuning.getByRole('textbox', { name: 'What a waiting second costs, in worker seconds' }).fill('10')
  await expect(settings.locator('td:last-child').first()).not.toHaveText(before ?? '')
})
