import { describe, expect, test } from 'vitest'
import {
  createDice,
  type Dice,
  drawScenario,
  MAX_FOUND_STAGES,
  MAX_FOUND_WORKERS,
  mutated,
  startAround,
  timesOf,
} from '../../../src/features/finder/finderDraw.ts'
import { serviceMean } from '../../../src/scenario/model/distributions.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { createArrivals } from '../../../src/workload/arrivals.ts'
import { createRandom, randomKey } from '../../../src/workload/random.ts'
import { valid } from '../../fixtures/anyScenario.ts'

/** Dice that fall as written: `3/8` for the number 3 of 8 from 0 on, `0.4` for a number between 0 and 1. Throws if asked for another kind. */
function loaded(script: string): Dice & { readonly left: readonly string[] } {
  const left = script.split(' ').filter((each) => each !== '')
  const below = (n: number) => {
    const [index, of] = (left.shift() ?? '').split('/').map(Number)
    if (of !== n) throw new Error(`asked for one of ${n} before: ${left.join(' ')}`)
    return index
  }
  const next = () => {
    const number = left.shift()
    if (number === undefined || number.includes('/')) throw new Error(`asked for a share before: ${left.join(' ')}`)
    return Number(number)
  }
  return { left, drawn: 0, next, below, pick: (items) => items[below(items.length)] }
}

/** What comes of a throw, all of which is used. */
function thrown<T>(script: string, use: (dice: Dice) => T): T {
  const dice = loaded(script)
  const result = use(dice)
  expect(dice.left).toEqual([])
  return result
}

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

/** The base with something else at one stage. */
const stageWith = (k: number, patch: object) => ({ stages: base.stages.map((stage, s) => (s === k ? { ...stage, ...patch } : stage)) })

describe('the dice of a chain', () => {
  test('are the random numbers of its seed and number, and go on where they stopped', () => {
    const random = createRandom(9, randomKey('finder'))
    const dice = createDice(9, 3, 0)
    expect([dice.next(), dice.next()]).toEqual([random(3, 0), random(3, 1)])
    expect(dice.drawn).toBe(2)
    const later = createDice(9, 3, dice.drawn)
    expect([later.below(1000), later.pick(['a', 'b', 'c'])]).toEqual([Math.floor(random(3, 2) * 1000), ['a', 'b', 'c'][Math.floor(random(3, 3) * 3)]])
    expect(later.drawn).toBe(4)
  })
})

describe('a drawn scenario', () => {
  test('has the stages, jobs, workers, services and times that were thrown', () => {
    // Four stages: constant, and one of each other shape; three jobs of at most 12; six workers of at most 8.
    const stages = '3/8 1/4 2/12 1/3 5/8 4/11 0.59 3/11 0.6 1/4 2/11 0.9 2/4 10/11 0.7 3/4 0/3 2/3'
    const drawn = thrown(`${stages} 41/1000 3/4 0.5 0/3 0.25 1/3 0.5 2/3 0.01`, drawScenario)
    const services = [
      constant(10_000),
      { kind: 'exponential', mean: 5000 },
      { kind: 'uniform', min: 1500, max: 4500 },
      { kind: 'bimodal', fast: 1_000_000, slow: 1_000_000, pSlow: 0.5 },
    ]
    expect(drawn).toEqual(
      valid({
        version: 1,
        seed: 42,
        stages: services.map((service, k) => ({ id: 'ABCD'[k], service })),
        workers: 6,
        batch: { size: 8 },
        ...times(2500, 10_000, 50_000),
      }),
    )
  })

  test('has all jobs at once every other time, and a shape that may be constant too', () => {
    const drawn = thrown('0/8 0/4 4/6 0/3 0/4 1/11 0.61 0/4 0/1000 2/4 0.49', drawScenario)
    expect(drawn).toEqual(
      valid({ version: 1, seed: 1, stages: [{ id: 'A', service: constant(2000) }], workers: 1, batch: { size: 2 }, ...times(0, 0, 0, 0, 0) }),
    )
  })

  test('and all that comes of changing it again and again stays small, in scale, and in order', () => {
    const seen = { changes: 0, bimodal: 0, costs: 0, stages: new Set<number>() }
    const dishonest: string[] = []
    for (let seed = 0; seed < 40; seed++) {
      const dice = createDice(seed, 0, 0)
      let scenario = drawScenario(dice)
      for (let step = 0; step < 40 && 'scenario' in parse(scenario); step++) {
        if (!isHonest(scenario)) dishonest.push(`seed ${seed}, step ${step}`)
        const { stages, switchCost } = scenario
        seen.stages.add(stages.length)
        if (stages.some(({ changes }) => changes.length > 1)) seen.changes++
        if (stages.some(({ service }) => service.kind === 'bimodal')) seen.bimodal++
        if (switchCost > 0) seen.costs++
        scenario = mutated(scenario, dice, false)
      }
    }
    expect(dishonest).toEqual([])
    expect(seen.stages).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]))
    expect(Math.min(seen.changes, seen.bimodal, seen.costs)).toBeGreaterThan(20)
  })
})

