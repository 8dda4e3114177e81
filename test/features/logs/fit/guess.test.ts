import { describe, expect, test } from 'vitest'
import {
  EXPONENTIAL,
  earlyJobs,
  type Guess,
  type LoggedFacts,
  scenarioOfGuess,
} from '../../../../src/features/logs/fit/guess.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { createRandom, randomKey } from '../../../../src/workload/random.ts'
import { stageFrom } from './stages.ts'

/** Eleven samples, a second apart; the queues of two stages at the first and at the sixth. */
function frameOf({
  A = [0, 0],
  B = [0, 0],
  names = ['A', 'B'],
  pieces = [0, 10],
}: Partial<Record<'A' | 'B' | 'pieces', number[]>> & { names?: string[] }): LoggedFacts {
  const column = ([first, sixth, fourth = 1]: number[]) =>
    Array.from({ length: 11 }, (_, k) => (k === 0 ? first : k === 5 ? sixth : k === 3 ? fourth : 1))
  const between = (bounds: readonly number[], value: (k: number) => number) =>
    bounds.slice(1).map((to, k) => ({ from: bounds[k], to, value: value(k), variance: 1 }))
  return {
    samples: {
      time: Float64Array.from({ length: 11 }, (_, k) => 1e6 * k),
      stages: [
        stageFrom(column(A), { name: names[0], workers: 3 }),
        stageFrom(column(B), { name: names[1], workers: 2 }),
      ],
    },
    arrivals: between(pieces, () => 1),
    services: [between([0, 5, 10], (k) => 100_000 * (k + 1)), between([0, 10], () => 70_000.4)],
    came: null,
    work: [null, null],
    known: [null, null],
    crews: [
      { at: 0, workers: [3, 2] },
      { at: 4e6, workers: [1, 5] },
    ],
  }
}

const guessOf = (rates: readonly number[], rest: Partial<Guess> = {}): Guess => ({
  rates,
  spreads: [EXPONENTIAL, 0],
  paces: [1, 1.1],
  capacities: [null, null],
  seed: 8,
  ...rest,
})
const timesOf = ({ source }: Scenario) => (source.kind === 'times' ? source.at : expect.fail(`found ${source.kind}`))

