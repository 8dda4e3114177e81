import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocateWorkers } from '../../../../src/allocation/allocateWorkers.ts'
import { answerSentence, answerTo, seatsSentence } from '../../../../src/features/logs/measure/openLoop.ts'
import { type Decision, decisionAt } from '../../../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../../src/measures/decisions/speech.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { askable } from '../../../../src/scenario/model/policies.ts'
import { type DecisionQuestion, parseQuestion } from '../../../../src/scenario/parse/part.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

function question(policy: object, workers: number, stages: readonly object[]): DecisionQuestion {
  const read = parseQuestion({ version: 1, workers, policy, stages })
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.question
}

const four = [900, 100, 100, 100].map((waiting, s) => ({ name: 'ABCD'[s], waiting, mean: 1000 }))
const seatsOf = (asked: DecisionQuestion) => answerTo(asked).stages.map(({ seatsAfter }) => seatsAfter)
const seatsText = (asked: DecisionQuestion) => sentenceText(seatsSentence(asked.scenario, seatsOf(asked)))
const say = (asked: DecisionQuestion) => sentenceText(answerSentence(asked, answerTo(asked)))

describe('an answer without a run', () => {
  test('is the worked example: least total time and Jefferson part', () => {
    const asked = question({ kind: 'leastScore' }, 8, four)
    expect(seatsOf(asked)).toEqual([5, 1, 1, 1])
    expect(seatsOf(question({ kind: 'jefferson' }, 8, four))).toEqual([8, 0, 0, 0])
    expect(say(asked)).toBe('A gets 5 of 8 seats and B, C and D 1 each.')
    const { rounds, others, alternative, flips, scoreAfter } = answerTo(asked)
    expect(rounds.length).toBe(8)
    expect(others.find(({ rule }) => rule === 'jefferson')).toMatchObject({ seats: [8, 0, 0, 0], agrees: false })
    expect(scoreAfter).toBe(900_000 / 6 + 3 * (100_000 / 2))
    expect(alternative).toMatchObject({ scoreBefore: scoreAfter })
    expect(flips.length).toBe(4)
  })

  test('equals that of the article’s own function for any question', () => {
    const stage = fc.record({
      waiting: fc.integer({ min: 0, max: 1000 }),
      mean: fc.integer({ min: 1, max: 100_000 }),
      done: fc.boolean(),
    })
    const stages = fc.array(stage, { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(stages, fc.integer({ min: 1, max: 40 }), (rows, workers) => {
        const named = rows.map((row, s) => ({ ...row, name: `S${s}` }))
        const expected = allocateWorkers(
          workers,
          new Map(
            named.map(({ waiting, mean, name }) => [
              name,
              { queueLength: waiting, serviceTimesPicos: [mean * 1_000_000] },
            ]),
          ),
          new Set(named.filter(({ done }) => done).map(({ name }) => name)),
        )
        expect(seatsOf(question({ kind: 'leastScore' }, workers, named))).toEqual(
          expected === null ? named.map(() => 0) : [...expected.values()],
        )
      }),
    )
  })

  test('equals the decision of a run with the same data, under every policy', async () => {
    for (const kind of askable) {
      const scenario = scenarioWith({
        stages: ['A', 'B', 'C'].map((id, s) => ({ id, service: { kind: 'exponential', mean: 1000 * (s + 1) } })),
        source: { kind: 'poisson', rate: 2000, jobs: 60 },
        workers: 5,
        policy: { kind },
      })
      const trace = await playSimulation(scenario, 0)
      const estimateHistory = createEstimateHistory(trace)
      let compared = 0
      for (let d = 0; d < trace.decisions.length; d++) {
        const taken = decisionAt(trace, estimateHistory, d)
        // A question has whole microseconds.
        if (taken.stages.some(({ mean }) => !Number.isInteger(mean))) continue
        const asked = question(
          scenario.policy.kind === 'power' ? { kind, p: 2 } : { kind },
          taken.workers,
          taken.stages.map(({ waiting, mean, done }, s) => ({ name: 'ABC'[s], waiting, mean, done })),
        )
        const fieldsOf = ({ rounds, quotas, alternative, flips, others, scoreAfter, rule, stages }: Decision) => {
          return {
            rounds,
            quotas,
            alternative,
            flips,
            others,
            scoreAfter,
            rule,
            seats: stages.map(({ seatsAfter }) => seatsAfter),
          }
        }
        expect(fieldsOf(answerTo(asked)), `${kind}, decision ${d}`).toEqual(fieldsOf(taken))
        compared++
      }
      expect(compared, kind).toBeGreaterThan(2)
    }
  })

  test('ties go to the stage further upstream, and a sentence names them all', () => {
    const even = ['Z', 'Y', 'X'].map((name) => ({ name, waiting: 10, mean: 1000 }))
    expect(seatsOf(question({ kind: 'leastScore' }, 4, even))).toEqual([2, 1, 1])
    expect(say(question({ kind: 'leastScore' }, 4, even))).toBe('Z gets 2 of 4 seats and Y and X 1 each.')
    expect(say(question({ kind: 'webster' }, 3, even))).toBe('Z, Y and X get 1 of 3 seats each.')
    expect(say(question({ kind: 'webster' }, 1, even.slice(0, 1)))).toBe('Z gets 1 of 1 seat.')
    const done = even.map((stage) => ({ ...stage, done: true }))
    expect(say(question({ kind: 'webster' }, 3, done))).toBe('No stage gets a seat.')
  })

  test('names the stages from the most seats to the fewest, or tells that there are none', () => {
    const asked = (workers: number, ...waiting: number[]) =>
      question(
        { kind: 'jefferson' },
        workers,
        waiting.map((n, s) => ({ name: 'ABCD'[s], waiting: n, mean: 1000, done: s === 3 })),
      )
    expect(say(asked(7, 10, 40, 20, 0))).toBe('B gets 4 of 7 seats, C 2 and A 1.')
    expect(seatsText(asked(7, 10, 40, 20, 0))).toBe('A 1, B 4, C 2, D 0.')
    const { stages } = answerTo(asked(7, 10, 40, 20, 0))
    expect(
      sentenceText(
        answerSentence(asked(7, 1), {
          ...answerTo(asked(7, 1)),
          stages: stages.map((each) => ({ ...each, seatsAfter: 0 })),
        }),
      ),
    ).toBe('No stage gets a seat.')
  })

  test('shows the question, with no worker there before', () => {
    const asked = question({ kind: 'hamilton' }, 4, [
      { name: 'A', waiting: 3, mean: 200 },
      { name: 'B', waiting: 1, mean: 500, done: true },
    ])
    const { stages, verified, facts, orders, free, policy, workers } = answerTo(asked, [1, 3])
    expect({ verified, facts, orders, free, policy, workers }).toEqual({
      verified: true,
      facts: [],
      orders: [],
      free: [],
      policy: 'hamilton',
      workers: 4,
    })
    expect(stages).toMatchObject([
      {
        waiting: 3,
        mean: 200,
        work: 600,
        votes: 600,
        coming: 0,
        urgency: 1,
        done: false,
        busy: 0,
        seatsBefore: 1,
        seatsAfter: 4,
      },
      {
        waiting: 1,
        mean: 500,
        work: 500,
        votes: 500,
        coming: 0,
        urgency: 1,
        done: true,
        busy: 0,
        seatsBefore: 3,
        seatsAfter: 0,
      },
    ])
  })

  test('is refused for a policy that uses more than votes', () => {
    const asked = question({ kind: 'leastScore' }, 4, four)
    const other = { ...asked, scenario: { ...asked.scenario, policy: { kind: 'sinkFirst', lend: true } as const } }
    expect(() => answerTo(other)).toThrow(new RangeError('sinkFirst looks at more than votes'))
  })
})