/** Whether a scenario keeps the bounds of what is searched. */
function isHonest({ stages, workers, source, cores }: Scenario): boolean {
  const at = source.kind === 'times' ? source.at : []
  const inOrder = at.every((time, k) => Number.isInteger(time) && time >= (at[k - 1] ?? 0) && time <= 10_000_000)
  const services = stages.flatMap(({ service, changes }) => [service, ...changes.map((change) => change.service)])
  // Whole microseconds: a mean is rounded.
  const inScale = services.map(serviceMean).every((mean) => mean > 999 && mean < 1_000_001)
  const changesInOrder = stages.every(({ changes }) => changes.length <= 4 && changes.every(({ from }, k) => from > (changes[k - 1]?.from ?? 0)))
  const small = stages.length <= MAX_FOUND_STAGES && workers <= MAX_FOUND_WORKERS && cores === workers && at.length > 0 && at.length <= 48
  return small && inOrder && inScale && changesInOrder
}

describe('a random change of a scenario', () => {
  const later = [3, 5, 6].map((from) => ({ from, service: constant(1000 * from) }))
  const four = [2, 3, 4, 5].map((from) => ({ from, service: constant(1000 * from) }))
  test.each<[string, string, object, object?]>([
    ['a stage takes twice as long', '0/13 6/8 0/3', stageWith(0, { service: constant(8000) })],
    ['a stage takes a tenth', '1/13 0/8 1/3', stageWith(1, { service: { kind: 'exponential', mean: 2000 } })],
    ['a stage takes a tenth, but no less than a millisecond', '0/13 0/8 0/3', stageWith(0, { service: constant(1000) })],
    [
      'a stage takes ten times as long, but no more than a second',
      '0/13 7/8 0/3',
      stageWith(0, { service: constant(1_000_000) }),
      stageWith(0, { service: constant(200_000) }),
    ],
    ['a stage gets another shape with its mean', '2/13 2/3 1/4', stageWith(2, { service: { kind: 'exponential', mean: 3000 } })],
    ['a stage is slow once in ten times', '2/13 0/3 3/4 1/3 0/3', stageWith(0, { service: { kind: 'bimodal', fast: 4000, slow: 40_000, pSlow: 0.1 } })],
    ['a stage takes something else from some job on', '3/13 1/3 3/5 4/11 0.3', stageWith(1, { changes: [{ from: 4, service: constant(10_000) }] })],
    [
      'a stage no longer takes something else from its last change on',
      '3/13 1/3 0.49',
      stageWith(1, { changes: later.slice(0, 2) }),
      stageWith(1, { changes: later }),
    ],
    [
      'a change comes to others in order',
      '3/13 1/3 0.5 3/5 4/11 0.3',
      stageWith(1, { changes: [later[0], { from: 4, service: constant(10_000) }, later[1], later[2]] }),
      stageWith(1, { changes: later }),
    ],
    [
      'a change takes the place of another of its job',
      '3/13 1/3 0.5 2/5 4/11 0.3',
      stageWith(1, { changes: [{ from: 3, service: constant(10_000) }, later[1], later[2]] }),
      stageWith(1, { changes: later }),
    ],
    [
      'a fifth change drives out the last',
      '3/13 1/3 0.5 0/5 4/11 0.3',
      stageWith(1, { changes: [{ from: 1, service: constant(10_000) }, ...four.slice(0, 3)] }),
      stageWith(1, { changes: four }),
    ],
    ['one worker fewer', '4/13 1/4', { workers: 3, cores: 3 }, { workerEvents: [] }],
    ['never fewer than one worker', '4/13 0/4', { workers: 1, cores: 1 }, { workers: 1, cores: 1, workerEvents: [] }],
    ['never more than 16 workers', '4/13 3/4', { workers: 16, cores: 16 }, { workers: 15, cores: 15, workerEvents: [] }],
    ['as many workers as there were, where these are more than 16', '4/13 2/4', { workers: 20, cores: 20 }, { workers: 20, cores: 20, workerEvents: [] }],
    ['some other number of workers', '5/13 9/16', { workers: 10, cores: 10 }, { workerEvents: [] }],
    ['an arrival moves by up to half a service', '6/13 1/5 1/3 0/5 0.75', times(0, 5000, 5000, 6000, 9000)],
    ['an arrival moves to any time up to a service after the last', '7/13 0/5 0/3 1/5 0.5', times(1000, 5000, 5000, 6500, 9000)],
    ['all arrivals come slower', '6/13 0/5 0/3 2/5 3/4', times(0, 2000, 10_000, 10_000, 18_000)],
    ['all arrivals from one on come later', '6/13 2/5 0/3 3/5 0.75', times(0, 1000, 7000, 7000, 11_000)],
    ['all arrivals from one on come earlier, in order', '6/13 1/5 0/3 3/5 0.25', times(0, 0, 3000, 3000, 7000)],
    ['all after an arrival come with it', '6/13 1/5 0/3 4/5', times(0, 1000, 1000, 1000, 1000)],
    ['a job less', '8/13 1/5 0.49', times(0, 5000, 5000, 9000)],
    ['four jobs more at the time of one', '8/13 4/5 0.5 2/3', times(0, 1000, 5000, 5000, 9000, 9000, 9000, 9000, 9000)],
    ['never no job', '8/13 0/1 0/3', times(7, 7), times(7)],
    ['at most 48 jobs', '8/13 46/47 0.6 2/3', times(...Array(48).fill(6)), times(...Array(47).fill(6))],
    ['another random seed', '9/13 998/1000', { seed: 999 }],
    ['other batches', '10/13 3/5', { batch: { size: 3, inHand: 1 } }],
    ['changing stage costs nothing', '11/13 0.49', { switchCost: 0 }],
    ['changing stage costs a twentieth of the mean service', '11/13 0.5 1/3', { switchCost: 450 }],
    ['a fault comes at twice the time, after others', '12/13 0/2 5/6', { workerEvents: [base.workerEvents[1], { ...base.workerEvents[0], at: 4000 }] }],
    ['a fault comes sooner', '12/13 1/2 2/6', { workerEvents: [base.workerEvents[0], { ...base.workerEvents[1], at: 2850 }] }],
    ['nothing where there is no fault', '12/13', {}, { workerEvents: [] }],
    ['no arrivals where these are no list', '6/13', {}, { source: { kind: 'batch', jobs: 5 } }],
    ['no jobs where these are no list', '8/13', {}, { source: { kind: 'batch', jobs: 5 } }],
  ])('%s', (_, script, changed, before = {}) => {
    const scenario = { ...base, ...before }
    expect(thrown(`0/4 ${script}`, (dice) => mutated(scenario, dice, true))).toEqual({ ...scenario, ...changed })
  })

  const [a, b, c] = base.stages
  const links = (...ids: string[]) => ['source', ...ids].map((id, k) => [id, ids[k] ?? 'sink'])
  test.each<[string, string, object, object?]>([
    ['a stage like another comes in between', '13/16 1/4 1/3', { stages: [a, b, c, { ...b, id: 'D', name: 'D' }], links: links('A', 'D', 'B', 'C') }],
    ['a stage like another comes last', '13/16 3/4 0/3', { stages: [a, b, c, { ...a, id: 'D', name: 'D' }], links: links('A', 'B', 'C', 'D') }],
    ['a stage goes', '14/16 1/3', { stages: [a, c], links: links('A', 'C') }],
    [
      'two stages exchange what they take',
      '15/16 0/3 1/3',
      {
        stages: [{ ...a, service: b.service, changes: [{ from: 3, service: constant(7) }] }, { ...b, service: a.service, changes: [] }, c],
      },
      stageWith(1, { changes: [{ from: 3, service: constant(7) }] }),
    ],
    [
      'a stage comes to a line only',
      '13/16',
      {},
      {
        links: [
          ['source', 'A'],
          ['source', 'B'],
          ['A', 'C'],
          ['B', 'C'],
          ['C', 'sink'],
        ],
      },
    ],
  ])('of the stages too: %s', (_, script, changed, before = {}) => {
    const scenario = { ...base, ...before }
    expect(thrown(`0/4 ${script}`, (dice) => mutated(scenario, dice, false))).toEqual({ ...scenario, ...changed })
  })

  test('adds no ninth stage', () => {
    const ids = 'ABCDEFGH'.split('')
    const stages = [...ids.slice(0, 7), 'Z'].map((id) => ({ id }))
    for (const full of [stages, ids.map((id) => ({ id }))]) {
      const scenario = valid({ version: 1, stages: full, workers: 8, ...times(0) })
      expect(thrown('0/4 13/16', (dice) => mutated(scenario, dice, false))).toEqual(scenario)
    }
  })

  test('comes up to three times at once', () => {
    expect(thrown('1/4 9/13 0/1000', (dice) => mutated(base, dice, true))).toEqual({ ...base, seed: 1 })
    expect(thrown('2/4 9/13 0/1000 10/13 2/5', (dice) => mutated(base, dice, true))).toEqual({ ...base, seed: 1, batch: { size: 2, inHand: 1 } })
    expect(thrown('3/4 9/13 0/1000 9/13 1/1000 11/13 0.1', (dice) => mutated(base, dice, true))).toEqual({ ...base, seed: 2, switchCost: 0 })
  })
})

describe('the scenario to search around', () => {
  test('has its first 48 arrivals as a list; jobs of groups stay what they are', () => {
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
    ]) {
      const scenario = { ...base, source } as unknown as Scenario
      expect(startAround(scenario)).toBe(scenario)
    }
  })

  test('stays what it is where no job comes', () => {
    const none = { ...base, ...times() } as Scenario
    expect(countJobs(none.source)).toBe(0)
    expect(startAround(none)).toBe(none)
  })
})

test('times become whole microseconds in order, from 0 to ten seconds', () => {
  expect(timesOf([7.6, 3.2, -4, 10_000_001, 5])).toEqual({ kind: 'times', at: [0, 3, 5, 8, 10_000_000] })
})
