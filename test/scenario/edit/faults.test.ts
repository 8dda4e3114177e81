import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  expectedLength,
  faultKey,
  newPhase,
  newWorkerEvent,
  scenarioFaults,
  serviceBefore,
  slowdownOf,
  slowerService,
  withFault,
  withoutFault,
} from '../../../src/scenario/edit/faults.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { anyScenario, elasticPolicies, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { events } from '../../fixtures/scenarios.ts'

const scenario = valid({
  version: 1,
  source: { kind: 'regular', rate: 100, jobs: 200 },
  stages: [
    { id: 'A', service: { kind: 'constant', mean: 1000 } },
    {
      id: 'B',
      service: { kind: 'uniform', min: 2000, max: 4000 },
      changes: [{ from: 50, service: { kind: 'constant', mean: 9000 } }],
    },
  ],
  workers: 4,
  workerEvents: events([100, 'join', 4], [200, 'join', 5], [300, 'crash', 4], [400, 'leave', 5]),
})
const eventsOf = ({ workerEvents }: Scenario) => workerEvents.map(({ at, kind, worker }) => `${at} ${kind} ${worker}`)

describe('a slower service', () => {
  test.each([
    [
      { kind: 'uniform', min: 10, max: 30 },
      { kind: 'uniform', min: 50, max: 150 },
    ],
    [
      { kind: 'bimodal', fast: 10, slow: 40, pSlow: 0.5 },
      { kind: 'bimodal', fast: 50, slow: 200, pSlow: 0.5 },
    ],
    [
      { kind: 'empirical', values: [1, 7] },
      { kind: 'empirical', values: [5, 35] },
    ],
    [
      { kind: 'erlang', mean: 9, k: 2 },
      { kind: 'erlang', mean: 45, k: 2 },
    ],
  ])('of any kind has every time multiplied: %j', (service, slower) => {
    const { stages } = valid({ version: 1, workers: 1, stages: [{ id: 'A', service }] })
    const change = slowerService(stages[0], 3, 5)
    expect(change).toEqual({ kind: 'change', stage: 'A', from: 3, service: slower })
    expect(slowdownOf({ ...scenario, stages }, change)).toBe(5)
    expect(slowdownOf(scenario, { ...change, stage: 'Z' })).toBe(1)
  })
})

describe('the faults of a run', () => {
  test('is inserted at its time, after others of the same time', () => {
    const { scenario: put, key } = withFault(scenario, { at: 250, kind: 'hang', worker: 3 })
    expect(key).toBe('hang 3')
    expect(eventsOf(put)).toEqual(['100 join 4', '200 join 5', '250 hang 3', '300 crash 4', '400 leave 5'])
    expect(parse(put)).toHaveProperty('scenario')
  })

  test('keeps its worker when another joins before: all events of a joining worker move to its new number', () => {
    const { scenario: put, key } = withFault(scenario, { at: 50, kind: 'join', worker: 0 })
    expect(key).toBe('join 4')
    expect(eventsOf(put)).toEqual(['50 join 4', '100 join 5', '200 join 6', '300 crash 5', '400 leave 6'])
    expect(eventsOf(withoutFault(put, key))).toEqual(eventsOf(scenario))
  })

  test('moves: a worker that joins after another gets a later number, and back again', () => {
    const there = withFault(scenario, { at: 250, kind: 'join', worker: 4 }, 'join 4')
    expect(there.key).toBe('join 5')
    expect(eventsOf(there.scenario)).toEqual(['200 join 4', '250 join 5', '300 crash 5', '400 leave 4'])
    const back = withFault(there.scenario, { at: 100, kind: 'join', worker: 5 }, there.key)
    expect(back).toEqual({ scenario, key: 'join 4' })
  })

  test('is removed, and with a joining worker all its events', () => {
    expect(eventsOf(withoutFault(scenario, 'join 4'))).toEqual(['200 join 4', '400 leave 4'])
    expect(eventsOf(withoutFault(scenario, 'crash 4'))).toEqual(['100 join 4', '200 join 5', '400 leave 5'])
    expect(withoutFault(scenario, 'change B 50').stages[1].changes).toEqual([])
    expect(withoutFault(scenario, 'change B 51')).toBe(scenario)
  })

  test('moved there and back it leaves the scenario unchanged, for any scenario and any event', () => {
    fc.assert(
      fc.property(anyScenario(), fc.nat(), fc.integer({ min: 0, max: 500_000 }), (any, pick, at) => {
        const all = scenarioFaults(any)
        // Events at one time have several valid orders.
        fc.pre(all.length > 0 && new Set(any.workerEvents.map((event) => event.at)).size === any.workerEvents.length)
        fc.pre(any.workerEvents.every((event) => event.at !== at))
        const old = all[pick % all.length]
        const next = old.kind === 'change' ? { ...old, from: at % 60 } : { ...old, at }
        fc.pre(!all.some((other) => other !== old && faultKey(other) === faultKey(next)))
        const there = withFault(any, next, faultKey(old))
        const moved = scenarioFaults(there.scenario).find((each) => faultKey(each) === there.key)
        expect(moved).toMatchObject(next.kind === 'change' ? { from: at % 60 } : { at })
        expect(withFault(there.scenario, old, there.key)).toEqual({ scenario: any, key: faultKey(old) })
      }),
      { numRuns: repeats(200) },
    )
  })
})

