import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  JITTER,
  LASTING,
  MIN_SWING,
  oscillationOf,
  poolCost,
  poolUse,
  ROUNDS,
  zieglerNichols,
} from '../../../../src/features/pools/measure/tuning.ts'
import { appendStep, createSteps } from '../../../../src/measures/series/steps.ts'
import { playMetrics } from '../../../../src/runs/play/play.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const SECOND = 1_000_000

describe('the cost of a pool', () => {
  /**
   *   time     0     1     2     3     4  s
   *   jobs     0 ........ 1 arrive at 0; one worker is hired at 0, one at 1; each job takes 2 s
   *   w0       0─────────0
   *   w1             1─────────1
   */
  test('is workers x time + price x jobs x wait on a small run', async () => {
    const scenario = valid({
      version: 1,
      source: { kind: 'batch', jobs: 2 },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 2 * SECOND } }],
      workers: 2,
      policy: { kind: 'pid', kp: 1, ki: 0, kd: 0, every: SECOND, setpoint: 0, up: -1, down: 1 },
    })
    const use = poolUse(await playMetrics(scenario))
    // One worker for 1 s, then two for 2 s; the second job waits 1 s.
    expect(use).toEqual({ workerTime: 5 * SECOND, waitTime: SECOND, makespan: 3 * SECOND, jobs: 2, left: 0 })
    expect(poolCost(use, 1)).toBe(6)
    expect(poolCost(use, 0.5)).toBe(5.5)
  })
})

describe('the consumption of a pool', () => {
  const figures = { jobs: 9, completed: 4, failed: 2, makespan: 100, meanWait: 5, workersOverTime: [[0, 2]] as const }

  test('counts the waits of failed jobs like those of completed ones, and costs without bound where jobs are left', () => {
    expect(poolUse(figures)).toEqual({ workerTime: 200, waitTime: 30, makespan: 100, jobs: 6, left: 3 })
    expect(poolUse({ ...figures, jobs: 6 }).left).toBe(0)
    expect(poolCost(poolUse(figures), 1)).toBe(Infinity)
  })

  test('is the area below the workers alive, of each step up to the next', () => {
    const steps = fc.array(fc.tuple(fc.nat(20), fc.nat(5)), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(steps, fc.nat(100), (gaps, makespan) => {
        let time = 0
        const workersOverTime = gaps.map(([gap, workers]) => {
          time += gap
          return [time, workers] as const
        })
        const alive = (at: number) => workersOverTime.filter(([from]) => from <= at).at(-1)?.[1] ?? 0
        const area = Array.from({ length: makespan }, (_, at) => alive(at)).reduce((sum, workers) => sum + workers, 0)
        expect(poolUse({ ...figures, makespan, workersOverTime }).workerTime).toBe(area)
      }),
    )
  })
})

/** A queue that is 0 and `height` in turn, for `half` slices each. */
function square(rounds: number, half: number, height: (round: number) => number) {
  const steps = createSteps()
  for (let k = 0; k < rounds; k++) {
    appendStep(steps, 2 * k * half * 1000, 0)
    appendStep(steps, (2 * k + 1) * half * 1000, height(k))
  }
  return steps
}

describe('a queue oscillates steadily', () => {
  const seen = (rounds: number, height: (round: number) => number, half = 5) =>
    oscillationOf(square(rounds, half, height), 0, rounds * half * 2 * 1000, 1000)

  test('when it makes four even rounds, and their mean length is the period', () => {
    expect(seen(5, () => 10)).toEqual({ rounds: 4, period: 10_000, least: 0, most: 10, steady: true })
    expect(seen(4, () => 10).steady).toBe(false)
  })

  test('not when it fades, when its range is below four jobs, or when it is constant', () => {
    expect(seen(9, (k) => 40 - k)).toMatchObject({ rounds: 8, steady: false })
    expect(seen(9, () => 3).steady).toBe(false)
    expect(seen(9, () => 0)).toMatchObject({ rounds: 0, period: 0, steady: false })
  })
})

