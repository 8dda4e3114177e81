import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { choose, drop, statusOf, visit } from './driver/visit.ts'

/** Forty orders, each with two stages in its span. */
const spans = Array.from({ length: 40 }, (_, job) => {
  const start = 1_790_000_000_000_000 + job * 20_000
  const span = (id: string, name: string, from: number, to: number, more: object = {}) => ({
    traceId: `t${job}`,
    spanId: `${id}${job}`,
    name,
    startTimeUnixNano: `${start + from}000`,
    endTimeUnixNano: `${start + to}000`,
    ...more,
  })
  const worker = (value: string) => ({ attributes: [{ key: 'worker.id', value: { stringValue: value } }] })
  return [
    span('a', 'order', 0, 30_000),
    span('b', 'pack', 5000, 15_000, { parentSpanId: `a${job}`, ...worker('w1') }),
    span('c', 'bill', 15_000, 30_000, { parentSpanId: `a${job}`, ...worker('w2') }),
  ]
}).flat()
const text = JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ spans }] }] })

test('spans that are dropped show what they tell, and open as a run; packed ones are chosen as a trace', async ({ page }) => {
  await visit(page)
  await drop(page, 'spans.json', text)
  const dialog = page.getByRole('dialog', { name: 'Spans of your system' })
  await expect(dialog).toContainText('OpenTelemetry (OTLP JSON). Spans: 120, jobs: 40. Stages in order: pack, bill.')
  await expect(dialog.getByLabel('A worker is told by')).toHaveValue('')
  await dialog.getByLabel('A job is told by').selectOption('name')
  await expect(dialog).not.toContainText('jobs: 40')
  await dialog.getByLabel('A job is told by').selectOption('trace')
  await expect(dialog).toContainText('jobs: 40')
  await dialog.getByRole('button', { name: 'Open the run' }).click()
  await expect(dialog).toBeHidden()
  await expect(statusOf(page)).toHaveText(/^Finished: 40 of 40 jobs/)

  // The decisions of its scheduler stand beside the run as beside a log.
  await drop(page, 'scaler.jsonl', '{"time":1790000000.4,"stage":"pack","from":1,"to":2,"reason":"queue above 5"}\n')
  const log = page.getByRole('dialog', { name: /^Your own log/ })
  await expect(log).toContainText('1 decision of your own scheduler from scaler.jsonl.')
  await log.getByRole('button', { name: 'Next decision' }).press('Enter')
  await page.keyboard.press('End')
  await log.getByRole('button', { name: 'Previous decision' }).press('Enter')
  await expect(log.getByRole('article', { name: 'Point of the log' })).toContainText('pack from 1 to 2: queue above 5')
  await page.keyboard.press('Escape')

  const chooser = page.waitForEvent('filechooser')
  await choose(page, 'Open a trace')
  await (await chooser).setFiles({ name: 'spans.json.gz', mimeType: 'application/gzip', buffer: gzipSync(text) })
  await expect(dialog).toContainText('Spans: 120, jobs: 40')
})
