import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  createChainDraws,
  drawScenario,
  MAX_FOUND_STAGES,
  MAX_FOUND_WORKERS,
  mutated,
  startAround,
  timesOf,
} from '../../../src/features/finder/finderDraw.ts'
import { serviceMean } from '../../../src/scenario/model/distributions.ts'
import { isLinear } from '../../../src/scenario/model/linearStages.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { createArrivals } from '../../../src/workload/arrivals.ts'
import { createRandom, randomKey } from '../../../src/workload/random.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const times = (...at: number[]) => ({ source: { kind: 'times', at } })
const constant = (mean: number) => ({ kind: 'constant', mean })

const base = valid({
  version: 1,
  seed: 5,
  stages: [
    { id: 'A', service: constant(4000) },
    { id: 'B', service: { kind: 'exponential', mean: 20_000 } },
    { id: 'C', service: { kind: 'bimodal', fast: 1000, slow: 9000, pSlow: 0.25 } },
  ],
  ...times(0, 1000, 5000, 5000, 9000),
  workers: 4,
  switchCost: 100,
  workerEvents: [
    { at: 2000, kind: 'leave', worker: 1 },
    { at: 3000, kind: 'join', worker: 4 },
  ],
})

describe('the random draws of a chain', () => {
  test('are the random numbers of its seed and number, and continue where they stopped', () => {
    const random = createRandom(9, randomKey('finder'))
    const draw = createChainDraws(9, 3, 0)
    expect([draw.next(), draw.next()]).toEqual([random(3, 0), random(3, 1)])
    expect(draw.drawn).toBe(2)
    const later = createChainDraws(9, 3, draw.drawn)
    expect([later.below(1000), later.pick(['a', 'b', 'c'])]).toEqual([
      Math.floor(random(3, 2) * 1000),
      ['a', 'b', 'c'][Math.floor(random(3, 3) * 3)],
    ])
    expect(later.drawn).toBe(4)
  })
})

describe('a drawn scenario', () => {
  test('stays small, in scale and in order, however often it is changed', () => {
    const seen = { changes: 0, bimodal: 0, costs: 0, stages: new Set<number>() }
    const dishonest: string[] = []
    for (let seed = 0; seed < 40; seed++) {
      const draw = createChainDraws(seed, 0, 0)
      let scenario = drawScenario(draw)
      for (let step = 0; step < 40 && 'scenario' in parse(scenario); step++) {
        if (!isHonest(scenario)) dishonest.push(`seed ${seed}, step ${step}`)
        const { stages, switchCost } = scenario
        seen.stages.add(stages.length)
        if (stages.some(({ changes }) => changes.length > 1)) seen.changes++
        if (stages.some(({ service }) => service.kind === 'bimodal')) seen.bimodal++
        if (switchCost > 0) seen.costs++
        scenario = mutated(scenario, draw, false)
      }
    }
    expect(dishonest).toEqual([])
    expect(seen.stages).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]))
    expect(Math.min(seen.changes, seen.bimodal, seen.costs)).toBeGreaterThan(20)
  })
})

/** Whether a scenario is within the bounds of the search. */
function isHonest({ stages, workers, source, cores }: Scenario): boolean {
  const at = source.kind === 'times' ? source.at : []
  const inOrder = at.every((time, k) => Number.isInteger(time) && time >= (at[k - 1] ?? 0) && time <= 10_000_000)
  const services = stages.flatMap(({ service, changes }) => [service, ...changes.map((change) => change.service)])
  // Whole microseconds: a mean is rounded.
  const inScale = services.map(serviceMean).every((mean) => mean > 999 && mean < 1_000_001)
  const changesInOrder = stages.every(
    ({ changes }) => changes.length <= 4 && changes.every(({ from }, k) => from > (changes[k - 1]?.from ?? 0)),
  )
  const small =
    stages.length <= MAX_FOUND_STAGES &&
    workers <= MAX_FOUND_WORKERS &&
    cores === workers &&
    at.length > 0 &&
    at.length <= 48
  return small && inOrder && inScale && changesInOrder
}