describe('the offered event', () => {
  test('is for the worker without events with the highest number; a joining worker has the next number', () => {
    expect(newWorkerEvent(scenario, 'crash', 50)).toEqual({ at: 50, kind: 'crash', worker: 3 })
    expect(newWorkerEvent(scenario, 'crash', 350)).toEqual({ at: 350, kind: 'crash', worker: 3 })
    expect(newWorkerEvent(scenario, 'join', 150).worker).toBe(5)
    const two = events([1, 'join', 4], [2, 'hang', 3])
    expect(newWorkerEvent({ ...scenario, workerEvents: two }, 'leave', 5).worker).toBe(4)
    expect(newWorkerEvent({ ...scenario, workerEvents: two }, 'leave', 0).worker).toBe(2)
  })

  test('is valid: any scenario with room for it parses with it', () => {
    fc.assert(
      fc.property(
        anyScenario({ workers: 8 }),
        fc.constantFrom('crash', 'hang', 'leave'),
        fc.integer({ min: 0, max: 500_000 }),
        (any, kind, at) => {
          fc.pre(any.workerEvents.length < any.workers)
          const event = newWorkerEvent(any, kind, at)
          const { scenario: put, key } = withFault(any, event)
          expect(parse(put)).toHaveProperty('scenario')
          expect(withoutFault(put, key).workerEvents).toHaveLength(any.workerEvents.length)
        },
      ),
    )
  })

  test('is slower by the given factor than the stage is by then', () => {
    const [a, b] = scenario.stages
    expect(slowerService(a, 10, 5).service).toEqual({ kind: 'constant', mean: 5000 })
    expect(slowerService(b, 10, 2).service).toEqual({ kind: 'uniform', min: 4000, max: 8000 })
    expect(slowerService(b, 100, 2).service).toEqual({ kind: 'constant', mean: 18_000 })
    expect(serviceBefore(b, 50)).toEqual(b.service)
    expect(
      slowdownOf(scenario, { kind: 'change', stage: 'B', from: 50, service: { kind: 'constant', mean: 9000 } }),
    ).toBe(3)
  })
})

describe('the expected length of a run', () => {
  const length = (more: object) =>
    expectedLength(
      valid({ version: 1, stages: [{ id: 'A', service: { kind: 'constant', mean: 8000 } }], workers: 4, ...more }),
    ) / 1.05

  test('is the work of all jobs over the first workers, or the last arrival, or the last event or phase, whichever is longest', () => {
    const batch = { source: { kind: 'batch', jobs: 10 } }
    expect(length(batch)).toBeCloseTo(20_000, 6)
    expect(length({ ...batch, workers: 1 })).toBeCloseTo(80_000, 6)
    expect(length({ source: { kind: 'times', at: [5, 30_000] } })).toBeCloseTo(30_000, 6)
    expect(length({ ...batch, later: [{ at: 40_000, switchCost: 1 }] })).toBeCloseTo(40_000, 6)
    expect(length({ ...batch, workerEvents: [{ at: 50_000, kind: 'hang', worker: 0 }] })).toBeCloseTo(50_000, 6)
    expect(length({ source: { kind: 'batch', jobs: 0 } })).toBeCloseTo(1000, 6)
  })
})

describe('a new phase of the scheduler', () => {
  const jefferson = { kind: 'phase', at: 500, values: { policy: { kind: 'jefferson', lend: true } } } as const

  test('is inserted, moved and removed like any other, in order of time', () => {
    const { scenario: put, key } = withFault(scenario, jefferson)
    expect([key, put.later]).toEqual(['phase 500', [{ at: 500, policy: { kind: 'jefferson', lend: true } }]])
    const { scenario: more } = withFault(put, { kind: 'phase', at: 700, values: { switchCost: 3 } })
    const moved = withFault(more, { ...jefferson, at: 900 }, key)
    expect([moved.key, moved.scenario.later.map(({ at }) => at)]).toEqual(['phase 900', [700, 900]])
    expect(parse(moved.scenario)).toEqual({ scenario: moved.scenario })
    expect(withoutFault(withoutFault(moved.scenario, 'phase 900'), 'phase 700')).toEqual(scenario)
    expect(withFault(put, { at: 40, kind: 'hang', worker: 3 }, key).scenario.later).toEqual([])
  })

  test('begins with a rule that differs from the current one and can take over', () => {
    fc.assert(
      fc.property(
        anyScenario({ policies: ['leastScore', 'jefferson', 'single', ...elasticPolicies] }),
        fc.nat(400_000),
        (any, time) => {
          const fresh = newPhase(any, time)
          expect(parse(withFault(any, fresh).scenario)).toHaveProperty('scenario')
        },
      ),
    )
    expect(newPhase(scenario, 500)).toEqual(jefferson)
    expect(newPhase(withFault(scenario, jefferson).scenario, 500)).toMatchObject({
      at: 501,
      values: { policy: { kind: 'leastScore' } },
    })
  })
})
