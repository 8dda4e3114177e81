import type { Forecast } from '../../src/features/theory/measure/forecast.ts'
import { type SteadyState, steadyInSteps } from '../../src/features/theory/measure/steadyState.ts'
import { theoryOf } from '../../src/features/theory/measure/theory.ts'
import { type Metrics, metricsOf } from '../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { runToEnd } from '../../src/trace/follow.ts'
import { diamond, scenarioWith } from '../fixtures/scenarios.ts'

/** The scenarios for the laws: every law at several loads, 60,000 jobs each, case k with seed k. */

export const JOBS = 60_000

/** One stage with mean service time 1 ms by default, with this many workers, at each of these loads. */
export function queue(
  load: number,
  workers: number,
  service: object = { kind: 'exponential', mean: 1000 },
  rest: object = {},
): Scenario {
  return scenarioWith({
    source: { kind: 'poisson', rate: load * workers * 1000, jobs: JOBS },
    stages: [{ id: 'A', service, work: 'wait' }],
    workers,
    ...rest,
  })
}

/** One stage with mean service time 1 ms by default, whose threads share this many cores, at each of these loads. */
export function shared(
  load: number,
  cores: number,
  perStage: number,
  service: object = { kind: 'exponential', mean: 1000 },
  rest: object = {},
): Scenario {
  return scenarioWith({
    source: { kind: 'poisson', rate: load * cores * 1000, jobs: JOBS },
    stages: [{ id: 'A', service, work: 'burn' }],
    workers: cores,
    policy: { kind: 'greenThreads', perStage },
    ...rest,
  })
}

/** One worker with exponential services of mean 1 ms at this load, and a queue with these properties. */
export function ordered(load: number, rest: object): Scenario {
  return queue(load, 1, undefined, {
    stages: [{ id: 'A', service: { kind: 'exponential', mean: 1000 }, work: 'wait', ...rest }],
  })
}

/** Jobs that are routed two ways and meet again. */
export const network = scenarioWith({
  source: { kind: 'poisson', rate: 100, jobs: 60_000 },
  seed: 3,
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 5000 }, fanOut: { route: { B: 3, C: 1 } }, work: 'wait' },
    { id: 'B', service: { kind: 'exponential', mean: 8000 }, work: 'wait' },
    { id: 'C', service: { kind: 'exponential', mean: 20_000 }, work: 'wait' },
    { id: 'D', service: { kind: 'exponential', mean: 12_000 }, work: 'wait' },
  ],
  links: diamond,
  workers: 5,
  policy: { kind: 'fixed', allocation: { A: 1, B: 1, C: 1, D: 2 } },
})

export interface Case {
  readonly name: string
  readonly scenario: Scenario
}

const exponential = (mean: number) => ({ kind: 'exponential', mean })
const constant = (mean: number) => ({ kind: 'constant', mean })
const line = (...services: object[]) => services.map((service, s) => ({ id: 'ABCDE'[s], service, work: 'wait' }))

/** Two stages, the second with a mean of 1 ms and this capacity before it. */
export const blocked = (rate: number, room: number, first = 1000) =>
  scenarioWith({
    source: { kind: 'poisson', rate, jobs: 60_000 },
    stages: [
      { id: 'A', service: { kind: 'exponential', mean: first }, work: 'wait' },
      { id: 'B', service: exponential(1000), work: 'wait', capacity: room },
    ],
    workers: 2,
    policy: { kind: 'onePerStage' },
  })

/** A stage for each letter, all equal, each with a copy of every job. */
export const fork = (parts: string, rest: object = {}) =>
  scenarioWith({
    source: { kind: 'poisson', rate: 700, jobs: 60_000 },
    stages: [...parts].map((id) => ({ id, service: exponential(1000), work: 'wait', ...rest })),
    links: [...parts].flatMap((id) => [
      ['source', id],
      [id, 'sink'],
    ]),
    workers: parts.length,
    policy: { kind: 'onePerStage' },
  })