describe('a random change of a scenario', () => {
  /** Which fields 400 changes have touched, one change or a few at a time. */
  const touched = (scenario: Scenario, keepsStages: boolean) => {
    const draw = createChainDraws(3, 0, 0)
    const all = Array.from({ length: 400 }, () => mutated(scenario, draw, keepsStages))
    const isTouched = (key: keyof Scenario) =>
      all.some((changed) => JSON.stringify(changed[key]) !== JSON.stringify(scenario[key]))
    return { all, fields: (Object.keys(scenario) as (keyof Scenario)[]).filter(isTouched).sort() }
  }
  const numbers = ['batch', 'cores', 'seed', 'source', 'stages', 'switchCost', 'workerEvents', 'workers']

  test('changes its numbers, arrivals and faults, but not which stages it has', () => {
    const { all, fields } = touched(base, true)
    expect(fields).toEqual(numbers)
    for (const { stages, workers, cores, source } of all) {
      expect(stages.map(({ id }) => id)).toEqual(['A', 'B', 'C'])
      expect([cores === workers, workers >= 1, workers <= MAX_FOUND_WORKERS, countJobs(source) > 0]).toEqual([
        true,
        true,
        true,
        true,
      ])
    }
  })

  test('of a line of stages adds, drops and swaps stages too; of other pipelines it never adds one', () => {
    const { all, fields } = touched(base, false)
    expect(fields).toEqual([...numbers, 'links'].sort())
    expect(all.map(({ stages }) => stages.length)).toEqual(expect.arrayContaining([2, 3, 4]))
    expect(all.every(isLinear)).toBe(true)
    const forked = {
      ...base,
      links: ['source A', 'A B', 'A C', 'B sink', 'C sink'].map((link) => link.split(' ')),
    } as unknown as Scenario
    expect(touched(forked, false).all.every(({ stages }) => stages.length <= 3)).toBe(true)
  })

  test('is the same on every machine for the same seed', () => {
    const draw = createChainDraws(7, 1, 0)
    let scenario = drawScenario(draw)
    for (let step = 0; step < 300; step++) {
      const next = mutated(scenario, draw, false)
      if ('scenario' in parse(next)) scenario = next
    }
    expect(
      createHash('sha256')
        .update(JSON.stringify(scenario, (key, value) => (key === 'startUp' || key === 'ageing' ? undefined : value)))
        .digest('hex')
        .slice(0, 16),
    ).toBe('874a83a7665873a4')
  })
})

describe('the scenario to search around', () => {
  test('has its first 48 arrivals as a list; jobs of groups stay what they are, and so does a scenario without jobs', () => {
    const poisson = { ...base, source: { kind: 'poisson', rate: 100, jobs: 60 } } as const
    const arrivals = createArrivals(poisson)
    const first = Array.from({ length: 48 }, () => arrivals.next())
    expect(startAround(poisson)).toEqual({ ...base, ...times(...first) })
    const few = startAround({ ...base, source: { kind: 'batch', jobs: 3 } })
    expect(few).toEqual({ ...base, ...times(0, 0, 0) })
    for (const source of [
      { kind: 'groups', groups: [30, 30], order: 'asProduced' },
      { kind: 'image', width: 80, height: 80, tile: 8, x: -0.6, y: 0, span: 3.2, iterations: 10 },
      { kind: 'lines', jobs: 60, size: 1000, hash: 0 },
      { kind: 'times', at: [] },
    ]) {
      const scenario = { ...base, source } as unknown as Scenario
      expect(startAround(scenario)).toBe(scenario)
    }
  })
})

test('times become whole microseconds in order, from 0 to ten seconds', () => {
  expect(timesOf([7.6, 3.2, -4, 10_000_001, 5])).toEqual({ kind: 'times', at: [0, 3, 5, 8, 10_000_000] })
})
