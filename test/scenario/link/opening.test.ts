import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Opening, plainOpening, readOpening, spellOpening } from '../../../src/scenario/link/opening.ts'
import { MAX_BRANCHES } from '../../../src/scenario/model/limits.ts'
import { policies } from '../../../src/scenario/model/policies.ts'
import type { PolicyKind } from '../../../src/scenario/model/scenario.ts'

const kinds = Object.keys(policies) as PolicyKind[]
const time = fc.integer({ min: 0, max: 2 ** 52 - 1 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value)

const anyOpening: fc.Arbitrary<Opening> = fc.record({
  at: maybe(time),
  decision: maybe(fc.integer({ min: 0, max: 999_999_999 })),
  range: maybe(
    fc
      .uniqueArray(time, { minLength: 2, maxLength: 2 })
      .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
  ),
  panel: maybe(fc.constantFrom('decision', 'figures', 'scenario', 'text')),
  record: maybe(fc.constantFrom('timeline', 'compare', 'sweep', 'reality')),
  policies: maybe(fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1 })),
  branch: maybe(fc.integer({ min: 0, max: 4 })),
  run: maybe(fc.constantFrom('simulation', 'threads')),
  beat: maybe(fc.record({ goal: fc.constantFrom('makespan', 'flow'), score: time })),
})

describe('how a page opens', () => {
  test('is read as it was written, in any order', () => {
    fc.assert(
      fc.property(
        anyOpening.chain((opening) =>
          fc.tuple(
            fc.constant(opening),
            fc.shuffledSubarray(spellOpening(opening).slice(1).split('&'), { minLength: 0 }),
          ),
        ),
        ([opening, some]) => {
          const whole = spellOpening(opening)
          if (whole === '') return expect(opening).toEqual(plainOpening)
          expect(readOpening(whole.slice(1), 5)).toEqual({ opening, problems: [] })
          if (some.length === 0) return
          const read = readOpening(some.join('&'), 5)
          expect(read.problems).toEqual([])
          expect(new Set(spellOpening(read.opening).slice(1).split('&'))).toEqual(new Set(some))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('uses readable words', () => {
    const opening: Partial<Opening> = {
      at: 1500,
      decision: 11,
      range: [0, 3000],
      panel: 'figures',
      record: 'compare',
      policies: ['dean', 'webster'],
      branch: 1,
      beat: { goal: 'flow', score: 1_200_000 },
    }
    expect(spellOpening(opening)).toBe(
      '&t=1500&decision=12&range=0-3000&panel=figures&record=compare&policies=dean,webster&branch=2&beat=flow-1200000',
    )
    expect(spellOpening({})).toBe('')
  })
})

describe('unreadable parts are named and have no other effect', () => {
  test.each([
    't=abc',
    't=-1',
    't=',
    't=1.5',
    't=99999999999999999',
    't=4503599627370496',
    'decision=0',
    'decision=1e3',
    'decision=99999999999',
    'range=5',
    'range=5-5',
    'range=9-5',
    'range=1-2-3',
    'range=-5',
    'range=1-4503599627370496',
    'panel=',
    'panel=constructor',
    'panel=Figures',
    'record=figures',
    'beat=',
    'beat=-5',
    'beat=1.5',
    'beat=flow',
    'beat=flow-',
    'beat=flow-4503599627370496',
    'beat=makespan-5',
    'policies=',
    'policies=best',
    'policies=dean,dean',
    'policies=dean,',
    'policies=__proto__',
    'policies=toString',
    `policies=${'dean,'.repeat(10_000)}`,
    'branch=0',
    'branch=6',
    'branch=two',
    'run=fast',
    'digest=',
    'digest=0123456789abcde',
    'digest=0123456789ABCDEF',
    'digest=0123456789abcdef0',
    'x=1',
    'x',
    '',
    '=1',
    '__proto__=1',
    'at=5',
  ])('%s', (part) => {
    const { opening, problems } = readOpening(
      `${part}&run=simulation&branch=1`.replace('branch=1', part.startsWith('branch') ? 't=7' : 'branch=1'),
      5,
    )
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ path: 'link', message: expect.stringMatching(/allowed: /) })
    expect(problems[0].message.length).toBeLessThan(500)
    expect(spellOpening(opening)).toBe(
      part.startsWith('run')
        ? '&branch=1&run=simulation'
        : part.startsWith('branch')
          ? '&t=7&run=simulation'
          : '&branch=1&run=simulation',
    )
  })

  test('one more parameter than there are is said to be too many, once', () => {
    const all =
      't=1&decision=1&range=0-5&panel=text&record=sweep&policies=dean&branch=1&run=threads&beat=7&digest=90b4c1d2e3f40516'
    expect(readOpening(all, 1).problems).toEqual([])
    for (const more of ['&x=1', '&t=2', '&', '&'.repeat(500)])
      expect(readOpening(all + more, 1).problems).toEqual([
        {
          path: 'link',
          message: expect.stringMatching(/^too many parameters; allowed: &t=, .*&beat=, each once$/),
        },
      ])
  })

  test.each([
    ['decision=0', '&decision= is "0"; allowed: a whole number from 1 to 1,000,000,000'],
    ['branch=0', `&branch= is "0"; allowed: a whole number from 1 to ${MAX_BRANCHES}`],
    ['t=-1', '&t= is "-1"; allowed: a whole number of microseconds from 0 to 4,503,599,627,370,495'],
    ['panel=x', '&panel= is "x"; allowed: decision, figures, scenario or text'],
    ['record=x', '&record= is "x"; allowed: timeline, compare, sweep or reality'],
    ['beat=x', '&beat= is "x"; allowed: microseconds from 0 to 4,503,599,627,370,495, or flow- and microseconds'],
    ['range=5', '&range= is "5"; allowed: two numbers of microseconds, such as 0-1000'],
  ])('says what is allowed: %s', (part, message) => {
    expect(readOpening(part, 5).problems).toEqual([{ path: 'link', message }])
  })

  test('a missing branch', () => {
    expect(readOpening('branch=2&t=5', 1)).toEqual({
      opening: { ...plainOpening, at: 5 },
      problems: [{ path: 'link', message: '&branch= is 2, and the scenario has 1 branch' }],
    })
    expect(readOpening('branch=1', 0).problems[0].message).toContain('no branches')
  })
})
