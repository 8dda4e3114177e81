import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkBounds, loadPayloads } from '../../../src/engine/work/loadPayloads.ts'
import { MAX_BYTES, readLines } from '../../../src/engine/work/textLines.ts'
import { MAX_SERVICES_ON_THREADS } from '../../../src/scenario/model/limits.ts'
import { linksOf, scenarioWith } from '../../fixtures/scenarios.ts'

const drawn = (links: string, works: Record<string, unknown>, more: object = {}) =>
  scenarioWith({
    source: { kind: 'batch', jobs: 5 },
    stages: Object.entries(works).map(([id, work]) => ({ id, work, ...(id === 'J' ? { join: 'all' } : {}) })),
    links: linksOf(links),
    workers: 2,
    ...more,
  })
const fork = 'source>A source>B A>sink B>sink'
const mixed = 'Some records would leave compressed here and others not'

describe('the reasons why threads cannot play a scenario', () => {
  test('include records that are compressed on one path but not on another, at the sink or where paths meet', () => {
    expect(() => checkBounds(drawn(fork, { A: 'gzip', B: 'wait' }))).toThrow(mixed)
    expect(() => checkBounds(drawn(fork, { A: 'wait', B: 'gzip' }))).toThrow(mixed)
    expect(() => checkBounds(drawn(fork, { A: 'gzip', B: 'gzip' }))).not.toThrow()
    expect(() => checkBounds(drawn(fork, { A: 'parseJson', B: 'wait' }))).not.toThrow()
    const meet = 'source>A source>B A>J B>J J>sink'
    expect(() => checkBounds(drawn(meet, { A: 'wait', B: 'gzip', J: 'wait' }))).toThrow(mixed)
    expect(() => checkBounds(drawn(meet, { A: 'gzip', B: 'gzip', J: 'wait' }))).not.toThrow()
    expect(() => checkBounds(drawn(meet, { A: 'wait', B: 'wait', J: 'gzip' }))).not.toThrow()
    expect(() =>
      checkBounds(drawn('source>A source>B A>sink B>C C>sink', { A: 'gzip', B: 'gzip', C: 'wait' })),
    ).not.toThrow()
    // Compressed at the beginning, and so at the end of both paths.
    expect(() =>
      checkBounds(drawn('source>A A>B A>C B>sink C>sink', { A: 'gzip', B: 'wait', C: 'wait' })),
    ).not.toThrow()
  })

  test('include tiles that are copied and computed', () => {
    const source = { kind: 'image', width: 16, height: 16, tile: 8 }
    const copied = 'A picture takes no copies of its tiles'
    expect(() => checkBounds(drawn(fork, { A: 'mandelbrot', B: 'wait' }, { source }))).toThrow(copied)
    expect(() => checkBounds(drawn(fork, { A: 'burn', B: 'wait' }, { source }))).not.toThrow()
    expect(() => checkBounds(drawn(fork, { A: 'parseJson', B: 'wait' }))).not.toThrow()
    expect(() => checkBounds(drawn('source>A A>B B>sink', { A: 'mandelbrot', B: 'wait' }, { source }))).not.toThrow()
  })

  test('include more services than real workers may take; the error gives the allowed number of jobs', () => {
    const most = MAX_SERVICES_ON_THREADS / 4
    const works = { A: 'wait', B: 'wait', C: 'wait', D: 'wait' }
    const line = 'source>A A>B B>C C>D D>sink'
    expect(() => checkBounds(drawn(line, works, { source: { kind: 'batch', jobs: most } }))).not.toThrow()
    const words = new RegExp(`A real run has at most .* services, so ${most.toLocaleString('en')} jobs here`)
    expect(() => checkBounds(drawn(line, works, { source: { kind: 'batch', jobs: most + 1 } }))).toThrow(words)
  })
})

describe('the file of a scenario', () => {
  const reads = (jobs: number, digest = '', works: readonly string[] = ['parseJson']) =>
    scenarioWith({
      source: { kind: 'lines', jobs, digest },
      stages: works.map((work, s) => ({ id: `s${s}`, work })),
      workers: 1,
    })
  const file = new Blob(['one\ntwo\n'])
  const digest = createHash('sha256').update('one\ntwo\n').digest('hex')

  test('must exist, have as many lines as the scenario says, and have the digest of the scenario', async () => {
    await expect(loadPayloads(reads(2), null)).rejects.toThrow('reads the lines of a file, and there is none')
    await expect(loadPayloads(reads(3), file)).rejects.toThrow('another file')
    await expect(loadPayloads(reads(2, 'ab'.repeat(32)), file)).rejects.toThrow(
      'another file than the one that the scenario was made with',
    )
    const payloads = await loadPayloads(reads(2, digest), file)
    expect([payloads?.at(0, 0), payloads?.at(1, 0), payloads?.atMost(0)]).toEqual(['one', 'two', 3])
  })

  test('may be too large, which is reported before it is read', async () => {
    const large = { size: MAX_BYTES + 1, stream: () => expect.fail('was read') } as unknown as Blob
    await expect(readLines(large, 10)).rejects.toThrow(/the file has 100.?000.?001 bytes; allowed: 100.?000.?000/)
    const just = Object.defineProperty(new Blob(['x']), 'size', { value: MAX_BYTES }) as Blob
    expect(await readLines(just, 10)).toEqual(['x'])
  })
})

describe('the payload of jobs', () => {
  test('is the values of the scenario, or the number of the job where a stage has code', async () => {
    const values = await loadPayloads(
      drawn(
        'source>A A>B B>sink',
        { A: 'wait', B: 'wait' },
        { source: { kind: 'values', values: ['a', '"b"', { c: [1] }] } },
      ),
      null,
    )
    expect([0, 1, 2].map((job) => values?.at(job, 0))).toEqual(['a', '"b"', { record: { c: [1] } }])
    const numbers = await loadPayloads(drawn('source>A A>B B>sink', { A: { code: '' }, B: 'wait' }), null)
    expect([0, 7].map((job) => numbers?.at(job, 0))).toEqual([{ record: 0 }, { record: 7 }])
  })
})
