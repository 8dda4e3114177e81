import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { alertOf, choose, chooseEngine, downloadBytes, jsonLink, LONG, playhead, run, statusOf, visit } from './driver/visit.ts'

const lively = {
  version: 1,
  title: 'Lively',
  source: { kind: 'poisson', rate: 400, jobs: 200 },
  stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'uniform', min: 100, max: 3000 } })),
  workers: 3,
}

async function recorded(page: Page, engine: 'Web Workers' | 'Simulation'): Promise<Buffer> {
  await visit(page, jsonLink(lively))
  await chooseEngine(page, engine)
  await run(page)
  return downloadBytes(page, () => choose(page, 'Download trace'))
}

async function openTrace(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await choose(page, 'Open a trace')
  await (await chooser).setFiles({ name, mimeType: 'application/json', buffer })
}

test('a real run that was downloaded opens elsewhere with all its panels, is replayed, and downloads as the same', async ({ page }) => {
  const bytes = await recorded(page, 'Web Workers')
  const sentence = await statusOf(page).innerText()
  await visit(page, jsonLink({ ...lively, title: 'Something else', workers: 1 }))
  await openTrace(page, 'lively.trace.json', bytes)
  await expect(statusOf(page)).toHaveText(`${sentence} Recorded in lively.trace.json.`, LONG)
  await expect(page.getByRole('button', { name: /^Scenarios/ })).toHaveText('Lively')
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toBeChecked()
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('3')
  await page.getByRole('button', { name: 'Check every decision' }).click()
  await expect(page.getByText(/^Reproduced, ([\d,]+) of \1 decisions\.$/)).toBeVisible(LONG)
  const again = await downloadBytes(page, () => choose(page, 'Download trace'))
  expect(JSON.parse(again.toString('utf8'))).toEqual(JSON.parse(bytes.toString('utf8')))
  await page.getByRole('tab', { name: 'Figures' }).click()
  await expect(page.getByRole('article', { name: 'Figures' }).getByText('200 of 200 jobs out')).toBeVisible(LONG)
})

test('a trace that somebody altered opens at the decision where the scheduler says something else', async ({ page }) => {
  const file = JSON.parse((await recorded(page, 'Simulation')).toString('utf8'))
  const k = file.decisions.findIndex((decision: number[], d: number) => d > 20 && decision.length === 5)
  // Two seats change hands the other way round.
  const [row, a, inA, b, inB] = file.decisions[k]
  file.decisions[k] = [row, a, inB, b, inA]
  await visit(page)
  await drop(page, 'altered.json', JSON.stringify(file))
  await expect(statusOf(page)).toHaveText(/Recorded in altered\.json\.$/, LONG)
  await page.getByRole('button', { name: 'Check every decision' }).click()
  const replay = page.getByRole('region', { name: 'Replay' })
  await expect(replay.getByText(new RegExp(`^Differs at decision ${k + 1}, at .*: ${k} of [\\d,]+ decisions reproduced before it\\.$`))).toBeVisible(LONG)
  await expect(replay.getByText('The scheduler now')).toBeVisible()
  await expect(playhead(page)).toHaveValue(String(file.events.time[row - 1]))
  await expect(page.getByRole('heading', { name: `Decision ${k + 1}`, exact: true })).toBeVisible()
})

test('what is no trace is named with its place, and nothing on the screen is lost', async ({ page }) => {
  const text = (await recorded(page, 'Simulation')).toString('utf8')
  const sentence = await statusOf(page).innerText()
  const spoilt = (change: (file: { version: number; events: Record<string, number[]> }) => void) => {
    const file = JSON.parse(text)
    change(file)
    return JSON.stringify(file)
  }
  const { events } = JSON.parse(text)
  const last = events.time.length - 1
  const cases: readonly (readonly [text: string, says: RegExp])[] = [
    [text.slice(0, text.length >> 1), /events\.\w+\[\d+\].*cut off/],
    ['{"traceEvents":[]}', /traceEvents.*Trace Event file/],
    [spoilt((file) => (file.version = 9)), /version.*newer version, 9/],
    [spoilt(({ events }) => (events.time[last] = 0)), new RegExp(`events\\.time\\[${last}\\].*found 0`)],
    ['not JSON at all', /cut off|allowed|not JSON/],
  ]
  for (const [bad, says] of cases) {
    await openTrace(page, 'bad.json', Buffer.from(bad))
    await expect(alertOf(page)).toHaveText(says, LONG)
    await expect(alertOf(page)).toHaveText(/bad\.json/)
    await expect(statusOf(page)).toHaveText(sentence)
    await alertOf(page).getByRole('button', { name: 'Dismiss' }).click()
  }
  expect(JSON.parse((await downloadBytes(page, () => choose(page, 'Download trace'))).toString('utf8')).events).toEqual(events)
})

test('a large trace says its size first and can be cancelled', async ({ page }) => {
  await visit(page, jsonLink({ ...lively, source: { kind: 'poisson', rate: 900, jobs: 230_000 } }))
  await run(page)
  const coming = page.waitForEvent('download', LONG)
  await choose(page, 'Download trace')
  const path = await (await coming).path()
  expect((await readFile(path)).length).toBeGreaterThan(50_000_000)
  const sentence = await statusOf(page).innerText()
  for (const press of ['Cancel', 'Open'] as const) {
    const chooser = page.waitForEvent('filechooser')
    await choose(page, 'Open a trace')
    await (await chooser).setFiles(path)
    const dialog = page.getByRole('dialog', { name: /^Opening a trace of [\d.]+ MB$/ })
    await dialog.getByRole('button', { name: press }).click()
    if (press === 'Open') {
      await expect(dialog.getByRole('progressbar', { name: 'Reading the trace' })).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
    await expect(dialog).toHaveCount(0)
    await expect(statusOf(page)).toHaveText(sentence)
  }
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

test('a run is taken away as CSV of its decisions, as a test vector, and as a picture', async ({ page }) => {
  const { decisions } = JSON.parse((await recorded(page, 'Simulation')).toString('utf8'))
  const csv = (await downloadBytes(page, () => choose(page, 'Download decisions'))).toString('utf8')
  expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + decisions.length)
  const vector = JSON.parse((await downloadBytes(page, () => choose(page, 'Download this decision'))).toString('utf8'))
  expect(vector).toMatchObject({ format: 'apportion-decision', policy: 'leastScore', cpus: 3 })
  expect(vector.expected.A + vector.expected.B).toBe(3)
  const svg = (await downloadBytes(page, () => choose(page, 'Save picture as SVG'))).toString('utf8')
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1200"/)
  const png = await downloadBytes(page, () => choose(page, 'Save picture as PNG'))
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
  // Twice as wide as the SVG says.
  expect(png.readUInt32BE(16)).toBe(2400)
  expect(png.length).toBeGreaterThan(20_000)
})