// Separate seeds make the cases independent: with one seed for all, a quiet sample would be quiet everywhere.
export const cases: readonly Case[] = [
  ...[0.3, 0.6, 0.8, 0.9].map((load) => ({ name: `one worker, load ${load}`, scenario: queue(load, 1) })),
  ...[0.5, 0.9].map((load) => ({ name: `2 workers, load ${load}`, scenario: queue(load, 2) })),
  ...[0.7, 0.9].map((load) => ({ name: `8 workers, load ${load}`, scenario: queue(load, 8) })),
  ...[0.5, 0.8, 0.9].map((load) => ({
    name: `constant services, load ${load}`,
    scenario: queue(load, 1, constant(1000)),
  })),
  { name: 'erlang services, k = 4, load 0.8', scenario: queue(0.8, 1, { kind: 'erlang', mean: 1000, k: 4 }) },
  {
    name: 'uniform services, 0.2 to 1.8 ms, load 0.7',
    scenario: queue(0.7, 1, { kind: 'uniform', min: 200, max: 1800 }),
  },
  { name: 'lognormal services, cv 1.5, load 0.6', scenario: queue(0.6, 1, { kind: 'lognormal', mean: 1000, cv: 1.5 }) },
  {
    name: '0.5 ms, one in ten 5.5 ms, load 0.7',
    scenario: queue(0.7, 1, { kind: 'bimodal', fast: 500, slow: 5500, pSlow: 0.1 }),
  },
  {
    name: 'three stages run by one worker each job, load 0.8',
    scenario: queue(0.8, 1, undefined, {
      stages: line(exponential(200), constant(300), exponential(500)),
      policy: { kind: 'single' },
    }),
  },
  {
    name: 'one worker a stage, loads 0.8, 0.6, 0.9',
    scenario: scenarioWith({
      source: { kind: 'poisson', rate: 800, jobs: JOBS },
      stages: line(exponential(1000), exponential(750), exponential(1125)),
      workers: 3,
      policy: { kind: 'onePerStage' },
    }),
  },
  {
    name: '1, 4 and 2 workers, loads 0.5, 0.8, 0.7',
    scenario: scenarioWith({
      source: { kind: 'poisson', rate: 1000, jobs: JOBS },
      stages: line(exponential(500), exponential(3200), exponential(1400)),
      workers: 7,
      policy: { kind: 'fixed', allocation: { A: 1, B: 4, C: 2 } },
    }),
  },
  { name: '32 threads on one core, load 0.5', scenario: shared(0.5, 1, 32) },
  { name: '64 threads on one core, load 0.8', scenario: shared(0.8, 1, 64) },
  { name: '4 threads on one core, load 0.7', scenario: shared(0.7, 1, 4) },
  { name: '16 threads on 4 cores, load 0.8', scenario: shared(0.8, 4, 16) },
  { name: '100 threads on one core, constant services, load 0.8', scenario: shared(0.8, 1, 100, constant(1000)) },
  {
    name: '100 threads on one core, 0.5 ms, one in ten 5.5 ms, load 0.7',
    scenario: shared(0.7, 1, 100, { kind: 'bimodal', fast: 500, slow: 5500, pSlow: 0.1 }),
  },
  {
    name: 'three stages of 64 threads on one core, load 0.6',
    scenario: shared(0.6, 1, 64, undefined, {
      stages: line(exponential(200), constant(300), exponential(500)).map((stage) => ({ ...stage, work: 'burn' })),
    }),
  },
  { name: '2 workers, constant services, load 0.8', scenario: queue(0.8, 2, constant(1000)) },
  { name: '8 workers, constant services, load 0.9', scenario: queue(0.9, 8, constant(1000)) },
  { name: 'exponential services, load 0.8', scenario: ordered(0.8, { discipline: 'shortest' }) },
  {
    name: 'a steady pace, load 0.8',
    scenario: queue(0.8, 1, undefined, { source: { kind: 'regular', rate: 800, jobs: JOBS } }),
  },
  { name: 'last come first served, load 0.8', scenario: ordered(0.8, { discipline: 'lifo' }) },
  { name: 'room for 3 jobs, the others wait outside, load 0.8', scenario: ordered(0.8, { capacity: 3 }) },
  {
    name: '3 of 4 jobs to one stage, the others to another, loads 0.5, 0.6, 0.5, 0.6',
    scenario: scenarioWith({
      source: { kind: 'poisson', rate: 100, jobs: JOBS },
      stages: [5000, 8000, 20_000, 12_000].map((mean, s) => ({
        id: 'ABCD'[s],
        service: exponential(mean),
        work: 'wait',
        ...(s === 0 && { fanOut: { route: { B: 3, C: 1 } } }),
      })),
      links: ['source A', 'A B', 'A C', 'B D', 'C D', 'D sink'].map((link) => link.split(' ')),
      workers: 5,
      policy: { kind: 'fixed', allocation: { A: 1, B: 1, C: 1, D: 2 } },
    }),
  },
  { name: 'room for 2 jobs between them, loads 0.6', scenario: blocked(600, 2) },
  {
    name: 'two parts of each job, load 0.7',
    scenario: scenarioWith({
      source: { kind: 'poisson', rate: 700, jobs: JOBS },
      stages: line(exponential(1000), exponential(1000)),
      links: ['source A', 'source B', 'A sink', 'B sink'].map((link) => link.split(' ')),
      workers: 2,
      policy: { kind: 'onePerStage' },
    }),
  },
].map(({ name, scenario }, k) => ({ name, scenario: { ...scenario, seed: k + 1 } }))

/** Cases with exact results: constant services, one worker per stage. */
export const lines: readonly Case[] = [
  {
    name: '3, 5 and 2 ms, 400 jobs at once',
    scenario: scenarioWith({
      source: { kind: 'batch', jobs: 400 },
      stages: line(constant(3000), constant(5000), constant(2000)),
      workers: 3,
      policy: { kind: 'onePerStage' },
    }),
  },
  {
    name: '2 and 5 ms, 400 jobs at 250/s',
    scenario: scenarioWith({
      source: { kind: 'regular', rate: 250, jobs: 400 },
      stages: line(constant(2000), constant(5000)),
      workers: 2,
      policy: { kind: 'onePerStage' },
    }),
  },
]

/** Returns the theory of a scenario. Throws if there is none. */
export function forecastOf(scenario: Scenario): Forecast {
  const theory = theoryOf(scenario)
  if ('reasons' in theory) throw new Error(theory.reasons.join(' '))
  return theory
}

export async function figuresFor(scenario: Scenario): Promise<Metrics> {
  return metricsOf(await playSimulation(scenario, 0))
}

/** Throws if the run is too short for intervals. */
export async function steadyFor(scenario: Scenario): Promise<SteadyState> {
  const steady = runToEnd(steadyInSteps(await playSimulation(scenario, 0)))
  if (steady === null) throw new Error('the run is too short')
  return steady
}
