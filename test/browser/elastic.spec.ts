import { expect, test } from '@playwright/test'
import { alertOf, chooseEngine, chooseScenario, downloadTrace, jsonLink, playhead, run, visit } from './visit.ts'

test('an elastic pool is drawn over time before its published trajectory, and alone where it is another controller', async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'Elastic pool: PI')
  await run(page, /^Finished: 37,161 of 37,161 jobs/)
  const pool = page.getByRole('article', { name: 'Pool' })
  await expect(pool).toContainText('PID controller, every 10 ms')
  await playhead(page).press('End')
  await expect(pool.locator('dd').first()).toHaveText(/^(2[89]|3\d) workers, \d+ waiting$/)
  await expect(pool.locator('dd').last()).toHaveText('28 workers, 0 waiting')
  await expect(pool.locator('[data-part=reference]').first()).toHaveAttribute('d', /^M/)

  await page.getByRole('tab', { name: 'Scenario' }).click()
  await page.getByRole('textbox', { name: 'Clamp integral' }).fill('15')
  await run(page, /^Finished/)
  await page.getByRole('tab', { name: 'Decision' }).click()
  await expect(pool).toBeVisible()
  await expect(pool.getByText('Published')).toBeHidden()
})

test('gains and periods out of bounds are refused in words, and the last good ones stay', async ({ page }) => {
  await visit(page)
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('pid')
  await page.getByRole('tab', { name: 'Scenario' }).click()
  const gain = page.getByRole('textbox', { name: 'Proportional' })
  await gain.fill('1e300')
  await expect(page.getByText('a number from 0 to 1,000,000')).toBeVisible()
  await gain.press('Escape')
  await expect(gain).toHaveValue('1')
  await page.getByRole('textbox', { name: 'Hire at' }).fill('5')
  await expect(page.getByText(/less than down, -1/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Hire at' }).press('Escape')
  await expect(alertOf(page)).toBeHidden()
  await run(page, /^Finished: 600 of 600 jobs/)
})

test('on Web Workers threads are hired and dismissed, and every job comes out', async ({ page }) => {
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
  const { events, kinds, failures } = await downloadTrace(page)
  const rows = (name: string) => events.kind.filter((kind) => kinds[kind] === name).length
  expect(rows('hired')).toBeGreaterThan(0)
  expect(rows('dismissed')).toBeGreaterThan(0)
  expect(rows('released')).toBe(rows('arrived'))
  expect(failures).toEqual([])
})