describe('the scenario of a guess', () => {
  test('has the log’s stages, services, crews and rate, with what is guessed', () => {
    const { title, seed, source, stages, policy, later, workers } = scenarioOfGuess(
      frameOf({ A: [0, 4] }),
      guessOf([12.34]),
    )
    expect([title, seed, source, workers]).toEqual([
      'Fitted to a log',
      8,
      { kind: 'poisson', rate: 12.34, jobs: 123 },
      6,
    ])
    expect(stages.map(({ id, name, service, changes }) => [id, name, service, changes])).toEqual([
      // By the sixth sample 61.7 jobs have come and four of them wait.
      [
        'A',
        'A',
        { kind: 'exponential', mean: 100_000 },
        [{ from: 58, service: { kind: 'exponential', mean: 200_000 } }],
      ],
      ['B', 'B', { kind: 'constant', mean: 77_000 }, []],
    ])
    // Those that wait at either stage have not begun at the second.
    const slower = {
      ...frameOf({ A: [0, 4], B: [0, 7] }),
      services: [0, 1].map(() => [0, 5].map((from) => ({ from, to: from + 5, value: 100_000 + from, variance: 1 }))),
    }
    expect(scenarioOfGuess(slower, guessOf([12.34])).stages.map(({ changes }) => changes[0].from)).toEqual([58, 51])
    expect(
      [{ at: 0, policy }, ...later].map(({ at, policy: of }) => [at, of?.kind === 'fixed' && of.allocation]),
    ).toEqual([
      [0, { A: 3, B: 2 }],
      [4e6, { A: 1, B: 5 }],
    ])
  })

  test('lists arrivals where the rate changes: in each stretch as many as its rate says, anywhere in it, by the seed', () => {
    const guess = guessOf([4.3, 0, 10])
    const times = timesOf(scenarioOfGuess(frameOf({ pieces: [0, 3, 5, 10] }), guess))
    const random = createRandom(8, randomKey('source'))
    // 12.9 jobs by the third second, and 62.9 in all.
    // In units of 31 ms: a fifth of their mean distance is 31.7 ms.
    const expected = Array.from(
      { length: 63 },
      (_, k) => 31e3 * Math.ceil((k < 13 ? 3e6 * random(k, 0) : 5e6 + 5e6 * random(k, 0)) / 31e3),
    )
    expect(times).toEqual(expected.sort((a, b) => a - b))
    expect(timesOf(scenarioOfGuess(frameOf({ pieces: [0, 3, 5, 10] }), { ...guess, seed: 9 }))).not.toEqual(times)
  })

  test('begins with the jobs that are there: those of later stages pass the first in a microsecond', () => {
    // 10 + 3 jobs at A, 30 + 2 at B.
    const { source, stages } = scenarioOfGuess(frameOf({ A: [10, 4], B: [30, 9] }), guessOf([20]))
    expect(source.kind === 'times' && source.at.filter((at) => at === 0).length).toBe(45)
    expect(source.kind === 'times' && source.at.length).toBe(245)
    expect(stages.map(({ service, changes }) => [service, changes])).toEqual([
      [
        { kind: 'constant', mean: 1 },
        [
          { from: 32, service: { kind: 'exponential', mean: 100_000 } },
          { from: 45 + 100 - 4, service: { kind: 'exponential', mean: 200_000 } },
        ],
      ],
      [{ kind: 'constant', mean: 77_000 }, []],
    ])
  })

  test('changes a service by the first job that had not begun by then, one change a job', () => {
    // At the sixth sample too many wait for any of those that came later.
    const [{ changes }] = scenarioOfGuess(frameOf({ A: [10, 400], B: [30, 0] }), guessOf([20])).stages
    expect(changes.map(({ from }) => from)).toEqual([32, 33])
  })

  test('of very many jobs lists rates alone', () => {
    const steps = (frame: LoggedFacts, rates: number[]) => {
      const { source } = scenarioOfGuess(frame, guessOf(rates))
      return source.kind === 'steps' ? [source.jobs, source.at] : expect.fail(`found ${source.kind}`)
    }
    const two = { pieces: [0, 4, 10] }
    expect(steps(frameOf(two), [5000, 5001])).toEqual([
      50_006,
      [
        [0, 5000],
        [4e6, 5001],
      ],
    ])
    expect(steps(frameOf({ ...two, A: [10, 1], B: [30, 1] }), [20_000, 0])).toEqual([
      80_045,
      [
        [0, 1e6],
        [45, 20_000],
        [4e6, 0.000001],
      ],
    ])
  })

  test.each([
    ['no job', [0.04], '', 'the log contains no jobs'],
    [
      'more jobs than a scenario may have',
      [100_000.1],
      '',
      'the log contains about 1,000,001 jobs; allowed: 1,000,000. Fit a part of it',
    ],
  ] as const)('is refused for %s', (_, rates, path, message) => {
    expect(() => scenarioOfGuess(frameOf({}), guessOf(rates))).toThrow(expect.objectContaining({ path, message }))
  })

  test('is refused for what a scenario cannot have, with the place and the words of the scenario', () => {
    expect(() => scenarioOfGuess(frameOf({}), guessOf([10], { seed: -1 }))).toThrow(
      expect.objectContaining({ path: 'seed', message: expect.stringContaining('allowed') }),
    )
  })

  test('calls its stages as the log does where all the names may be ids, and numbers them where one may not', () => {
    const idsOf = (...names: string[]) =>
      scenarioOfGuess(frameOf({ names }), guessOf([10])).stages.map(({ id, name }) => [id, name])
    const long = 'x'.repeat(40)
    expect(idsOf('a.B-7', long)).toEqual([
      ['a.B-7', 'a.B-7'],
      [long, long],
    ])
    for (const odd of ['source', 'sink', '__proto__', 'a b', 'a/', `${long}x`])
      expect(idsOf(odd, 'B')).toEqual([
        ['stage-1', odd],
        ['stage-2', 'B'],
      ])
  })
})

describe('jobs that are there when the log begins', () => {
  const early = (...queues: number[]) =>
    earlyJobs({ time: new Float64Array(2), stages: queues.map((jobs) => stageFrom([jobs, 50], { workers: 4 })) })
  test('are those that wait and one for each worker; fewer than three in later stages are left out', () => {
    expect(early(7, 3, 0)).toEqual([11, 7, 0])
    expect(early(7, 2, 1)).toEqual([11, 0, 0])
    expect(early(0, 0, 3)).toEqual([0, 0, 7])
    expect(early(9)).toEqual([13])
    expect(early(0, 2)).toEqual([0, 0])
  })

  test('include those in service at a stage without a queue, as far as the counts tell', () => {
    // Two stages, of which the first ends 1, 3 and 4 jobs after the first time.
    const earlyOf = (queue: readonly number[], completed: readonly number[]) =>
      earlyJobs({
        time: new Float64Array(4),
        stages: [
          stageFrom([0, 0, 0, 0], { completed: [0, 1, 3, 4] }),
          stageFrom(queue, { completed, workers: 3 }),
          stageFrom([5, 0, 0, 0], { workers: 2 }),
        ],
      })
    expect(earlyOf([0, 0, 0, 0], [0, 2, 4, 6])).toEqual([0, 2, 7])
    expect(earlyOf([0, 1, 0, 0], [0, 2, 2, 5])).toEqual([0, 2, 7])
    expect(earlyOf([0, 9, 0, 0], [0, 2, 2, 5])).toEqual([0, 3, 7])
    expect(earlyOf([0, 0, 0, 0], [0, 0, 2, 3])).toEqual([0, 0, 7])
    expect(earlyOf([4, 0, 0, 0], [0, 0, 2, 3])).toEqual([0, 7, 7])
  })
})
