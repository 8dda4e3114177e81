import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { BatchOrder, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import { kernelFunctions, type Payload } from '../../../../src/engine/work/kernels.ts'
import { tileOf } from '../../../../src/engine/work/mandelbrot.ts'
import { encodeQoi } from '../../../../src/engine/work/qoi.ts'
import { checkReply } from '../../../../src/features/room/protocol/checkReply.ts'
import { type Kernel, recordKernels, tileKernels } from '../../../../src/scenario/model/scenario.ts'

const unreadable = 'sent an unreadable message'
const wrong = 'gave a wrong result'

const order = (more: Partial<BatchOrder> = {}): BatchOrder => ({
  work: 'wait',
  stage: 0,
  switchCosts: [0, 0],
  jobs: [4, 7],
  services: [10, 10],
  failing: [],
  payloads: null,
  ...more,
})
const reply = (more: Partial<Reply> = {}): Reply => ({
  began: 0,
  ended: [10, 20],
  threw: null,
  payloads: null,
  ...more,
})

describe('a reply without results', () => {
  test.each<[string, Partial<BatchOrder>, Partial<Reply>, string | null]>([
    ['as it should be', {}, {}, null],
    ['of fewer jobs', {}, { ended: [10] }, unreadable],
    ['of more jobs', {}, { ended: [10, 20, 30] }, unreadable],
    ['of two jobs at one time', {}, { ended: [10, 10] }, unreadable],
    ['with results that nobody asked for', {}, { payloads: ['a', 'b'] }, unreadable],
    ['with results of burning', { work: 'burn', payloads: ['a', 'b'] }, { payloads: ['a', 'b'] }, unreadable],
    ['without results of burning', { work: 'burn', payloads: ['a', 'b'] }, {}, null],
    ['that threw at a job that should throw', { failing: [7] }, { ended: [], threw: { job: 7, reason: 'r' } }, null],
    ['that threw at a job before it', { failing: [7] }, { ended: [], threw: { job: 4, reason: 'r' } }, wrong],
    ['that threw at a job after it', { failing: [4] }, { ended: [], threw: { job: 7, reason: 'r' } }, wrong],
    ['that threw where nothing throws', {}, { ended: [], threw: { job: 4, reason: 'r' } }, wrong],
    [
      'of burning that threw',
      { work: 'burn', payloads: ['a', 'b'] },
      { ended: [], threw: { job: 4, reason: 'r' } },
      wrong,
    ],
    ['that threw over a job of others', {}, { ended: [], threw: { job: 5, reason: 'r' } }, unreadable],
    ['that did not throw though a job should', { failing: [7] }, {}, wrong],
  ])('%s', (_, asked, reported, objection) => {
    expect(checkReply(order(asked), reply(reported))).toBe(objection)
  })
})

const record = { record: { b: 1, a: ' text ' } }
const given: Readonly<Record<(typeof recordKernels)[number], Payload>> = {
  parseJson: '{"a":[1,2]}',
  validate: record,
  sha256: record,
  gzip: record,
}
const lies: readonly Payload[] = [{ record: { a: 1, sha256: '0'.repeat(64) } }, 'text', Uint8Array.of(1, 2, 3)]
const single = (work: Kernel, payload: Payload) =>
  order({ work, switchCosts: [0], jobs: [4], services: [10], payloads: [payload] })
const made = (...payloads: Payload[]) => reply({ ended: [10], payloads })

describe.each(recordKernels)('a result of %s', (work) => {
  test('is worked out again: the right one counts, any other does not', async () => {
    const right = await kernelFunctions[work](given[work])
    expect(await checkReply(single(work, given[work]), made(right))).toBeNull()
    for (const lie of lies) expect(await checkReply(single(work, given[work]), made(lie))).toBe(wrong)
    expect(checkReply(single(work, given[work]), made())).toBe(unreadable)
    expect(checkReply(single(work, given[work]), reply({ ended: [10] }))).toBe(unreadable)
  })
})

test('a record that was compressed by another browser counts too, since its text is the same', async () => {
  const stored = await kernelFunctions.gzip(record)
  const other = new Uint8Array(gzipSync('{"a":" text ","b":1}\n', { level: 0 }))
  expect(other).not.toEqual(stored)
  expect(await checkReply(single('gzip', record), made(other))).toBeNull()
})

const picture = { kind: 'image', width: 60, height: 40, tile: 16, x: -0.6, y: 0.1, span: 3.2, iterations: 50 } as const

describe.each(tileKernels)('a tile of %s', (work) => {
  test('has the form that the kernel gives it; its numbers are trusted', async () => {
    const before = {
      mandelbrot: [],
      colour: ['mandelbrot'],
      antialias: ['mandelbrot', 'colour'],
      qoi: ['mandelbrot', 'colour'],
    } as const
    let payload: Payload = tileOf(picture, 1)
    for (const kernel of before[work]) payload = await kernelFunctions[kernel](payload)
    const right = await kernelFunctions[work](payload)
    expect(checkReply(single(work, payload), made(right))).toBeNull()
    for (const lie of [...lies, tileOf(picture, 2)])
      expect(checkReply(single(work, payload), made(lie))).toBe(unreadable)
    for (const given of lies) expect(checkReply(single(work, given), made(right))).toBe(unreadable)
  })
})

describe('a tile that was made up', () => {
  const bare = tileOf(picture, 1)
  const computed = { ...bare, counts: new Float32Array(512) }
  const painted = { ...bare, pixels: new Uint8Array(1024) }
  const objectionTo = (work: Kernel, given: Payload, result: Payload) => checkReply(single(work, given), made(result))

  test('is refused if it is another part of the plane, of another size, or lacks the numbers that the kernel adds', () => {
    expect([
      objectionTo('mandelbrot', bare, computed),
      objectionTo('colour', computed, painted),
      objectionTo('antialias', painted, painted),
    ]).toEqual([null, null, null])
    for (const field of ['width', 'height', 'x', 'y', 'step', 'iterations'] as const)
      expect(objectionTo('mandelbrot', bare, { ...computed, [field]: bare[field] + 1 }), field).toBe(unreadable)
    for (const [work, given, result] of [
      ['mandelbrot', bare, painted],
      ['colour', computed, computed],
      ['antialias', painted, computed],
    ] as const)
      expect(objectionTo(work, given, result)).toBe(unreadable)
  })

  test('is packed by qoi alone, into a picture of its size', () => {
    const [right, short] = [encodeQoi(painted.pixels, 16, 16), encodeQoi(painted.pixels.subarray(64), 16, 15)]
    expect([
      objectionTo('qoi', painted, right),
      objectionTo('qoi', painted, short),
      objectionTo('qoi', painted, painted),
    ]).toEqual([null, unreadable, unreadable])
    expect([objectionTo('colour', computed, right), objectionTo('qoi', painted, Uint8Array.of(1, 2))]).toEqual([
      unreadable,
      unreadable,
    ])
  })
})

test('one wrong result among right ones is found, at any place', async () => {
  const lines = ['[1]', '[2]', '[3]']
  const asked = order({
    work: 'parseJson',
    jobs: [1, 2, 3],
    switchCosts: [0, 0, 0],
    services: [1, 1, 1],
    payloads: lines,
  })
  const results = [{ record: [1] }, { record: [2] }, { record: [3] }]
  expect(await checkReply(asked, reply({ ended: [1, 2, 3], payloads: results }))).toBeNull()
  for (const at of [0, 1, 2]) {
    const payloads = results.map((result, k) => (k === at ? { record: [9] } : result))
    expect(await checkReply(asked, reply({ ended: [1, 2, 3], payloads }))).toBe(wrong)
  }
  // A line that is no JSON has no right result.
  expect(
    await checkReply({ ...asked, payloads: ['[1]', 'x', '[3]'] }, reply({ ended: [1, 2, 3], payloads: results })),
  ).toBe(wrong)
})

describe('a throw in a kernel', () => {
  const threw = (job: number) => reply({ ended: [], threw: { job, reason: 'r' } })
  const alone = 'failed at work that others can do'
  const tile = tileOf(picture, 1)

  test.each<[string, Kernel, Payload, string | null]>([
    ['a line that is no JSON', 'parseJson', 'x', null],
    ['a line of JSON', 'parseJson', '[1]', alone],
    ['an empty record', 'validate', { record: {} }, null],
    ['a record', 'validate', record, alone],
    ['a record that is hashed', 'sha256', record, alone],
    ['a tile', 'mandelbrot', tile, alone],
    ['a line as a tile', 'mandelbrot', 'text', null],
  ])('counts if it happens here too: %s', async (_, work, payload, objection) => {
    const asked = order({ work, payloads: [payload, payload] })
    for (const job of asked.jobs) expect(await checkReply(asked, threw(job))).toBe(objection)
    expect(checkReply(asked, threw(5))).toBe(unreadable)
    // The job that is to fail throws whatever the kernel does; nothing is tried after it.
    expect(checkReply({ ...asked, failing: [4] }, threw(4))).toBeNull()
    expect(checkReply({ ...asked, failing: [4] }, threw(7))).toBe(wrong)
    expect(await checkReply({ ...asked, failing: [7] }, threw(4))).toBe(objection)
  })
})

test('code of a stage is nothing that a device runs: it has no results', () => {
  const asked = order({ work: { code: 'export default (x) => x' } as never, payloads: ['a', 'b'] })
  expect([checkReply(asked, reply()), checkReply(asked, reply({ payloads: ['a', 'b'] }))]).toEqual([null, unreadable])
})
