import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  longestWaits,
  peakWorkers,
  questionAbout,
  rightAnswers,
} from '../../../../src/features/room/host/hostQuestion.ts'
import { guessBins, guessColumns, nearestGuesses } from '../../../../src/features/room/host/QuestionState.tsx'
import { typedGuess } from '../../../../src/features/room/join/RoundCard.tsx'
import type { RoomQuestion, RoundAnswer } from '../../../../src/features/room/protocol/rounds.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { timeOf } from '../../../../src/trace/trace.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { scenarios, workedExample } from '../../../measures/scenarios.ts'

const peak: RoomQuestion = { kind: 'peak', stage: { name: 'B', colour: 1 }, most: 8 }
const makespan: RoomQuestion = { kind: 'makespan' }
const longestWait: RoomQuestion = {
  kind: 'longestWait',
  stages: ['A', 'B', 'C'].map((name, colour) => ({ name, colour })),
}
const answers = (...guesses: number[]): ReadonlyMap<string, RoundAnswer> =>
  new Map(guesses.map((guess, k) => [`d${k}`, { round: 'r', player: `p${k}`, guess }]))

describe('the right answers', () => {
  test('follow from the record of the run', async () => {
    // Two jobs, two workers: both at A for a second, one each for a second, both at B for a second.
    const trace = await playSimulation(workedExample, 0)
    const about = (kind: RoomQuestion['kind']) => questionAbout(workedExample, { kind, stage: 'B' }) as RoomQuestion
    expect(rightAnswers(about('makespan'), trace)).toEqual([3_000_000])
    expect(rightAnswers(about('peak'), trace)).toEqual([2])
    expect(rightAnswers(about('longestWait'), trace)).toEqual(longestWaits(metricsOf(trace)))
    expect(questionAbout(workedExample, { kind: 'peak', stage: 'none' })).toBeNull()
  })
})

describe('the histogram', () => {
  test('has a column for each number of workers, for each stage, and for round lengths of the run', () => {
    expect(guessColumns(peak, [1, 1, 3], [2])).toEqual([
      { name: '1', count: 2, right: false },
      { name: '2', count: 0, right: true },
      { name: '3', count: 1, right: false },
    ])
    expect(
      guessColumns(longestWait, [0, 2], [1]).map(({ name, count, right, stage }) => [name, count, right, stage]),
    ).toEqual([
      ['A', 1, false, 0],
      ['B', 0, true, 1],
      ['C', 1, false, 2],
    ])
    expect(guessColumns(makespan, [2e6, 3.4e6, 900e6], [3e6]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['3–3.2 s', '≥ 3.6 s']),
    )
  })
})

describe('how near a guess was', () => {
  test('the nearest are named, of equal ones the first, and of a choice only right answers', () => {
    expect(nearestGuesses(peak, answers(1, 9, 4, 6, 5), [5]).map(({ guess }) => guess)).toEqual([5, 4, 6])
    expect(nearestGuesses(longestWait, answers(0, 1, 2, 1), [1]).map(({ device }) => device)).toEqual(['d1', 'd3'])
    expect(nearestGuesses(longestWait, answers(0, 1), [])).toEqual([])
  })
})

describe('what is typed on a phone', () => {
  test.each([
    [peak, '4', 4],
    [peak, '9', null],
    [makespan, '2,5', 2_500_000],
    [makespan, ' 12.25 ', 12_250_000],
  ])('%o: "%s"', (question, typed, guess) => {
    expect(typedGuess(question, typed)).toBe(guess)
  })
})

const summary = (guesses: readonly number[], right: readonly number[], least = 1) =>
  guessBins(guesses, right, least).map(
    ({ from, to, count, right: is }) => `${from}–${to}: ${count}${is ? ' right' : ''}`,
  )

describe('the columns of guesses', () => {
  test('of small whole numbers are one for each value, also without guesses', () => {
    expect(summary([2, 2, 3, 5], [4])).toEqual(['2–3: 2', '3–4: 1', '4–5: 0 right', '5–6: 1'])
    expect(summary([4, 4], [4])).toEqual(['4–5: 2 right'])
    expect(summary([], [])).toEqual([])
    expect(summary([], [7])).toEqual(['7–8: 0 right'])
  })

  test('one wild guess does not squeeze the others into one column', () => {
    const bins = guessBins([8, 9, 10, 11, 12, 1_000_000_000], [10], 1)
    expect(bins.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1])
    expect(bins.map(({ far }) => far)).toEqual([false, false, false, false, false, true])
  })

  test('hold every guess once, touch each other, have the right value, and are few', () => {
    const values = fc.array(fc.oneof(fc.nat(20), fc.nat(100_000_000)), { maxLength: 60 })
    fc.assert(
      fc.property(
        values,
        fc.array(fc.nat(100_000_000), { maxLength: 3 }),
        fc.integer({ min: 1, max: 100_000 }),
        (guesses, right, least) => {
          const bins = guessBins(guesses, right, least)
          expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(guesses.length)
          expect(bins.length).toBeLessThanOrEqual(22)
          for (const [k, { from, to }] of bins.entries()) {
            expect([Number.isInteger(from), to > from]).toEqual([true, true])
            if (k > 0) expect(from).toBe(bins[k - 1].to)
          }
          for (const value of right)
            expect(bins.filter(({ from, to, right: is }) => is && value >= from && value < to)).toHaveLength(1)
          expect(bins.filter((bin) => bin.right).length).toBeLessThanOrEqual(right.length)
        },
      ),
    )
  })
})

describe('the most workers at a stage', () => {
  test('equal the most of all frames that last, for any run', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const times = [...new Set(Array.from({ length: trace.length }, (_, row) => timeOf(trace, row)))]
        const frames = times.slice(0, -1).map((time) => frameAt(trace, time))
        const plain = scenario.stages.map((_, s) =>
          Math.max(
            0,
            ...frames.map(({ workers }) => workers.filter((w) => w.status === 'busy' && w.stage === s).length),
          ),
        )
        expect(peakWorkers(trace)).toEqual(plain)
      }),
      { numRuns: repeats(40) },
    )
  })
})

describe('where jobs wait longest', () => {
  test('is the stage before which they queue', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 9 },
      stages: ['A', 'B', 'C'].map((id, s) => ({ id, service: { kind: 'constant', mean: [1000, 9000, 1000][s] } })),
      workers: 3,
      policy: { kind: 'onePerStage' },
    })
    expect(longestWaits(metricsOf(await playSimulation(scenario, 0)))).toEqual([1])
  })

  test('is every stage of those that are equal, and none where no job waits', () => {
    const waits = (...all: number[]) =>
      longestWaits({ stages: all.map((meanWait) => ({ meanWait })) } as unknown as Parameters<typeof longestWaits>[0])
    expect([waits(3, 7, 7), waits(0, 0), waits(0, 2)]).toEqual([[1, 2], [], [1]])
  })
})
