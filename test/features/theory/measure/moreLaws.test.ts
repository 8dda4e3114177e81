import { describe, expect, test } from 'vitest'
import { blockedLine, mostThrough } from '../../../../src/features/theory/measure/blockedLine.ts'
import { constantWait, shortestFirstFactor } from '../../../../src/features/theory/measure/formulas.ts'
import { forkJoinFactor, theoryOf } from '../../../../src/features/theory/measure/theory.ts'
import { explainForecast } from '../../../../src/features/theory/measure/theoryWords.ts'
import { blocked, forecastOf, fork, ordered, queue } from '../../../theory/cases.ts'

const exponential = { kind: 'exponential', mean: 1000 } as const
const say = {
  time: (us: number) => `${us.toFixed(1)} us`,
  rate: (r: number) => `${r}/s`,
  number: (x: number) => x.toFixed(3),
}
const reasons = (scenario: Parameters<typeof theoryOf>[0]) => {
  const theory = theoryOf(scenario)
  return 'reasons' in theory ? theory.reasons.join(' ') : `none: ${theory.law}`
}

describe('M/D/c', () => {
  test.each([
    // By the chain of the numbers of jobs at times one service apart, solved with numpy.
    [2, 0.5, 0.176741057113, 0.323258942887],
    [2, 0.8, 0.903283879417, 0.701898317173],
    [4, 0.9, 0.99996588556, 0.775436586267],
    [5, 0.2, 0.00069393027, 0.0036765468],
    [8, 0.7, 0.06268003924, 0.251569214714],
    [20, 0.95, 0.3857307775, 0.735328362588],
  ])('with %i workers at load %d', (servers, load, mean, waits) => {
    const found = constantWait(servers, servers * load)
    expect(found.mean).toBeCloseTo(mean, 9)
    expect(found.waits).toBeCloseTo(waits, 9)
  })

  test('is M/D/1 for one worker, and stays exact next to saturation', () => {
    expect(constantWait(1, 0.8).mean).toBeCloseTo(2, 12)
    expect(constantWait(1, 0.8).waits).toBeCloseTo(0.8, 12)
    expect(constantWait(256, 255.744).mean).toBeCloseTo(1.91756865, 6)
    expect(constantWait(64, 6.4).waits).toBeCloseTo(0, 12)
  })
})

describe('the shortest job first', () => {
  test.each([
    // Over the wait of M/G/1, by integrals of Phipps (scipy).
    ['exponential services at load 0.8', exponential, 0.8, 0.470554654],
    ['exponential services at load 0.95', exponential, 0.95, 0.277050771],
    ['uniform services at load 0.7', { kind: 'uniform', min: 200_000, max: 1_800_000 } as const, 0.7, 0.760960737],
    ['lognormal services at load 0.6', { kind: 'lognormal', mean: 1000, cv: 1.5 } as const, 0.6, 0.592947827],
    // Two sizes by hand (Cobham): 2.048053528 over 3.791666667.
    ['two sizes at load 0.7', { kind: 'bimodal', fast: 500, slow: 5500, pSlow: 0.1 } as const, 0.7, 0.540145986],
    ['equal sizes, as first come first served', { kind: 'constant', mean: 1000 } as const, 0.9, 1],
  ])('with %s', (_, service, load, factor) => {
    expect(shortestFirstFactor(service, load)).toBeCloseTo(factor, 4)
  })
})

describe('two stages with a bounded queue between them', () => {
  test('have the throughput of Hunt, and more with more room', () => {
    // n + 1 of n + 2 where both are alike, n the room.
    for (const room of [1, 2, 7]) expect(mostThrough(1, 1, room)).toBeCloseTo((room + 1) / (room + 2), 12)
    expect(mostThrough(1, 2, 1)).toBeCloseTo(3 / 7, 12)
    expect(mostThrough(1, 9, 400)).toBeCloseTo(1 / 9, 9)
  })

  test.each([
    // By the equations of the same chain, cut at 600 jobs before the first stage, solved with scipy.
    [0.6, 1, 1, 2, 2.27022365557, 0.475591046931],
    [0.6, 0.7, 1, 1, 1.853829308821, 0.288679245283],
    [0.5, 1, 0.4, 3, 0.503257560149, 0.04897705382],
  ])(
    'at rate %d with means %d and %d and room for %i have the numbers of the chain cut off',
    (rate, first, second, room, before, between) => {
      const found = blockedLine(rate, first, second, room)
      expect(found.before).toBeCloseTo(before, 9)
      expect(found.between).toBeCloseTo(between, 9)
    },
  )

  test('with much room are a tandem, and without enough have no steady state', () => {
    expect(forecastOf(blocked(500, 60)).meanFlowTime).toBeCloseTo(4000, 6)
    expect(forecastOf(blocked(500, 60)).law).toBe('blocking')
    expect(reasons(blocked(700, 1))).toContain('so short that they let fewer jobs through')
    expect(reasons(blocked(500, 61))).toContain('holds back what comes before')
  })
})

