import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerText } from '../../../../src/features/logs/ask/askTable.ts'
import { answerTo } from '../../../../src/features/logs/measure/openLoop.ts'
import { askable } from '../../../../src/scenario/model/policies.ts'
import { type DecisionQuestion, parseQuestion } from '../../../../src/scenario/parse/part.ts'

interface Row {
  readonly name: string
  readonly waiting: number
  readonly mean: number
}

function question(kind: string, workers: number, stages: readonly Row[]): DecisionQuestion {
  const read = parseQuestion({ version: 1, workers, policy: kind === 'power' ? { kind, p: 3 } : { kind }, stages })
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.question
}

const rows = fc.array(
  fc.record({ waiting: fc.integer({ min: 0, max: 60 }), mean: fc.integer({ min: 1, max: 90_000 }) }),
  { minLength: 2, maxLength: 5 },
)

test('the seats of each counterfactual are the answer to the question with that change', () => {
  let changes = 0
  fc.assert(
    fc.property(fc.constantFrom(...askable), fc.integer({ min: 1, max: 16 }), rows, (kind, workers, given) => {
      const stages = given.map((row, s) => ({ ...row, name: `N${s}` }))
      const { seats, sentence, counterfactuals } = JSON.parse(answerText(question(kind, workers, stages), true))
      const seatsOf = (asked: readonly Row[]) =>
        Object.fromEntries(
          answerTo(question(kind, workers, asked)).stages.map(({ seatsAfter }, s) => [`N${s}`, seatsAfter]),
        )
      expect(seats).toEqual(seatsOf(stages))
      for (const { stage, seats: then, ...change } of counterfactuals) {
        expect(then).toEqual(seatsOf(stages.map((row) => (row.name === stage ? { ...row, ...change } : row))))
        expect(sentence).toContain(`the target for ${stage} would be ${then[stage]} (not ${seats[stage]})`)
        changes++
      }
    }),
    { seed: 11, numRuns: 400 },
  )
  expect(changes).toBeGreaterThan(300)
})

test('where one stage alone has jobs, another would get half of the seats with one job', () => {
  const asked = question(
    'leastScore',
    8,
    [9700, 14_000, 20_000, 10_471].map((mean, s) => ({ name: 'ABCD'[s], waiting: s === 3 ? 1 : 0, mean })),
  )
  expect(answerText(asked, false)).toBe(
    'D gets 8 of 8 seats.\nClosest call: with 1 waiting (not 0), the target for A would be 4 (not 0), from D.',
  )
})
