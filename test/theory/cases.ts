import type { Forecast } from '../../src/features/theory/measure/forecast.ts'
import { type SteadyState, steadyInSteps } from '../../src/features/theory/measure/steadyState.ts'
import { theoryOf } from '../../src/features/theory/measure/theory.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { runToEnd } from '../../src/trace/follow.ts'
import { diamond, scenarioWith } from '../fixtures/scenarios.ts'

/** The scenarios for the laws: every law at several loads, 60,000 jobs each, case k with seed k. */

export const JOBS = 60_000

/** One stage with mean service time 1 ms by default, with this many workers, at this load. */
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

/** Stages with these services, by default a line with one worker each. */
const stages = (services: readonly object[], rest: object) =>
  scenarioWith({
    stages: services.map((service, s) => ({ id: 'ABCDE'[s], service, work: 'wait' })),
    workers: services.length,
    policy: { kind: 'onePerStage' },
    ...rest,
  })

const exponential = (mean: number) => ({ kind: 'exponential', mean })
const poisson = (rate: number) => ({ kind: 'poisson', rate, jobs: JOBS })

/** Jobs that are routed two ways and meet again. */
export const network = scenarioWith({
  source: poisson(100),
  stages: [5000, 8000, 20_000, 12_000].map((mean, s) => ({
    id: 'ABCD'[s],
    service: exponential(mean),
    work: 'wait',
    ...(s === 0 && { fanOut: { route: { B: 3, C: 1 } } }),
  })),
  links: diamond,
  workers: 5,
  policy: { kind: 'fixed', allocation: { A: 1, B: 1, C: 1, D: 2 } },
})

export interface Case {
  readonly name: string
  readonly scenario: Scenario
}

const table: readonly (readonly [name: string, scenario: Scenario])[] = [
  ['one worker, load 0.3', queue(0.3, 1)],
  ['one worker, load 0.6', queue(0.6, 1)],
  ['one worker, load 0.8', queue(0.8, 1)],
  ['one worker, load 0.9', queue(0.9, 1)],
  ['2 workers, load 0.5', queue(0.5, 2)],
  ['2 workers, load 0.9', queue(0.9, 2)],
  ['8 workers, load 0.7', queue(0.7, 8)],
  ['8 workers, load 0.9', queue(0.9, 8)],
  ['constant services, load 0.5', queue(0.5, 1, { kind: 'constant', mean: 1000 })],
  ['constant services, load 0.8', queue(0.8, 1, { kind: 'constant', mean: 1000 })],
  ['erlang services, k = 4, load 0.8', queue(0.8, 1, { kind: 'erlang', mean: 1000, k: 4 })],
  ['uniform services, 0.2 to 1.8 ms, load 0.7', queue(0.7, 1, { kind: 'uniform', min: 200, max: 1800 })],
  ['lognormal services, cv 1.5, load 0.6', queue(0.6, 1, { kind: 'lognormal', mean: 1000, cv: 1.5 })],
  ['0.5 ms, one in ten 5.5 ms, load 0.7', queue(0.7, 1, { kind: 'bimodal', fast: 500, slow: 5500, pSlow: 0.1 })],
  [
    'three stages run by one worker each job, load 0.8',
    stages([exponential(200), { kind: 'constant', mean: 300 }, exponential(500)], {
      source: poisson(800),
      workers: 1,
      policy: { kind: 'single' },
    }),
  ],
  [
    'one worker a stage, loads 0.8, 0.6, 0.9',
    stages([exponential(1000), exponential(750), exponential(1125)], { source: poisson(800) }),
  ],
  [
    '1, 4 and 2 workers, loads 0.5, 0.8, 0.7',
    stages([exponential(500), exponential(3200), exponential(1400)], {
      source: poisson(1000),
      workers: 7,
      policy: { kind: 'fixed', allocation: { A: 1, B: 4, C: 2 } },
    }),
  ],
  ['3 of 4 jobs to one stage, the others to another, loads 0.5, 0.6, 0.5, 0.6', network],
]

// Separate seeds make the cases independent: with one seed for all, a quiet sample would be quiet everywhere.
export const cases: readonly Case[] = table.map(([name, scenario], k) => ({
  name,
  scenario: { ...scenario, seed: k + 1 },
}))

/** Returns the theory of a scenario. Throws if there is none. */
export function forecastOf(scenario: Scenario): Forecast {
  const theory = theoryOf(scenario)
  if ('reasons' in theory) throw new Error(theory.reasons.join(' '))
  return theory
}

/** Throws if the run is too short for intervals. */
export async function steadyFor(scenario: Scenario): Promise<SteadyState> {
  const steady = runToEnd(steadyInSteps(await playSimulation(scenario, 0)))
  if (steady === null) throw new Error('the run is too short')
  return steady
}
