import { expect, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { chooseEngine, run, visit } from './driver/visit.ts'

const withCode = (source: string) =>
  jsonLink({
    version: 1,
    stages: [{ id: 'A' }, { id: 'B' }],
    workers: 3,
    source: { kind: 'regular', rate: 900, jobs: 40 },
    policy: { kind: 'code', name: 'Mine', source },
  })

const half = 'export default function allocate(view) {\n  return [Math.ceil(view.workers / 2), Math.floor(view.workers / 2)]\n}\n'

test('a policy in code comes with a link, says so, and is played after Run is pressed', async ({ page }) => {
  await visit(page, `${withCode(half)}&run=simulation`)
  await expect(page.getByRole('status')).toHaveText('This link contains a policy written by its author; it runs in a sandbox.')
  await run(page, /^Finished: 40 of 40 jobs/)
})

test('who chooses code at the top of the page sees where it is written', async ({ page }) => {
  await visit(page)
  await page.getByRole('combobox', { name: 'Policy' }).first().selectOption({ label: 'Your own code' })
  await expect(page.getByRole('textbox', { name: 'Code of the policy' })).toBeVisible()
})

test('a policy in code decides on real threads too', async ({ page }) => {
  await visit(page, withCode(half))
  await chooseEngine(page, 'Web Workers')
  await run(page, /^Finished: 40 of 40 jobs/)
})

test('what is wrong with the code is said with its line: while it is typed, and after a run', async ({ page }) => {
  await visit(page, withCode(half))
  await page.getByRole('tab', { name: 'Settings' }).click()
  const code = page.getByRole('textbox', { name: 'Code of the policy' })
  await code.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('export default function allocate(view) {\n  return [1,\n}\n')
  await expect(page.getByText('the code of the policy cannot be read: line 3: SyntaxError')).toBeVisible()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText("export default function allocate(view) {\n  return fetch('x')\n}\n")
  await expect(page.getByText('cannot be read')).toBeHidden()
  await run(page, /^Failed: the code of the policy threw an error: line 2: ReferenceError: 'fetch' is not defined/)
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(page.locator('.form-error').getByText("line 2: ReferenceError: 'fetch' is not defined")).toBeVisible()
})

test('a policy in code begins with code that plays, and its decisions are shown', async ({ page }) => {
  await visit(page)
  await page.getByRole('combobox', { name: 'Policy' }).first().selectOption('code')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('combobox', { name: 'Begin with' }).selectOption('Switch only if it pays')
  await run(page, /^Finished: 600 of 600 jobs/)
  await expect(page.getByRole('heading', { name: /^Decision \d/ })).toBeVisible()
})
