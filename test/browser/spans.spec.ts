import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './driver/accessible.ts'
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

test('spans that are dropped show what they tell, and open as a run; packed ones are chosen as a trace', async ({
  page,
}) => {
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

  // What the policy would have decided stands beside what was done, at each instant.
  const ours = page.getByRole('article', { name: 'What the policy would have decided' })
  await expect(ours).toContainText('Drop a file of your own decisions')
  await ours.getByRole('button', { name: 'Compare every point with the policy' }).press('Enter')
  const log = page.getByRole('dialog', { name: /^Your own log/ })
  await expect(log).toContainText('Each service time is the mean up to its point.')
  await expect(log.getByRole('article', { name: 'Point of the log' })).toContainText(
    'Least total time would have decided:',
  )
  await page.keyboard.press('Escape')
  await expect(ours).toContainText(/Least total time would have decided: .* Your system had: pack \d, bill \d\./)

  // The decisions of its scheduler are marks on the timeline, with words for keyboard and pointer, beside ours.
  const decision = (time: string, from: number, to: number, reason: string) =>
    JSON.stringify({ time: Number(time), stage: 'pack', from, to, reason })
  await drop(
    page,
    'scaler.jsonl',
    `${decision('1790000000.3', 1, 2, 'queue above 5')}\n${decision('1790000000.6', 2, 1, 'idle')}\n`,
  )
  const decided = page.getByRole('article', { name: 'Your own scheduler' })
  await expect(decided).toContainText('1 of 2')
  await expect(decided).toContainText(/Your own scheduler:.*pack from 1 to 2: queue above 5/)
  await expect(decided).toContainText(/Least total time would have decided: .* Your system had: pack \d, bill \d\./)
  await decided.getByRole('button', { name: 'Next decision' }).press('Enter')
  await expect(decided).toContainText(/Your own scheduler:.*pack from 2 to 1: idle/)
  await expect(decided.getByRole('button', { name: 'Next decision' })).toBeDisabled()
  const timeline = await page.getByRole('application', { name: /^Timeline/ }).boundingBox()
  const handle = await page.locator('.timeline [data-part="handle"]').boundingBox()
  if (timeline === null || handle === null) throw new Error('there is no timeline')
  const [x, y] = [handle.x + handle.width / 2, timeline.y + 39]
  const hint = page.locator('.hint', { hasText: 'pack from 2 to 1: idle' })
  await page.mouse.move(x - 40, y)
  await page.mouse.move(x - 2, y)
  await expect(hint).toBeVisible()
  await page.mouse.move(x - 40, y)
  await expect(hint).toBeHidden()
  await page.mouse.click(x - 40, y)
  await expect(decided).toContainText(/Your own scheduler:.*pack from 1 to 2/)
  // A press beside a mark goes to it.
  await page.mouse.click(x - 2, y)
  await expect(decided).toContainText(/Your own scheduler:.*pack from 2 to 1: idle/)
  await expectAccessible(page, 'decisions of another scheduler on the timeline')

  await decided.getByRole('button', { name: 'Compare every point with the policy' }).press('Enter')
  await expect(log).toContainText('2 decisions from scaler.jsonl.')
  await log.getByRole('button', { name: 'Next decision' }).press('Enter')
  await page.keyboard.press('End')
  await log.getByRole('button', { name: 'Previous decision' }).press('Enter')
  await expect(log.getByRole('article', { name: 'Point of the log' })).toContainText('pack from 2 to 1: idle')
  await page.keyboard.press('Escape')

  const chooser = page.waitForEvent('filechooser')
  await choose(page, 'Open a trace')
  await (await chooser).setFiles({ name: 'spans.json.gz', mimeType: 'application/gzip', buffer: gzipSync(text) })
  await expect(dialog).toContainText('Spans: 120, jobs: 40')
})
