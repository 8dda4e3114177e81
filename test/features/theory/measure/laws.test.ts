import { describe, expect, test } from 'vitest'
import { erlangC } from '../../../../src/features/theory/measure/erlang.ts'
import { theoryOf } from '../../../../src/features/theory/measure/theory.ts'
import { explainForecast } from '../../../../src/features/theory/measure/theoryWords.ts'
import { diamond, scenarioWith } from '../../../fixtures/scenarios.ts'
import { forecastOf, network, queue } from '../../../theory/cases.ts'

const exponential = { kind: 'exponential', mean: 1000 }
const constant = { kind: 'constant', mean: 1000 }
const uniform = { kind: 'uniform', min: 200, max: 1800 }
const stage = (id: string, rest: object = {}) => ({ id, service: exponential, work: 'wait', ...rest })
const poisson = { kind: 'poisson', rate: 500, jobs: 1000 }
const line = (rest: object = {}) =>
  scenarioWith({
    source: poisson,
    stages: [stage('A'), stage('B')],
    workers: 2,
    policy: { kind: 'onePerStage' },
    ...rest,
  })
/** One stage with this part, and the scenario with that. */
const one = (part: object = {}, rest: object = {}) => line({ stages: [stage('A', part)], workers: 1, ...rest })

test.each([
  [1, 0.5, 0.5],
  [2, 1, 1 / 3],
  [4, 4, 1],
  [5, 4, 0.554113],
  [10, 8, 0.409181],
])('Erlang C for %i servers and a load of %f is %f, as in the tables', (servers, load, waits) => {
  expect(erlangC(servers, load)).toBeCloseTo(waits, 5)
})

describe('the mean wait', () => {
  test.each([
    ['M/M/1', queue(0.8, 1), 4000],
    ['M/M/c', queue(0.5, 2), 1000 / 3],
    ['M/G/1', queue(0.8, 1, constant), 2000],
    ['M/G/1', queue(0.8, 1, { kind: 'erlang', mean: 1000, k: 1 }), 4000],
    ['M/G/1', queue(0.8, 1, { kind: 'erlang', mean: 1000, k: 4 }), 2500],
    // Mean 2, variance 2: E[S^2] = 6, wait = 0.4 x 6 / (2 x 0.2).
    ['M/G/1', line({ source: { ...poisson, rate: 400 }, workers: 1, policy: { kind: 'single' } }), 6000],
    ['M/M/1', one({ discipline: 'lifo' }), 1000],
    ['M/M/1', one({}, { order: { kind: 'buffer', slots: 8 } }), 1000],
    ['tandem', line(), 2000],
    ['tandem', line({ stages: [stage('A'), stage('B', { service: constant })] }), 1500],
  ])('of %s', (law, scenario, wait) => {
    expect(forecastOf(scenario)).toMatchObject({ law, meanWait: expect.closeTo(wait, 8) })
  })

  test('gives all other figures by Little’s law', () => {
    const { meanFlowTime, meanJobsInSystem, utilisation, stages } = forecastOf(queue(0.8, 1))
    expect(meanFlowTime).toBeCloseTo(5000, 8)
    expect(meanJobsInSystem).toBeCloseTo(4, 12)
    expect(utilisation).toBeCloseTo(0.8, 12)
    expect(stages[0].meanQueue).toBeCloseTo(3.2, 12)
  })

  test('of a network is the sum of its queues, each with the share of the jobs that are routed there', () => {
    const { law, stages, meanWait, meanFlowTime } = forecastOf(network)
    expect(law).toBe('network')
    // Loads 0.5, 0.75 x 0.8 and 0.25 x 2: waits 5, 12 and 20 ms; all jobs come to D.
    for (const [s, wait] of [5000, 12_000, 20_000].entries()) expect(stages[s].meanWait).toBeCloseTo(wait, 6)
    expect(meanWait).toBeCloseTo(5000 + 0.75 * 12_000 + 0.25 * 20_000 + stages[3].meanWait, 6)
    expect(meanFlowTime).toBeCloseTo(meanWait + 5000 + 0.75 * 8000 + 0.25 * 20_000 + 12_000, 6)
    expect(stages[1].meanQueue).toBeCloseTo(75e-6 * 12_000, 9)
  })
})

