import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { chooseEngine, downloadTrace, drop, LONG, run, statusOf, type TraceFile, visit } from './driver/visit.ts'

const service = { kind: 'constant', mean: 1000 }
const stage = (code: string, id = 'A', more = {}) => ({ id, name: id, service, work: { code }, ...more })
const coded = (stages: readonly object[], values: readonly unknown[], more = {}) => ({
  ...{ version: 1, title: 'Code', source: { kind: 'values', values }, stages, workers: 2 },
  ...more,
})

async function outputOf(page: Page): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download output' }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

async function played(page: Page, scenario: object, ending?: RegExp): Promise<TraceFile> {
  await visit(page, jsonLink(scenario))
  await chooseEngine(page, 'Web Workers')
  await run(page, ending)
  return downloadTrace(page)
}

test('kernels, waiting and code take turns in one pipeline', async ({ page }) => {
  const values = Array.from({ length: 20 }, (_, n) => JSON.stringify({ n }))
  const code = 'export default (value) => ({ ...value, twice: 2 * value.n })'
  const stages = [
    { id: 'A', name: 'A', service, work: 'parseJson' },
    stage(code, 'B'),
    { id: 'C', name: 'C', service, work: 'wait' },
    { id: 'D', name: 'D', service, work: 'sha256' },
  ]
  const trace = await played(page, coded(stages, values), /^Finished/)
  expect(trace.failures).toEqual([])
  const lines = (await outputOf(page)).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ n, twice, sha256 }) => [n, twice, sha256.length])).toEqual(values.map((_, n) => [n, 2 * n, 64]))
})

const noticeOf = (page: Page) => page.getByRole('region', { name: 'Code in this scenario' })
const threadsOf = (page: Page) => page.workers().filter((worker) => worker.url().startsWith('data:')).length
const twice = 'export default (n) => 2 * n'

test('code of a link is announced and waits for a press, without a dialog; its button runs it, and a reload does not ask again', async ({
  page,
}) => {
  const link = `${jsonLink(coded([stage(twice), stage('export default (n) => n + 1', 'B'), { id: 'C', service }], [1, 2, 3]))}&run=threads`
  await visit(page, link)
  await expect(noticeOf(page)).toContainText('A and B have code written by the author of this scenario.')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(page.frames()).toHaveLength(1)
  expect(threadsOf(page)).toBe(0)
  await noticeOf(page).getByRole('button', { name: 'Run this code' }).click()
  await expect(statusOf(page)).toHaveText(/^Finished: 3 of 3 jobs/)
  await expect(noticeOf(page)).toBeHidden()
  await visit(page, link)
  await expect(page.getByText('Code', { exact: true }).first()).toBeVisible()
  await page.getByRole('group', { name: /^Stage A/ }).click()
  await expect(page.getByRole('textbox', { name: 'Code of the stage' })).toBeVisible()
  await expect(noticeOf(page)).toBeHidden()
  // Other code asks again, also beside code that is known.
  await visit(page, jsonLink(coded([stage(twice), stage('export default (n) => n - 1', 'B')], [1])))
  await expect(noticeOf(page)).toContainText('B has code')
  await expect(noticeOf(page)).not.toContainText('A and')
})

test('Run on Web Workers is the same press as the button; the simulation runs no code', async ({ page }) => {
  await visit(page, jsonLink(coded([stage('export default (n) => { for (;;); }')], [1])))
  await run(page, /^Finished: 1 of 1/)
  expect(page.frames()).toHaveLength(1)
  await expect(noticeOf(page)).toBeVisible()
  await visit(page, jsonLink(coded([stage(twice)], [1])))
  await chooseEngine(page, 'Web Workers')
  await expect(noticeOf(page)).toBeVisible()
  await run(page, /^Finished: 1 of 1/)
  await expect(noticeOf(page)).toBeHidden()
})

test('a person who begins to write a stage is not asked about it', async ({ page }) => {
  await visit(page, jsonLink(coded([{ id: 'A', name: 'A', service }], [1])))
  await page.getByRole('group', { name: /^Stage A/ }).click()
  await page.getByRole('combobox', { name: 'In a real run' }).selectOption('Run code of your own')
  await expect(page.getByRole('textbox', { name: 'Code of the stage' })).toBeVisible()
  await expect(noticeOf(page)).toBeHidden()
})

