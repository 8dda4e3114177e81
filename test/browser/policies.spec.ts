import { expect, test } from '@playwright/test'
import { alertOf, run, visit } from './driver/visit.ts'

// That each plays the rush hour to its end is shown in Node: test/scheduler/everyPolicy.test.ts.
test('every policy can be chosen for the rush hour, and the last one plays it to its end', async ({ page }) => {
  await visit(page)
  const policy = page.getByRole('combobox', { name: 'Policy' })
  const kinds = await policy.getByRole('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
  expect(kinds).toEqual(
    expect.arrayContaining(['leastScore', 'exhaustive', 'jefferson', 'hamilton', 'power', 'backpressure', 'sinkFirst', 'onePerStage', 'fixed', 'single']),
  )
  for (const kind of kinds) {
    await policy.selectOption(kind)
    await expect(policy).toHaveValue(kind)
    await expect(alertOf(page)).toBeHidden()
  }
  await run(page, /^Finished: 600 of 600 jobs/)
  await expect(page.getByRole('heading', { name: /^Decision \d/ })).toBeVisible()
})

test('one worker a stage is refused where there are fewer workers than stages, and the policy stays', async ({ page }) => {
  await visit(page)
  const policy = page.getByRole('combobox', { name: 'Policy' })
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('3')
  await policy.selectOption('onePerStage')
  await expect(alertOf(page)).toHaveText(/workers.*at least 4: the policy onePerStage/)
  await expect(policy).toHaveValue('leastScore')
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('4')
  await expect(alertOf(page)).toBeHidden()
  await policy.selectOption('onePerStage')
  await expect(policy).toHaveValue('onePerStage')
  await run(page)
})

test('trying all allocations is refused where there are too many of them', async ({ page }) => {
  await visit(page)
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('200')
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('exhaustive')
  await expect(alertOf(page)).toHaveText(/policy.*25,000/)
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('leastScore')
})

test('a number of workers outside its bounds is refused in words and the last good one stays', async ({ page }) => {
  await visit(page)
  const workers = page.getByRole('spinbutton', { name: 'Workers' })
  for (const wrong of ['0', '257', '2.5', '-3', '1e9']) {
    await workers.fill(wrong)
    await expect(alertOf(page)).toHaveText(/workers.*a whole number from 1 to 256/)
    await workers.blur()
    await expect(workers).toHaveValue('8')
  }
})
