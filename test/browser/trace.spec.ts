import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { alertOf, choose, chooseEngine, downloadBytes, LONG, run, statusOf, visit } from './driver/visit.ts'

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
  await run(page, /^Finished/)
  return downloadBytes(page, () => choose(page, 'Download trace'))
}

async function openTrace(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await choose(page, 'Open a trace')
  await (await chooser).setFiles({ name, mimeType: 'application/json', buffer })
}

test('a downloaded real run opens elsewhere with all its panels and downloads as the same file', async ({ page }) => {
  const bytes = await recorded(page, 'Web Workers')
  const sentence = await statusOf(page).innerText()
  await visit(page, jsonLink({ ...lively, title: 'Something else', workers: 1 }))
  await openTrace(page, 'lively.trace.json', bytes)
  await expect(statusOf(page)).toHaveText(`${sentence} Recorded in lively.trace.json.`, LONG)
  await expect(page.getByRole('button', { name: /^Scenarios/ })).toHaveText('Lively')
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toBeChecked()
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('3')
  const again = await downloadBytes(page, () => choose(page, 'Download trace'))
  expect(JSON.parse(again.toString('utf8'))).toEqual(JSON.parse(bytes.toString('utf8')))
  await page.getByRole('tab', { name: 'Results' }).click()
  await expect(page.getByRole('article', { name: 'Results' }).getByText('200 of 200 jobs out')).toBeVisible(LONG)
})

test('a large trace first shows its size, then its progress, and can be cancelled', async ({ page }) => {
  const text = (await recorded(page, 'Simulation')).toString('utf8')
  const head = text.slice(0, text.indexOf('"time":[') + '"time":['.length)
  const before = await statusOf(page).innerText()
  for (const press of ['Cancel', 'Open'] as const) {
    await page.evaluate((beginning) => {
      const parts = [beginning, ...Array.from({ length: 60 }, () => '1000000000,'.repeat(91_000))]
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(parts, 'large.trace.json'))
      document
        .querySelector('.page')
        ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, head)
    const dialog = page.getByRole('dialog', { name: /^Opening a trace of [\d.]+ MB$/ })
    await dialog.getByRole('button', { name: press }).click()
    if (press === 'Open') {
      await expect(dialog.getByRole('progressbar', { name: /^Reading / })).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
    await expect(dialog).toHaveCount(0)
    await expect(statusOf(page)).toHaveText(before)
    await expect(alertOf(page)).toHaveCount(0)
  }
})

test('a run is saved as CSV of its decisions, as a test vector, and as a picture', async ({ page }) => {
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