/** The plain version, from the mean level of each slice: `d` is under a quarter of the range, `u` over three quarters. */
function plainly(level: readonly number[]) {
  const [least, most] = [Math.min(...level), Math.max(...level)]
  const range = most - least
  const text = level
    .map((value) => (value < least + range / 4 ? 'd' : value > least + (range * 3) / 4 ? 'u' : '-'))
    .join('')
  const rises = [...text.matchAll(/d[^u]*u/g)].map(({ 0: { length }, index }) => index + length - 1)
  const lengths = rises.slice(1).map((rise, k) => rise - rises[k])
  const rounds = lengths.length
  if (rounds < ROUNDS || range < MIN_SWING) return { rounds, steady: false }
  const heights = lengths.map((length, k) => {
    const round = level.slice(rises[k], rises[k] + length)
    return Math.max(...round) - Math.min(...round)
  })
  const mean = (some: readonly number[]) => some.reduce((sum, each) => sum + each, 0) / some.length
  const period = (rises[rounds] - rises[0]) / rounds
  const even = Math.sqrt(mean(lengths.map((length) => (length - period) ** 2))) <= JITTER * period
  const early = heights.filter((_, k) => k + 1 <= rounds / 2)
  const late = heights.filter((_, k) => k >= rounds / 2)
  return { rounds, steady: even && mean(late) >= LASTING * mean(early) }
}

describe('the oscillation of a queue', () => {
  const oscillationOfLevels = (level: readonly number[]) => {
    const steps = createSteps()
    for (const [i, value] of level.entries()) appendStep(steps, 40_500 + i * 1000, value)
    return oscillationOf(steps, 40_500, 40_500 + level.length * 1000, 1000)
  }
  /** Waves of about one length and height, so that many are only just steady, or only just not. */
  const wave = fc.tuple(
    fc.constantFrom(1, 2, 2, 2, 3),
    fc.constantFrom(2, 2, 2, 3, 4),
    fc.constantFrom(0, 0, 0, 1),
    fc.constantFrom(10, 10, 9, 8),
  )
  const waves = fc
    .tuple(fc.constantFrom(0, 0, 6), fc.array(wave, { minLength: 4, maxLength: 9 }))
    .map(([less, all]) =>
      all.flatMap(([down, up, low, high]) => [...Array(down).fill(low), ...Array(up).fill(high - less)] as number[]),
    )

  test('equals its plain version for any levels', () => {
    const ends = { steady: 0, rounds: 0 }
    fc.assert(
      fc.property(
        fc.oneof(waves, fc.array(fc.nat({ max: 4 }), { maxLength: 60 })),
        fc.nat(9),
        fc.constantFrom(0, 0, 9),
        (some, base, first) => {
          const level = [first, ...some].map((value) => base + value)
          const seen = oscillationOfLevels(level)
          const { rounds, steady } = plainly(level)
          expect(seen).toMatchObject({ least: Math.min(...level), most: Math.max(...level), rounds, steady })
          if (steady) ends.steady++
          if (rounds >= ROUNDS) ends.rounds++
        },
      ),
      { numRuns: 300 },
    )
    expect(ends.steady).toBeGreaterThan(5)
    expect(ends.rounds - ends.steady).toBeGreaterThan(5)
  })
})

describe('the settings of Ziegler and Nichols', () => {
  test('are those of the table of 1942, as gains of this controller: Ku = 10 and Tu = 2 s', () => {
    const { P, PI, PID } = zieglerNichols({ gain: 10, period: 2 * SECOND })
    expect(P).toEqual({ kp: 5, ki: 0, kd: 0 })
    expect(PI.kp).toBe(4.5)
    // Ti = 2 s / 1.2, ki = 4.5 / Ti.
    expect(PI.ki).toBeCloseTo(2.7, 12)
    expect(PI.kd).toBe(0)
    // Ti = 1 s, Td = 0.25 s.
    expect(PID).toEqual({ kp: 6, ki: 6, kd: 1.5 })
  })
})
