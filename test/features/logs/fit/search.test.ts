import { describe, expect, test } from 'vitest'
import { type Fit, fitLog, search } from '../../../../src/features/logs/fit/fitLog.ts'
import { EXPONENTIAL, type Guess, type LoggedFacts } from '../../../../src/features/logs/fit/guess.ts'
import { shortLog } from './logs.ts'
import { stageFrom } from './stages.ts'

/** What a search has found, in numbers short enough to be read. */
function foundIn({ runs, rates, scenario, stages, assumed }: Fit) {
  return {
    runs,
    seed: scenario.seed,
    rates: rates.map(([, rate]) => Number(rate.toFixed(4))),
    services: scenario.stages.map(({ service }) => [service.kind, 'mean' in service && service.mean]),
    queues: stages.map(({ logged, run }) => [logged, run].map((queue) => Number(queue.toFixed(4)))),
    spreads: assumed.filter((sentence) => sentence.startsWith('stage ')),
  }
}

async function searched(rate: number, spread: number, seconds: number, completed: boolean) {
  const shares: number[] = []
  const fit = await fitLog(shortLog(rate, spread, seconds, completed), { onProgress: (share) => shares.push(share) })
  return { shares, found: foundIn(fit) }
}

/** Eleven samples of two stages with one job in their queues. */
function firstGuess(rate: number, mean: number): { readonly frame: LoggedFacts; readonly guess: Guess } {
  const whole = (value: number) => [{ from: 0, to: 10, value, variance: 1 }]
  const queue = new Array(11).fill(1)
  return {
    frame: {
      samples: {
        time: Float64Array.from({ length: 11 }, (_, k) => 1e6 * k),
        stages: [stageFrom(queue), stageFrom(queue, { name: 'B' })],
      },
      arrivals: whole(rate),
      services: [whole(mean), whole(mean)],
      came: null,
      work: [null, null],
      known: [null, null],
      crews: [{ at: 0, workers: [1, 1] }],
    },
    guess: { rates: [rate], spreads: [EXPONENTIAL, EXPONENTIAL], paces: [1, 1], capacities: [null, null], seed: 1 },
  }
}

describe('the search for a scenario', () => {
  // The same log gives the same scenario, so that any change of the search changes these numbers.
  test('corrects the rates of jobs that were not counted, and stops when the run is near', async () => {
    const { found, shares } = await searched(2, 0, 40, false)
    expect(found).toEqual({
      runs: 70,
      seed: 105_643,
      rates: [2.2801],
      services: [
        ['exponential', 449_440],
        ['exponential', 606_396],
      ],
      queues: [
        [7.725, 7.3264],
        [0.3, 0.1946],
      ],
      spreads: [
        'stage 1: service times fitted as exponential.',
        'stage 2: service times assumed to be exponential; means times 0.98.',
      ],
    })
    expect(shares).toEqual([...Array.from({ length: 70 }, (_, k) => (k + 1) / 160), 1])
  })

  test('keeps the arrivals and the spreads that are counted', async () => {
    expect((await searched(2, 1, 40, true)).found).toMatchInlineSnapshot(`
      {
        "queues": [
          [
            7.3,
            7.5421,
          ],
          [
            1.9,
            1.9798,
          ],
        ],
        "rates": [
          1.5,
          3,
          2,
          3,
          1,
          4,
          1.5,
          2.75,
          2,
          3.25,
          1.5,
          3.8333,
          3,
          2,
          5.5,
        ],
        "runs": 70,
        "seed": 418501,
        "services": [
          [
            "exponential",
            806000,
          ],
          [
            "exponential",
            747000,
          ],
        ],
        "spreads": [
          "stage 1: coefficient of variation of the service times 0.95, from the counted means.",
          "stage 2: coefficient of variation of the service times 0.82, from the counted means.",
        ],
      }
    `)
  })

  test('scores a guess by its distance, and by how far its rates and means are from those of the log', async () => {
    const { frame, guess } = firstGuess(5, 150_000)
    const { best } = await search(frame, guess, false, () => {})
    const [rate] = best.guess.rates
    const paces = best.guess.paces.reduce((sum, pace) => sum + 4 * (pace - 1) ** 2, 0)
    expect(rate).not.toBe(5)
    expect(best.score).toBeCloseTo(best.comparison.distance + paces + 0.1 * ((rate - 5) / 5) ** 2, 12)
  })

  test.each([
    ['160 of few jobs', 1, 160],
    ['as many as take three million services', 1100, 136],
  ])('may take %s', async (_, rate, budget) => {
    const { frame, guess } = firstGuess(rate, 100)
    const onProgress = (share: number) => {
      throw new Error(`1 of ${Math.round(1 / share)}`)
    }
    await expect(search(frame, guess, false, onProgress)).rejects.toThrow(`1 of ${budget}`)
  })
})