test('the editor names lines of errors, completes, begins with a template, and tries one input', async ({ page }) => {
  await visit(page, jsonLink(coded([stage(twice)], ['a b a'])))
  await page.getByRole('group', { name: /^Stage A/ }).click()
  const code = page.getByRole('textbox', { name: 'Code of the stage' })
  const type = async (text: string) => {
    await code.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(text)
  }
  await type('export default (input) => {\n  return [1,\n}\n')
  await expect(page.locator('.form-error')).toContainText('Line 3 cannot be read')
  await type('import x from "y"\nexport default () => 1')
  await expect(page.locator('.form-error')).toContainText('Line 1: a stage imports nothing')
  await type('const none = 1')
  await expect(page.locator('.form-error')).toContainText('Export a function')
  await type('export default (input, context) => context.')
  await page.keyboard.press('Control+Space')
  const options = page.locator('.cm-tooltip-autocomplete').getByRole('option')
  await expect(options.filter({ hasText: /^random/ })).toBeVisible()
  await expect(options).toHaveCount(6)
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Begin with' }).selectOption('Count words')
  await expect(code).toContainText('The five most frequent words')
  await page.getByRole('textbox', { name: 'Input' }).fill('"to be or not to be"')
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.locator('[data-part=tried]')).toHaveText('[["to",2],["be",2],["or",1],["not",1]]')
  await expect(page.getByText(/^Output, after [\d.]+ .?s:/)).toBeVisible()
  // A trial is no run, and what was typed needs no notice.
  await expect(noticeOf(page)).toBeHidden()
  await page.getByRole('combobox', { name: 'Begin with' }).selectOption('Throw for every 50th job')
  await type('export default (input) => {\n  throw new Error("no " + input)\n}')
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.locator('.code-try .form-error')).toContainText('line 2: Error: no')
})

test('a later stage is tried with what the stages before make of the first input', async ({ page }) => {
  await visit(
    page,
    jsonLink(
      coded(
        [stage('export default (n) => ({ twice: 2 * n })'), stage('export default ({ twice }) => [twice]', 'B')],
        [21],
      ),
    ),
  )
  await page.getByRole('group', { name: /^Stage B/ }).click()
  await page.getByRole('button', { name: 'Use the output of the stages before' }).click()
  await expect(page.getByRole('textbox', { name: 'Input' })).toHaveValue('{"twice":42}')
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.locator('[data-part=tried]')).toHaveText('[42]')
})

test('a list that is dropped becomes the inputs, and the run says how its code went', async ({ page }) => {
  await visit(page, jsonLink(coded([stage(twice)], [1])))
  await drop(page, 'numbers.json', '[4, 5, 6]')
  await expect(statusOf(page)).toHaveText(/^3 values of numbers\.json are ready/)
  // The form of the first stage takes a file too, and says what there is.
  await page.getByRole('group', { name: /^Stage A/ }).click()
  await expect(page.getByText(/^3 values\./)).toBeVisible()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Use a file: lines, CSV or a JSON list' }).click(),
  ])
  await chooser.setFiles({ name: 'one.json', mimeType: 'application/json', buffer: Buffer.from('[4, 5]') })
  await expect(page.getByText(/^2 values\./)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await chooseEngine(page, 'Web Workers')
  await run(page, /^Finished: 3 of 3 jobs/)
  expect((await outputOf(page)).text).toBe('8\n10\n12\n')
  // One worker alone makes the same bytes.
  await expect(page.getByText('Equal: the same bytes in the same order.')).toBeVisible()
})

test('a run during which the page stood still is marked', async ({ page }) => {
  await visit(
    page,
    jsonLink(coded([stage('export default async (n, { sleep }) => { await sleep(1500); return n }')], [1])),
  )
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => threadsOf(page)).toBeGreaterThan(0)
  await expect(statusOf(page)).toHaveText(/^Running/)
  await page.evaluate(() => {
    for (const until = performance.now() + 600; performance.now() < until; );
  })
  await expect(statusOf(page)).toHaveText(
    /^Finished: 1 of 1 job.* The page stood still for [\d.]+ m?s during this run: in Safari that delays jobs\.$/,
  )
})

test('a browser that starts no thread in the frame says so within seconds', async ({ page }) => {
  // Without it the document may start no thread.
  await page.route(/stage\.html/, async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text()).replace('worker-src data:;', "worker-src 'none';")
    await route.fulfill({
      response: answer,
      body: text,
      headers: { ...answer.headers(), 'content-security-policy': "sandbox allow-scripts; worker-src 'none'" },
    })
  })
  await visit(page, jsonLink(coded([stage('export default (n) => n')], [1])))
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(statusOf(page)).toHaveText(/^Failed.*starts no threads for the code of stages/, LONG)
})
