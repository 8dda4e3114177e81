import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { choose, chooseEngine, downloadBytes, LONG, pressTool, run, runAndPlay, visit } from './driver/visit.ts'

const withCode = (source: string) =>
  jsonLink({
    version: 1,
    stages: [{ id: 'A' }, { id: 'B' }],
    workers: 3,
    source: { kind: 'regular', rate: 900, jobs: 40 },
    policy: { kind: 'code', name: 'Mine', source },
  })

const half =
  'export default function allocate(view) {\n  return [Math.ceil(view.workers / 2), Math.floor(view.workers / 2)]\n}\n'

test('a policy in code can come with a link, is announced, and runs after Run is pressed, on threads too', async ({
  page,
}) => {
  await visit(page, `${withCode(half)}&run=simulation`)
  await expect(page.getByRole('status')).toHaveText('This link contains a policy in code. It runs in a sandbox.')
  await run(page, /^Finished: 40 of 40 jobs/)
  await chooseEngine(page, 'Web Workers')
  await run(page, /^Finished: 40 of 40 jobs/)
})

test('an error in the code is reported with its line: during typing, and after a run', async ({ page }) => {
  await visit(page, withCode(half))
  await page.getByRole('tab', { name: 'Settings' }).click()
  const code = page.getByRole('textbox', { name: 'Code of the policy' })
  await code.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('export default function allocate(view) {\n  return [1,\n}\n')
  await expect(page.locator('.form-error').getByText('cannot be read: line 3: SyntaxError')).toBeVisible()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText("export default function allocate(view) {\n  return fetch('x')\n}\n")
  await expect(page.locator('.form-error').getByText('cannot be read')).toBeHidden()
  await run(page, /^Failed: the code of the policy threw an error: line 2: ReferenceError: 'fetch' is not defined/)
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(page.locator('.form-error').getByText("line 2: ReferenceError: 'fetch' is not defined")).toBeVisible()
})

/** Types another text into the editor. */
async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code of the policy' }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

const describing = `${half}export const describe = ({ memory }, seats) => 'Half and half: ' + seats.join(' and ')\n`

test('the targets are shown during typing, at the first decision and at the playhead; code of a link waits for Run or an edit', async ({
  page,
}) => {
  await visit(page, withCode(half))
  await page.getByRole('tab', { name: 'Settings' }).click()
  const preview = page.locator('.code-preview')
  await expect(preview).toHaveCount(0)
  // Without a run: in the simulation the edit is played at once.
  await chooseEngine(page, 'Web Workers')
  await type(page, `// Mine.\n${describing}`)
  await expect(preview).toContainText(/At the first decision it gives:\s*A 2\s*B 1\s*Half and half: 2 and 1/)
  await chooseEngine(page, 'Simulation')
  await expect(preview).toContainText(/At decision \d+ \(.*\), with an empty memory, it gives:/)
  await run(page, /^Finished: 40 of 40 jobs/)
  // Late in the run, when A has no jobs left, both give it no worker.
  await page.getByRole('slider', { name: 'Time' }).fill('2000')
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await type(page, 'export default ({ workers }) => [0, workers]')
  await expect(preview).toContainText(
    /At decision [\d,]+ \(.*\), with an empty memory, it gives:\s*A 0 \(in the run 2\)\s*B 3 \(in the run 1\)/,
  )
  await type(page, 'export default ({ stages }) =>\n  stages.map((stage) => stage.wating)')
  await expect(page.locator('.form-error')).toContainText('reads a field that a stage does not have')
  await expect(page.locator('.form-error')).toContainText('line 2: wating')
})

test('code of a link waits for a press of Run in Compare and in a frame too', async ({ page }) => {
  await visit(page, `${withCode(half)}&record=compare&policies=code,jefferson`)
  await page.getByRole('button', { name: 'Compare 2 policies' }).click()
  await expect(page.getByRole('table').getByRole('rowheader', { name: 'Mine' })).toBeVisible(LONG)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(page.getByRole('table').getByRole('rowheader', { name: 'Backpressure' })).toBeVisible(LONG)
  await page.goto(`/?embed&run=simulation${withCode(half)}`)
  await expect(page.getByRole('status')).toHaveText('This link contains a policy in code. It runs in a sandbox.')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('status')).toHaveText(/^Finished: 40 of 40 jobs/, LONG)
})

test('a run under code is questioned, paused by a breakpoint and exported decision by decision', async ({ page }) => {
  await visit(page, withCode(describing))
  await pressTool(page, 'Pause when…')
  await page.getByRole('checkbox', { name: 'Another policy would choose other targets' }).check()
  await page.keyboard.press('Escape')
  await runAndPlay(page)
  await expect(page.locator('.stopped')).toContainText(/^Stopped at .*: /, LONG)
  const decision = page.getByRole('article', { name: 'Decision' })
  await expect(decision).toContainText('This policy sets targets without votes.')
  await expect(decision.locator('summary', { hasText: 'Why not?' })).toHaveCount(1)
  await decision.locator('summary', { hasText: 'More about this decision' }).click()
  await expect(decision.locator('summary', { hasText: 'Other policies' })).toHaveCount(1)
  const csv = await downloadBytes(page, () => choose(page, 'Download decisions'))
  expect(csv.toString('utf8')).toContain('The code of the policy sets the targets.')
})
