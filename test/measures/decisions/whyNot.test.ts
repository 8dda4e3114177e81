import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { trialOf, trialSentence, withSeat } from '../../../src/measures/decisions/whyNot.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { scenarios, workedExample } from '../scenarios.ts'

const seconds = (us: number) => `${(us / 1e6).toFixed(2)} s`

test('moving a seat changes the expected time of its two stages and of the whole', async () => {
  const trace = await playSimulation(workedExample, 0)
  const decision = decisionAt(trace, createEstimateHistory(trace), 1)
  const taken = withSeat(decision, [1, 1], 0, -1)
  expect(taken).toEqual([0, 1])
  expect(sentenceText(trialSentence(workedExample, trialOf(decision, taken), seconds))).toBe(
    'A 0.50 s to 1.00 s. Expected time 1.50 s to 2.00 s. Workers left: 1.',
  )
  const put = withSeat(decision, taken, 1, 1)
  const trial = trialOf(decision, put)
  // (0,2): 1/1 + 2/3 s.
  expect([put, trial.inHand, trial.scoreBefore]).toEqual([[0, 2], 0, 1.5e6])
  expect(trial.scoreAfter).toBeCloseTo(1e6 + 2e6 / 3)
  expect(sentenceText(trialSentence(workedExample, trial, seconds))).toBe(
    'A 0.50 s to 1.00 s and B 1.00 s to 0.67 s. Expected time 1.50 s to 1.67 s.',
  )
  expect(sentenceText(trialSentence(workedExample, trialOf(decision, [1, 1]), seconds))).toBe(
    'Expected time 1.50 s to 1.50 s.',
  )
})

test('the expected time falls if other seats would have been better, and every available worker counts', async () => {
  const trace = await playSimulation(
    scenarioWith({ ...workedExample, workers: 6, policy: { kind: 'fixed', allocation: { A: 1, B: 5 } } }),
    0,
  )
  const decision = decisionAt(trace, createEstimateHistory(trace), 0)
  const trialText = (seats: readonly number[]) =>
    sentenceText(trialSentence(workedExample, trialOf(decision, seats), (us) => `${us} us`))
  expect(trialText([2, 4])).toBe('A 1.5 us to 1 us. Expected time 1.5 us to 1 us.')
  expect(trialText([0, 3])).toBe('A 1.5 us to 3 us. Expected time 1.5 us to 3 us. Workers left: 3.')
  expect(withSeat(decision, [1, 3], 1, 1)).toEqual([1, 4])
  expect(withSeat(decision, [1, 5], 1, 1)).toEqual([1, 5])
  expect(withSeat(decision, [1, 5], 0, -1)).toEqual([0, 5])
})

test('keeps the number of seats: removes one only from a stage with seats, and adds one only where work is left', async () => {
  const trace = await playSimulation(workedExample, 0)
  const [second, third] = [1, 2].map((d) => decisionAt(trace, createEstimateHistory(trace), d))
  expect(withSeat(second, [0, 2], 0, -1)).toEqual([0, 2])
  expect(withSeat(second, [0, 2], 0, 1)).toEqual([0, 2])
  // A is done.
  expect(withSeat(third, [0, 1], 0, 1)).toEqual([0, 1])
})

test('the best other move that the decision names costs what trying it costs, and no other move costs less', async () => {
  let tried = 0
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const trace = await playSimulation(scenario, 0)
      const estimateHistory = createEstimateHistory(trace)
      for (let d = 0; d < trace.decisions.length; d += 3) {
        const decision = decisionAt(trace, estimateHistory, d)
        const given = decision.stages.map(({ seatsAfter }) => seatsAfter)
        if (decision.alternative === null || given.reduce((a, b) => a + b, 0) !== decision.workers) continue
        const move = (from: number, to: number) =>
          trialOf(decision, withSeat(decision, withSeat(decision, given, from, -1), to, 1)).scoreAfter
        const { from, to, scoreAfter } = decision.alternative
        expect(move(from, to)).toBeCloseTo(scoreAfter, 3)
        for (const a of given.keys())
          for (const b of given.keys())
            if (a !== b && given[a] > 0 && !decision.stages[b].done)
              expect(move(a, b)).toBeGreaterThanOrEqual(scoreAfter * (1 - 1e-9))
        tried++
      }
    }),
    { numRuns: 40, seed: 8 },
  )
  expect(tried).toBeGreaterThan(100)
})
