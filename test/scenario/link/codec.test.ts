import * as fc from 'fast-check'
import { Inflate } from 'fflate'
import { describe, expect, test, vi } from 'vitest'
import {
  checksum,
  deflate,
  type Fragment,
  fromBase64url,
  readFragment,
  toBase64url,
  toJsonFragment,
  toShortFragment,
} from '../../../src/scenario/link/codec.ts'
import { plainOpening } from '../../../src/scenario/link/opening.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'
import { withBranches } from '../../fixtures/anyBranches.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

const smallest = valid({ version: 1, stages: [{ id: 'A' }], workers: 1 })

function problemOf(fragment: string): { path: string; message: string } {
  const read: Fragment = readFragment(fragment)
  if (read.found !== 'problems') throw new Error(`${fragment.slice(0, 50)} was read: ${read.found}`)
  return read.problems[0]
}

/** A short link with any bytes, as only an attacker makes them. */
function forged(bytes: Uint8Array): string {
  const body = toBase64url(deflate(bytes))
  return `#s=1${checksum(`1${body}`)}${body}`
}

/** 120 times in a link that has them one by one. */
const written =
  '#s=1qD6RKBQBbZ8JxtP_t1-73-_1-v7e2tod9gX2MfYkxe8qIJpKJmonMpMxRsjMxo5hJNkU2PWSrhyxx0uSo0WzopVMdH9H5KNYkeJQNHFboVznGsgqgnXBAUFGcYUEPd00Oib3N9N3slzDbAjetUYldbfTZlpEw3Q5XHRWJ7Z303mmVMdEFl91emS099NITkTHWC-a-lMyNPnrqL8oYGYDagFnh6iCFh9wKBoehPBxSuDRCgdG4gr4xKIzlFM6Pk3eirqBnErKTDpUzU-Sa9qvonIH0TFTl5CzZ5zIq2uYhMV9R-XWBLItWDS-WILbk1fh5mRrLEQ3_ViCymtL4YY2qa0UNK-sQ3DALvt-k0qZb4M8W-LZDgm93KL8TF_hlAM9uTvC1kTLGusCPPXDuO_TsMFHS5Nfj2wHYDiVdk9D9Aw'

describe('a link', () => {
  test('returns the same scenario in both forms', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyScenario({ graphs: true }), anyScenario({ clients: true })).chain(withBranches),
        (scenario) => {
          const whole = { found: 'scenario', scenario, opening: plainOpening, problems: [] }
          expect(readFragment(toJsonFragment(scenario))).toEqual(whole)
          expect(readFragment(toShortFragment(scenario))).toEqual(whole)
        },
      ),
      { numRuns: repeats(150) },
    )
  })

  test('with many times has their gaps in their greatest common unit, and one from before that is read as it was', () => {
    const timesWith = (at: readonly number[]) =>
      valid({ version: 1, source: { kind: 'times', at }, stages: [{ id: 'A' }], workers: 1 })
    const gaps = fc.array(fc.nat(200), { minLength: 90, maxLength: 300 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 5_000_000 }), (apart, unit) => {
        let time = 0
        const scenario = timesWith(apart.map((gap) => (time += gap * unit)))
        expect(readFragment(toShortFragment(scenario))).toMatchObject({ scenario })
      }),
      { numRuns: repeats(50) },
    )
    let time = 0
    const at = Array.from({ length: 4000 }, (_, k) => (time += 20_000 * (1 + Math.floor(8 * ((k * 0.618) % 1)))))
    expect(toShortFragment(timesWith(at)).length).toBeLessThan(4000)
    const before = Array.from({ length: 120 }, (_, k) => k * 1000 + 7 * (k % 3))
    expect(readFragment(written)).toMatchObject({ scenario: { source: { kind: 'times', at: before } } })
  })

  test('of a typical scenario with six named stages takes at most 200 characters', () => {
    const names = ['Parse', 'Validate', 'Enrich', 'Score', 'Compress', 'Write']
    const services = [
      { kind: 'erlang', mean: 4200, k: 3 },
      { kind: 'exponential', mean: 7350 },
      { kind: 'lognormal', mean: 12_000, cv: 0.75 },
      { kind: 'uniform', min: 2500, max: 9000 },
      { kind: 'bimodal', fast: 3000, slow: 25_000, pSlow: 0.05 },
      { kind: 'pareto', mean: 5125, alpha: 2.5 },
    ]
    const stages = names.map((name, i) => ({
      id: `stage-${i + 1}`,
      name,
      work: 'wait',
      service: services[i],
      position: { x: 40 + 220 * i, y: 120 },
    }))
    const scenario = valid({
      version: 1,
      title: 'Rush hour at the checkout',
      seed: 42,
      source: { kind: 'poisson', rate: 260, jobs: 600 },
      stages,
      workers: 8,
      order: { kind: 'buffer', slots: 256 },
    })
    expect(toShortFragment(scenario).length).toBeLessThanOrEqual(200)
  })

  test('written by hand may contain plain JSON, even with an "&" in a title', () => {
    const scenario = { ...smallest, title: 'Salt & pepper &run=threads' }
    const raw = `#json={"version":1,"title":"Salt & pepper &run=threads","stages":[{"id":"A"}],"workers":1}&run=simulation`
    expect(readFragment(raw)).toEqual({
      found: 'scenario',
      scenario,
      opening: { ...plainOpening, run: 'simulation' },
      problems: [],
    })
  })

  test('may have the maximum number of characters, and not one more', () => {
    const written = '#json={"version":1,"stages":[{"id":"A"}],"workers":1}'
    expect(readFragment(written.padEnd(1_000_000))).toMatchObject({ found: 'scenario', scenario: smallest })
    for (const length of [1_000_001, 2_500_000])
      expect(problemOf(written.padEnd(length)).message).toBe(
        'This link is too long: more than 1,000,000 characters. Ask for a file.',
      )
  })

  test('opens even if a part after its scenario cannot be read, which is reported', () => {
    for (const link of [toJsonFragment, toShortFragment])
      expect(readFragment(`${link(smallest)}&t=soon&run=simulation`)).toMatchObject({
        found: 'scenario',
        scenario: smallest,
        opening: { ...plainOpening, run: 'simulation' },
        problems: [
          {
            path: 'link',
            message: '&t= is "soon"; allowed: a whole number of microseconds from 0 to 4,503,599,627,370,495',
          },
        ],
      })
  })

  test('may lack its "#"', () => {
    expect(readFragment(toShortFragment(smallest).slice(1))).toMatchObject({ found: 'scenario', scenario: smallest })
    const titled = '{"version":1,"title":"Part #2","stages":[{"id":"A"}],"workers":1}'
    for (const mark of ['#', ''])
      expect(readFragment(`${mark}json=${titled}`)).toMatchObject({ scenario: { ...smallest, title: 'Part #2' } })
  })
})

