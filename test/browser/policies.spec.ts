import { expect, test } from '@playwright/test'
import { alertOf, run, visit } from './driver/visit.ts'

// Which policies there are, which are refused and why, is shown in Node: test/app/session/scenario/refusedEdits.test.ts.
test('a policy is chosen and played; one that is refused, and a wrong number, leave the one before in its field', async ({ page }) => {
  await visit(page)
  const policy = page.getByRole('combobox', { name: 'Policy' })
  const workers = page.getByRole('spinbutton', { name: 'Workers' })
  await workers.fill('3')
  await policy.selectOption('onePerStage')
  await expect(alertOf(page)).toHaveText(/workers.*at least 4: the policy onePerStage/)
  await expect(policy).toHaveValue('leastScore')
  await workers.fill('10001')
  await expect(alertOf(page)).toHaveText(/workers.*a whole number from 1 to 10,000/)
  await workers.blur()
  await expect(workers).toHaveValue('3')
  await workers.fill('4')
  await expect(alertOf(page)).toBeHidden()
  await policy.selectOption('onePerStage')
  await run(page, /^Finished: 600 of 600 jobs/)
  await expect(page.getByRole('heading', { name: /^Decision \d/ })).toBeVisible()
})
