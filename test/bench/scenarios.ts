import type { Scenario, Service, Stage } from '../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

export interface Line {
  readonly jobs: number
  readonly seed: number
  readonly workers: number
  readonly services: readonly Service[]
  /** Jobs per second, at random times; null: all at once. */
  readonly rate: number | null
  readonly work?: Stage['work']
  readonly batch?: object
}

/** A line of stages a, b, c, ... under least total time, as `parse` returns it. Throws if it finds a problem. */
export function lineOf({ jobs, seed, workers, services, rate, work = 'burn', batch = { size: 1 } }: Line): Scenario {
  return scenarioWith({
    title: 'Benchmark',
    seed,
    source: rate === null ? { kind: 'batch', jobs } : { kind: 'poisson', rate, jobs },
    stages: services.map((service, i) => ({ id: String.fromCharCode(97 + i), service, work })),
    workers,
    batch,
    policy: { kind: 'leastScore' },
  })
}
