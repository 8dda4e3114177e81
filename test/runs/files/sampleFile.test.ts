import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeSample } from '../../../src/engine/work/textLines.ts'

test('the sample is a few megabytes of JSON records, the same bytes at every call', async () => {
  const text = await makeSample().text()
  expect(makeSample(1).type).toBe('application/x-ndjson')
  expect(text.length).toBeGreaterThan(3_000_000)
  expect(text.length).toBeLessThan(6_000_000)
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(16_000)
  const sizes = lines.map((line) => line.length).sort((a, b) => a - b)
  expect(sizes[15_999] / sizes[8000]).toBeGreaterThan(3)
  const records = lines.map((line) => JSON.parse(line) as { time: string; request: string })
  expect(new Set(records.map(({ request }) => request)).size).toBe(16_000)
  expect(records.every(({ time }, k) => k === 0 || time > records[k - 1].time)).toBe(true)
  expect(await makeSample().text()).toBe(text)
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    '8ff4d3f94224da3e05dfeb98928c106402cd033369b2e962f3d09effd80e0748',
  )
})
