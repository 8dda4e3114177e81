import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadPayloads } from '../../../src/engine/work/loadPayloads.ts'
import { countTextLines, createSplitter, readLines } from '../../../src/engine/work/textLines.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

describe('lines', () => {
  test('end with a line feed, with or without a carriage return; the last one needs none', async () => {
    expect(await readLines(new Blob(['a\nb\r\n\n  \n c \nlast']), 10)).toEqual(['a', 'b', ' c ', 'last'])
    expect(await readLines(new Blob(['']), 10)).toEqual([])
  })

  test('begin after a byte order mark and keep characters that are split between two pieces', async () => {
    expect(
      await readLines(new Blob(['\uFEFFgrüß\n', new Uint8Array([0xe2, 0x82]), new Uint8Array([0xac, 0x0a])]), 10),
    ).toEqual(['grüß', '€'])
  })

  test('are the same however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '\n', '\r\n', ' ', 'bc', 'x\ny')),
        fc.array(fc.nat(20)),
        (parts, cuts) => {
          const text = parts.join('')
          const whole = createSplitter()
          const cut = createSplitter()
          const lines: string[] = []
          let at = 0
          for (const length of cuts) {
            lines.push(...cut.push(text.slice(at, at + length)))
            at += length
          }
          lines.push(...cut.push(text.slice(at)), ...cut.end())
          expect(lines).toEqual([...whole.push(text), ...whole.end()])
          expect(lines).toEqual(text.split(/\r?\n/).filter((line) => line.trim() !== ''))
        },
      ),
    )
  })

  test('are counted together with the digest of the file, up to the allowed number', async () => {
    const file = new Blob(['abc\n'])
    expect(await countTextLines(file, 1)).toEqual({
      jobs: 1,
      digest: 'edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb',
    })
    await expect(countTextLines(new Blob(['a\nb\n']), 1)).rejects.toThrow('more than 1 lines')
  })
})

test('long lines get more time, whatever was declared: the first of them does not count as a hang', async () => {
  const lines = ['short', 'x'.repeat(5_000_000)]
  const asked = { source: { kind: 'lines', jobs: 2, digest: '' }, stages: [{ id: 'A', work: 'gzip' }], workers: 1 }
  const runPayloads = await loadPayloads(scenarioWith(asked), new Blob([lines.join('\n')]))
  expect(lines.map((_, job) => runPayloads?.atMost(job))).toEqual([5, 5_000_000])
})
