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

/** The largest pipeline allowed. */
export const STAGES = 256

/** A spine of half the stages; from each of them a tooth that leads to the sink. */
export function comb({
  source,
  service = 1000,
  workers = 8,
}: {
  readonly source?: object
  readonly service?: number
  readonly workers?: number
} = {}): Scenario {
  const half = STAGES / 2
  const links: [string, string][] = [['source', 's0']]
  for (let i = 0; i < half; i++) {
    if (i + 1 < half) links.push([`s${i}`, `s${i + 1}`])
    links.push([`s${i}`, `t${i}`], [`t${i}`, 'sink'])
  }
  const names = Array.from({ length: STAGES }, (_, i) => (i < half ? `s${i}` : `t${i - half}`))
  const stages = names.map((id) => ({
    id,
    name: id === 's0' ? 'First' : id,
    service: { kind: 'constant', mean: service },
  }))
  return scenarioWith({ workers, stages, links, ...(source === undefined ? {} : { source }) })
}
