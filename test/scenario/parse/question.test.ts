import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFragment, toAskFragment } from '../../../src/scenario/link/codec.ts'
import { askable } from '../../../src/scenario/model/policies.ts'
import { type DecisionQuestion, parseQuestion, plainQuestion } from '../../../src/scenario/parse/part.ts'

const example = {
  version: 1,
  workers: 8,
  policy: { kind: 'leastScore' },
  stages: [900, 100, 100, 100].map((waiting, s) => ({ name: 'ABCD'[s], waiting, mean: 1000 })),
}

function question(input: unknown): DecisionQuestion {
  const read = parseQuestion(input)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.question
}

const questions = fc.record({
  version: fc.constant(1),
  workers: fc.integer({ min: 1, max: 10_000 }),
  policy: fc.oneof(
    fc.constantFrom(...askable).map((kind) => (kind === 'power' ? { kind, p: 3 } : { kind })),
    fc.record({ kind: fc.constant('power'), p: fc.integer({ min: 1, max: 64 }) }),
  ),
  stages: fc.array(
    fc
      .record({
        name: fc.string({ minLength: 1, maxLength: 30 }).filter((name) => name.trim() !== ''),
        waiting: fc.integer({ min: 0, max: 1_000_000 }),
        mean: fc.integer({ min: 1, max: 4_503_599_627_370_495 }),
        done: fc.boolean(),
      })
      .map(({ done, ...stage }) => (done ? { ...stage, done } : stage)),
    { minLength: 1, maxLength: 20 },
  ),
})

describe('a question to the allocator', () => {
  test('is unchanged after a link, with any names', () => {
    fc.assert(
      fc.property(questions, (plain) => {
        const asked = question(plain)
        expect(plainQuestion(asked)).toEqual(plain)
        expect(readFragment(toAskFragment(asked))).toEqual({ found: 'question', question: asked })
      }),
    )
  })

  test('can be written by hand, and the rule may be left out', () => {
    const { policy, ...rest } = example
    expect(readFragment(`#ask=${JSON.stringify(rest)}`)).toEqual({ found: 'question', question: question(example) })
    expect(question(rest).scenario.policy.kind).toBe(policy.kind)
  })

  test.each([
    [{ version: 2 }, 'version', 'newer'],
    [{ version: '1' }, 'version', 'found "1"'],
    [{ workers: 0 }, 'workers', 'found 0'],
    [{ workers: 1e9 }, 'workers', '1 to 10,000'],
    [{ extra: 1 }, 'extra', 'unknown key'],
    [{ policy: { kind: 'backpressure' } }, 'policy.kind', 'found "backpressure"'],
    [{ policy: { kind: 'power', p: 65 } }, 'policy.p', 'found 65'],
    [{ policy: 'webster' }, 'policy', 'found "webster"'],
    [{ stages: [] }, 'stages', 'found an empty list'],
    [{ stages: Array.from({ length: 257 }, (_, s) => ({ name: `${s}`, waiting: 0, mean: 1 })) }, 'stages', '1 to 256'],
    [{ stages: [5] }, 'stages[0]', 'found 5'],
    [{ stages: [{ name: 'A', waiting: -1, mean: 1 }] }, 'stages[0].waiting', 'found -1'],
    [{ stages: [{ name: 'A', waiting: 1.5, mean: 1 }] }, 'stages[0].waiting', 'found 1.5'],
    [{ stages: [{ name: 'A', waiting: 1, mean: 0 }] }, 'stages[0].mean', 'found 0'],
    [{ stages: [{ name: 'A', waiting: 1 }] }, 'stages[0].mean', 'found nothing'],
    [{ stages: [{ name: ' ', waiting: 1, mean: 1 }] }, 'stages[0].name', '1 to 80 characters'],
    [{ stages: [{ waiting: 1, mean: 1 }] }, 'stages[0].name', 'found nothing'],
    [{ stages: [{ name: 'A', waiting: 1, mean: 1, done: 'no' }] }, 'stages[0].done', 'found "no"'],
    [{ stages: [{ name: 'A', waiting: 1, mean: 1, seats: 4 }] }, 'stages[0].seats', 'unknown key'],
  ])('%j is refused by name', (change, path, words) => {
    const read = parseQuestion({ ...example, ...change })
    expect('problems' in read && read.problems).toContainEqual({ path, message: expect.stringContaining(words) })
    expect(readFragment(`#ask=${encodeURIComponent(JSON.stringify({ ...example, ...change }))}`).found).toBe('problems')
  })

  test('a link that is cut or hostile is refused with a reason and never throws', () => {
    const link = toAskFragment(question(example))
    for (let length = 2; length < link.length; length++)
      expect(readFragment(link.slice(0, length)).found, link.slice(0, length)).toBe('problems')
    for (const odd of [
      '#ask=',
      '#ask=null',
      '#ask=[]',
      '#ask=%',
      '#ask=%7B%22__proto__%22%3A1%7D',
      `#ask=${'['.repeat(100_000)}`,
      `#ask=${'x'.repeat(3_000_000)}`,
    ])
      expect(readFragment(odd).found).toBe('problems')
    fc.assert(
      fc.property(fc.anything(), (odd) => {
        expect(parseQuestion(odd)).toHaveProperty('problems')
      }),
    )
  })
})