test.each([
  ['jobs at a steady pace', one({}, { source: { kind: 'regular', rate: 500, jobs: 1000 } }), 'at random'],
  ['no jobs', one({}, { source: { ...poisson, jobs: 0 } }), 'No job'],
  ['impatient clients', one({}, { source: { ...poisson, retry: { after: 5000 } } }), 'give up'],
  ['a network', one({}, { network: { roundTrip: 100 } }), 'Network'],
  ['a worker that leaves', one({}, { workerEvents: [{ at: 1, kind: 'leave', worker: 0 }] }), 'change'],
  ['a stage that turns slow', one({ changes: [{ from: 9, service: exponential }] }), 'change'],
  ['batches', one({}, { batch: { size: 2 } }), 'Batches'],
  ['a second batch in hand', one({}, { batch: { size: 1, inHand: 2 } }), 'Batches'],
  ['a switch cost', line({ switchCost: 9, workers: 1, policy: { kind: 'single' } }), 'Switch cost'],
  ['failing jobs', one({ fails: { jobs: [3] } }), 'A: Failures'],
  ['a bounded queue', one({ capacity: 3 }), 'A: Bounded queue'],
  ['the shortest first', one({ discipline: 'shortest' }), 'A: Shortest first'],
  ['a policy that moves workers', line({ policy: { kind: 'leastScore' } }), 'moves workers'],
  ['a policy that hires', one({}, { policy: { kind: 'threshold', high: 5, idle: 9, every: 1000 } }), 'moves workers'],
  ['a stage without a worker', line({ policy: { kind: 'fixed', allocation: { A: 2 } } }), 'B no worker'],
  ['services of a few microseconds', one({ service: { kind: 'exponential', mean: 49 } }), 'too short'],
  ['too much work', queue(1, 3), 'without end'],
  ['heavy tails', queue(0.5, 1, { kind: 'pareto', mean: 1000, alpha: 1.9 }), 'infinite'],
  ['several workers and uniform services', queue(0.5, 2, uniform), 'several workers'],
  ['uniform services before others', line({ stages: [stage('A', { service: uniform }), stage('B')] }), 'before others'],
  ['an exit in order behind two', queue(0.5, 2, undefined, { order: { kind: 'buffer', slots: 8 } }), 'In order'],
  ['crowded cores', queue(0.5, 2, undefined, { stages: [stage('A', { work: 'burn' })], cores: 1 }), 'Cores'],
  [
    'copies',
    line({
      stages: ['A', 'B', 'C', 'D'].map((id) => stage(id, id === 'D' ? { join: 'all' } : {})),
      links: diamond,
      workers: 4,
    }),
    'copy',
  ],
])('no law applies to %s', (_, scenario, reason) => {
  const theory = theoryOf(scenario)
  expect('reasons' in theory ? theory.reasons.join(' ') : theory.law).toContain(reason)
})

test('the calculation has the numbers of every stage', () => {
  const write = {
    time: (us: number) => `${us.toFixed(0)} us`,
    rate: (r: number) => `${r}/s`,
    number: (x: number) => x.toFixed(3),
  }
  expect(explainForecast(forecastOf(network), write)).toEqual([
    'Jobs arrive at random, λ = 100/s, and each stage is a queue of its own (Jackson’s theorem):',
    'A: S = 5000 us, ρ = λS = 0.500. Wait = ρ S / (1 − ρ) = 0.500 × 5000 us / 0.500 = 5000 us.',
    'B: p = 0.750, S = 8000 us, ρ = pλS = 0.600. Wait = ρ S / (1 − ρ) = 0.600 × 8000 us / 0.400 = 12000 us.',
    'C: p = 0.250, S = 20000 us, ρ = pλS = 0.500. Wait = ρ S / (1 − ρ) = 0.500 × 20000 us / 0.500 = 20000 us.',
    'D: S = 12000 us, a = λS = 1.200, c = 2, ρ = a/c = 0.600. A job has to wait with probability C(c, a) = 0.450; wait = C S / (c − a) = 0.450 × 12000 us / 0.800 = 6750 us.',
    'Flow time = waits + services = 53750 us. By Little’s law: queue = λ × wait = 2.575; jobs in the system = λ × flow time = 5.375.',
  ])
})