describe('a fork', () => {
  test('of two takes (12 - load) / 8 of one part, of more what Nelson and Tantawi found', () => {
    expect(forkJoinFactor(1, 0.5)).toBe(1)
    expect(forkJoinFactor(2, 0.7)).toBeCloseTo(11.3 / 8, 12)
    // Where nothing waits, the longest of four services takes 1 + 1/2 + 1/3 + 1/4.
    expect(forkJoinFactor(4, 0)).toBeCloseTo(25 / 12, 12)
    expect(forecastOf(fork('AB'))).toMatchObject({
      law: 'fork',
      approximate: false,
      meanFlowTime: expect.closeTo(4708.333, 2),
    })
    expect(forecastOf(fork('ABCD'))).toMatchObject({ law: 'fork', approximate: true })
  })
})

describe('the order and the bound of a queue', () => {
  test('last come, first served leaves the mean and spreads the waits: by 1 / (1 - load) in the square', () => {
    expect(forecastOf(ordered(0.8, { discipline: 'lifo' })).meanWait).toBeCloseTo(4000, 8)
    // E[W^2] = 40: variance 24, and 40 / 0.2 - 16 = 184.
    expect(explainForecast(forecastOf(ordered(0.8, { discipline: 'lifo' })), say)[2]).toBe(
      'With last come, first served, jobs wait equally long on average, but less evenly: the standard deviation is 13564.7 us, not 4899.0 us.',
    )
  })

  test('a bounded queue at the source loses no job: waits are as without a bound, and jobs without room wait outside', () => {
    const forecast = forecastOf(ordered(0.5, { capacity: 3 }))
    expect(forecast).toMatchObject({ law: 'M/M/1', meanWait: expect.closeTo(1000, 8) })
    // P(k wait) = 0.5^(k + 2) for k from 1 on: 1/8 + 2/16 + 3/16.
    expect(forecast.stages[0].meanQueue).toBeCloseTo(1 / 8 + 2 / 16 + 3 / 16, 12)
    expect(reasons(queue(0.5, 1, undefined, { stages: [{ id: 'A', capacity: 3, work: 'wait' }] }))).toContain(
      'only with exponential services',
    )
  })
})

describe('jobs at a steady pace', () => {
  const paced = (load: number, workers: number, service: object) =>
    queue(load, workers, service, { source: { kind: 'regular', rate: 1000 * load * workers, jobs: 60_000 } })

  test('with exponential services and one worker: p = e^(-(1 - p) / load)', () => {
    // p = 0.62863 at load 0.8 and 0.20319 at 0.5, by a root finder.
    expect(forecastOf(paced(0.8, 1, exponential))).toMatchObject({ law: 'D/M/1', meanWait: expect.closeTo(1692.7, 0) })
    expect(forecastOf(paced(0.5, 1, exponential)).stations[0].waits).toBeCloseTo(0.203188, 5)
  })

  test('with other services have an approximation that says so, below the bound of Kingman', () => {
    const forecast = forecastOf(paced(0.9, 1, { kind: 'uniform', min: 200, max: 1800 }))
    expect(forecast).toMatchObject({ law: 'G/G/c', approximate: true })
    expect(explainForecast(forecast, say)[1]).toContain('at most 961.2 us (Kingman 1962)')
    expect(forecast.meanWait).toBeLessThan(961.2)
  })
})

describe('several workers with any services', () => {
  test('are approximated by the wait with exponential services and its variation', () => {
    const forecast = forecastOf(queue(0.8, 4, { kind: 'erlang', mean: 1000, k: 4 }))
    expect(forecast).toMatchObject({
      law: 'G/G/c',
      approximate: true,
      meanWait: expect.closeTo((745.541 * 1.25) / 2, 2),
    })
  })
})
