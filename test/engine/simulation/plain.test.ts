import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDivisorRule } from '../../../src/allocation/rules.ts'
import { isPlain } from '../../../src/engine/simulation/simulatedRun.ts'
import { beginAnyRun, createSimulation } from '../../../src/engine/simulation/simulation.ts'
import { record } from '../../../src/runs/play/play.ts'
import { policies, policyKinds } from '../../../src/scenario/model/policies.ts'
import type { Scenario, Service } from '../../../src/scenario/model/scenario.ts'
import { lineOf } from '../../bench/scenarios.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { linksOf, scenarioWith } from '../../fixtures/scenarios.ts'
import { digestOf } from '../../trace/digestOf.ts'

/** Plays a scenario and returns everything about the run; `general` plays it with the general core. */
async function played(scenario: Scenario, general: boolean, letMessagesIn?: (stop: () => void) => void) {
  const engine = createSimulation(async () => letMessagesIn?.(() => engine.stop()), general ? beginAnyRun : undefined)
  const trace = await record(engine, 'simulation', scenario, 0)
  return {
    digest: digestOf(trace),
    rows: trace.length,
    decisions: trace.decisions.length,
    ending: trace.ending,
    failures: trace.failures,
  }
}

async function bothAgree(scenario: Scenario, letMessagesIn?: (stop: () => void) => void) {
  expect(isPlain(scenario)).toBe(true)
  const run = await played(scenario, false, letMessagesIn)
  expect(run).toEqual(await played(scenario, true, letMessagesIn))
  return run
}

function parsed(input: object): Scenario {
  return scenarioWith(input)
}

const rules = policyKinds.filter((kind) => isDivisorRule(kind) && policies[kind].group !== 'ahead')

/** A scenario without special features; plain features stay. */
const anyPlain = fc
  .tuple(
    anyScenario({ policies: rules, workerEvents: false, fails: false, capacity: false, turns: false }),
    fc.boolean(),
  )
  .map(([scenario, waits]) =>
    parsed({
      ...scenario,
      stages: scenario.stages.map((stage) => ({
        ...stage,
        discipline: 'fifo',
        resource: null,
        startUp: null,
        ...(waits ? { work: 'wait' } : {}),
      })),
      cores: waits ? scenario.cores : scenario.workers,
      batch: { size: 1, inHand: 1 },
      switchCost: 0,
      groupSwitchCost: 0,
      network: null,
      order: { kind: 'none' },
    }),
  )

const services = [1000, 4000, 2000].map((mean): Service => ({ kind: 'exponential', mean }))
const longLine = lineOf({ jobs: 20_000, seed: 7, workers: 8, services, rate: 900 })

describe('a plain scenario has the same run in the plain and the general core', () => {
  test('with any source, services, estimator and divisor rule', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlain, async (scenario) => void (await bothAgree(scenario))),
      { numRuns: repeats(300) },
    )
  })

  test('over many journals', async () => {
    expect(await bothAgree(longLine)).toMatchObject({ rows: 160_001, ending: 'drained' })
  })
})

test.each<[string, object]>([
  ['another discipline', { stages: [{ id: 'a', discipline: 'lifo' }] }],
  ['a bounded queue', { stages: [{ id: 'a' }, { id: 'b', capacity: 1 }] }],
  ['a job that throws', { stages: [{ id: 'a', fails: { jobs: [1], tries: 2 } }] }],
  [
    'a resource',
    {
      stages: [{ id: 'a', resource: 'group' }],
      source: { kind: 'groups', groups: [2, 2], order: 'asProduced', feeders: 1, window: 1 },
    },
  ],
  ['a policy without divisors', { policy: { kind: 'sinkFirst' } }],
  [
    'a graph',
    {
      stages: [{ id: 'a' }, { id: 'b' }],
      links: linksOf('source>a source>b a>sink b>sink'),
    },
  ],
  ['batches', { batch: { size: 2 } }],
  ['adaptive batches', { batch: { adaptive: true } }],
  ['a second batch in hand', { batch: { size: 1, inHand: 2 } }],
  ['an order', { order: { kind: 'buffer', slots: 4 } }],
  ['a worker event', { workerEvents: [{ at: 5, kind: 'crash', worker: 0 }] }],
  ['a schedule', { later: [{ at: 5, policy: { kind: 'jefferson' } }] }],
  ['a switch cost', { switchCost: 1 }],
  ['a group switch cost', { groupSwitchCost: 1 }],
  ['a network', { network: { roundTrip: 0 } }],
  ['too few cores', { cores: 1 }],
])('%s is not plain', (_, special) => {
  const plain = {
    version: 1,
    stages: [{ id: 'a' }],
    workers: 2,
    source: { kind: 'batch', jobs: 4 },
    policy: { kind: 'leastScore' },
    batch: { size: 1 },
  }
  expect(isPlain(parsed(plain))).toBe(true)
  expect(isPlain(parsed({ ...plain, ...special }))).toBe(false)
})
