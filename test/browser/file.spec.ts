import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { choose, downloadBytes, downloadTrace, followLink, jsonLink, LONG, run, statusOf, visit, workedExample } from './driver/visit.ts'

test('the sample goes through real work, and the output is what one worker in sequence makes: same bytes, same checksum, in input order', {
  tag: '@alone',
}, async ({ page }) => {
  await visit(page)
  await choose(page, 'Use the sample')
  await expect(statusOf(page)).toHaveText(/^[\d,]+ lines of the sample are ready/, LONG)
  const count = /^[\d,]+/.exec(await statusOf(page).innerText())?.[0] ?? ''
  const lineCount = Number(count.replaceAll(',', ''))
  expect(lineCount).toBeGreaterThan(10_000)
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toBeChecked()
  await run(page, new RegExp(`^Finished: ${count} of ${count} jobs`), LONG)

  const output = page.getByRole('article', { name: 'Output' })
  await expect(output.getByText(`${count} records`)).toBeVisible()
  await expect(output.getByText('Equal: the same bytes in the same order.')).toBeVisible(LONG)
  const [parallel, sequential] = await output.locator('code').allInnerTexts()
  expect(parallel).toMatch(/^[0-9a-f]{64}$/)
  expect(sequential).toBe(parallel)

  const bytes = await downloadBytes(page, () => output.getByRole('button', { name: 'Download output' }).click())
  expect(sha256(bytes)).toBe(parallel)
  const records = recordsIn(gunzipSync(bytes))
  expect(records).toHaveLength(lineCount)
  // Each request of the sample carries the number of its line.
  expect(records.every(({ request }, line) => Number.parseInt(String(request).slice(6), 16) === line)).toBe(true)
  const { sha256: hash, ...first } = records[0]
  expect(hash).toBe(sha256(JSON.stringify(first)))
})

test('a dropped text file becomes the input, a line each, and its output keeps the order of the lines', async ({ page }) => {
  await visit(page)
  await drop(page, 'people.jsonl', lines(['{"name":"Ada"}', '{"name":"Grace"}', '{"name":"Edith"}']))
  await expect(statusOf(page)).toHaveText(/^3 lines of people\.jsonl are ready/)
  await run(page)
  await expect(statusOf(page)).toHaveText(/^Finished: 3 of 3 jobs/)
  const output = page.getByRole('article', { name: 'Output' })
  await expect(output.getByText('Equal: the same bytes in the same order.')).toBeVisible(LONG)
  const bytes = await downloadBytes(page, () => output.getByRole('button', { name: 'Download output' }).click())
  expect(sha256(bytes)).toBe(await output.locator('code').first().innerText())
  expect(recordsIn(gunzipSync(bytes)).map(({ name }) => name)).toEqual(['Ada', 'Grace', 'Edith'])
})

test('of two files the one that came last stays, and so does a scenario that was opened while one was read', async ({ page }) => {
  await visit(page)
  // The lines are counted in a thread, whose script comes late for the first file and the third.
  let asked = 0
  let come = () => {}
  await page.route(/simulation\.worker/, async (route) => {
    if (++asked !== 2) await new Promise<void>((resolve) => (come = resolve))
    await route.continue()
  })
  await drop(page, 'first.jsonl', lines(['{"n":1}', '{"n":2}', '{"n":3}']))
  await expect.poll(() => asked).toBe(1)
  await drop(page, 'second.jsonl', lines(['{"n":1}', '{"n":2}']))
  await expect(statusOf(page)).toHaveText(/^2 lines of second\.jsonl are ready/)
  come()
  await page.waitForTimeout(1000)
  await expect(statusOf(page)).toHaveText(/^2 lines of second\.jsonl are ready/)

  await drop(page, 'third.jsonl', lines(['{"n":1}']))
  await expect.poll(() => asked).toBe(3)
  await followLink(page, jsonLink(workedExample))
  const title = page.getByRole('button', { name: 'Scenarios: Worked example' })
  await expect(title).toBeVisible()
  come()
  await page.waitForTimeout(1000)
  await expect(title).toBeVisible()
  await expect(statusOf(page)).toHaveText(/^Ready/)
})

test('a line that is not JSON fails its job, and only that; the page says so and the trace says why', async ({ page }) => {
  await visit(page)
  await drop(page, 'broken.jsonl', lines(['{"n":1}', 'this is prose', '{"n":3}', '{"n":4}']))
  await expect(statusOf(page)).toHaveText(/^4 lines/)
  await run(page)
  await expect(statusOf(page)).toHaveText(/^Finished: 3 of 4 jobs .*, 1 failed/)
  const output = page.getByRole('article', { name: 'Output' })
  await expect(output.getByText('3 records')).toBeVisible()
  await expect(output.getByText('Equal: the same bytes in the same order.')).toBeVisible(LONG)
  const { failures } = await downloadTrace(page)
  expect(failures.length).toBeGreaterThan(0)
  for (const { kind, reason } of failures) {
    expect(kind).toBe('job')
    expect(reason).toMatch(/not JSON: this is prose/)
  }
})

test('a dropped scenario opens; one with a mistake is refused in words', async ({ page }) => {
  await visit(page)
  const scenario = { version: 1, title: 'From a file', source: { kind: 'batch', jobs: 3 }, stages: [{ id: 'A' }], workers: 2 }
  await drop(page, 'good.json', JSON.stringify(scenario))
  await expect(page.getByRole('button', { name: /^Scenarios/ })).toHaveText('From a file')
  await drop(page, 'bad.json', JSON.stringify({ ...scenario, workers: 0 }))
  await expect(page.getByRole('alert')).toHaveText(/workers.*found 0.*1 to 256/)
  await expect(page.getByRole('button', { name: /^Scenarios/ })).toHaveText('From a file')
})

test('what is no text is refused in words that say what may be dropped', async ({ page }) => {
  await visit(page)
  await drop(page, 'cat.png', '\u0089PNG\0')
  await expect(page.getByRole('alert')).toHaveText(
    /cat\.png is no text in UTF-8; allowed: a scenario or a trace \(JSON\), a log \(CSV or JSON\), or a UTF-8 text file/,
  )
  await expect(statusOf(page)).toHaveText('Ready. Press Run.')
})

test('a pipeline that reads a file says what is missing when there is none', async ({ page }) => {
  await visit(page)
  await page.getByRole('button', { name: /^Scenarios/ }).click()
  await page.getByRole('menuitem', { name: 'Log lines, for real' }).click()
  await page.getByRole('radio', { name: 'Web Workers' }).check()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('alert').getByText(/There is no file to work on yet/)).toBeVisible(LONG)
})

/** Drops a file on the page as a hand would. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], name))
      return transfer
    },
    [name, text] as const,
  )
  const target = page.getByRole('main')
  await target.dispatchEvent('dragover', { dataTransfer })
  await target.dispatchEvent('drop', { dataTransfer })
}

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
