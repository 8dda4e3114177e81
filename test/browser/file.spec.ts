import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { createLogLines } from '../../src/engine/work/textLines.ts'
import { downloadBytes, downloadTrace, drop, LONG, run, statusOf, unfold, visit } from './driver/visit.ts'

test('a large file goes through real work, and the output equals that of one worker in sequence: same bytes, same checksum, in input order', {
  tag: '@alone',
}, async ({ page }) => {
  await visit(page)
  const log = createLogLines(1)
  await drop(page, 'gateway.jsonl', lines(Array.from({ length: 16_000 }, (_, line) => log(line))))
  await page.getByRole('button', { name: 'Use its lines as jobs' }).click()
  await expect(statusOf(page)).toHaveText(/^gateway\.jsonl: 16,000 lines/, LONG)
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toBeChecked()
  await run(page, /^Finished: 16,000 of 16,000 jobs/, LONG)

  const output = page.getByRole('article', { name: 'Output' })
  await unfold(output)
  await expect(output.getByText('16,000 records')).toBeVisible()
  await expect(output.getByText('Equal: the same bytes in the same order.')).toBeVisible(LONG)
  const [parallel, sequential] = await output.locator('code').allInnerTexts()
  expect(parallel).toMatch(/^[0-9a-f]{64}$/)
  expect(sequential).toBe(parallel)

  const bytes = await downloadBytes(page, () => output.getByRole('button', { name: 'Download output' }).click())
  expect(sha256(bytes)).toBe(parallel)
  const records = recordsIn(gunzipSync(bytes))
  expect(records).toHaveLength(16_000)
  // Each request carries the number of its line.
  expect(records.every(({ request }, line) => Number.parseInt(String(request).slice(6), 16) === line)).toBe(true)
  const { sha256: hash, ...first } = records[0]
  expect(hash).toBe(sha256(JSON.stringify(first)))
})

test('a dropped text file becomes the input; a line that is not JSON fails only its own job, and the output keeps the order of the others', async ({
  page,
}) => {
  await visit(page)
  await drop(page, 'people.jsonl', lines(['{"name":"Ada"}', 'this is prose', '{"name":"Grace"}', '{"name":"Edith"}']))
  await page.getByRole('button', { name: 'Use its lines as jobs' }).click()
  await expect(statusOf(page)).toHaveText(/^people\.jsonl: 4 lines/)
  await run(page)
  await expect(statusOf(page)).toHaveText(/^Finished: 3 of 4 jobs .*, 1 failed/)
  const output = page.getByRole('article', { name: 'Output' })
  await unfold(output)
  await expect(output.getByText('3 records')).toBeVisible()
  await expect(output.getByText('Equal: the same bytes in the same order.')).toBeVisible(LONG)
  const bytes = await downloadBytes(page, () => output.getByRole('button', { name: 'Download output' }).click())
  expect(sha256(bytes)).toBe(await output.locator('code').first().innerText())
  expect(recordsIn(gunzipSync(bytes)).map(({ name }) => name)).toEqual(['Ada', 'Grace', 'Edith'])
  const { failures } = await downloadTrace(page)
  expect(failures.length).toBeGreaterThan(0)
  for (const { kind, reason } of failures) {
    expect(kind).toBe('job')
    expect(reason).toMatch(/not JSON: this is prose/)
  }
})

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`
}

function recordsIn(text: Buffer): Readonly<Record<string, unknown>>[] {
  return text
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}