describe('a bad link is refused with a reason', () => {
  test('if a short one is cut anywhere', () => {
    for (const { scenario } of presets) {
      const link = toShortFragment(scenario)
      for (let length = 2; length < link.length; length++)
        expect(problemOf(link.slice(0, length))).toMatchObject({
          path: '',
          message: expect.stringMatching(/incomplete|begins with/),
        })
    }
  })

  test('if a written one is cut anywhere', () => {
    const link = toJsonFragment(smallest)
    for (let length = 2; length < link.length; length++)
      expect(problemOf(link.slice(0, length)).message).toMatch(/Copy the whole link|not JSON|URI-encoded/)
  })

  test('if any character of a short one is changed', () => {
    const link = toShortFragment(smallest)
    for (let i = 3; i < link.length; i++) {
      const altered = link.slice(0, i) + (link[i] === '0' ? '!' : '0') + link.slice(i + 1)
      expect(problemOf(altered)).toMatchObject({ path: '', message: expect.stringContaining('damaged') })
    }
  })

  test('if a newer version made it, which its checksum confirms', () => {
    expect(problemOf(`#s=2${checksum('2later')}later`).message).toContain('newer version')
    expect(problemOf(toShortFragment(smallest).replace('#s=1', '#s=2')).message).toContain('damaged')
    expect(problemOf('#json=%7B%22version%22%3A2%7D')).toMatchObject({
      path: 'version',
      message: expect.stringContaining('newer version'),
    })
  })

  test('if it inflates without end, before it fills the memory', () => {
    // 40 MB of zeros deflate to 40 kB, and so to a link of valid length.
    const bomb = forged(new Uint8Array(40_000_000))
    expect(bomb.length).toBeLessThan(65_536)
    const push = vi.spyOn(Inflate.prototype, 'push')
    expect(problemOf(bomb).message).toContain('more than 4,194,304 characters')
    // It read 256 bytes at a time, each for at most 264 kB, and stopped when the limit was passed.
    expect(push.mock.calls.length).toBeLessThan(40)
    expect(push.mock.calls.every(([chunk]) => chunk.length <= 256)).toBe(true)
    push.mockRestore()
  })

  test.each([
    ['#json=%7B%', '', 'URI-encoded'],
    ['#json=%E0%A4%A', '', 'URI-encoded'],
    ['#json=hello', '', 'not JSON'],
    ['#json=[]', '', 'found an empty list'],
    ['#json={"version":1,"stages":[{"id":"A"}],"workers":1,"__proto__":{"seed":5}}', '__proto__', 'unknown key'],
    [
      '#json={"version":1,"stages":[{"id":"A","service":{"mean":1e999}}],"workers":1}',
      'stages[0].service.mean',
      'found Infinity',
    ],
    ['#jason=5', '', 'begins with "#jason=5"; allowed: #json=, #s= or #ask='],
    ['#s=!', '', 'damaged'],
    ['#s=garbage', '', 'This link is incomplete or damaged. Copy the whole link and try again.'],
    ['#hello', '', 'begins with "#hello"'],
    ['hello', '', 'begins with "#hello"'],
    ['#%%%%%', '', 'begins with "#%%%%%"'],
  ])('%s', (fragment, path, words) => {
    expect(problemOf(fragment)).toMatchObject({ path, message: expect.stringContaining(words) })
  })
})

describe('base64url', () => {
  test('uses the standard spelling', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
      }),
    )
  })

  test('refuses spellings that it never writes', () => {
    for (const text of ['A', 'AB', 'AA=', 'A A', 'AAAAA', 'é', '+/']) expect(fromBase64url(text)).toBeNull()
  })
})
