import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { beganAt, endedAt, FINISHED } from '../../src/pipeline/rows.ts'
import { record } from '../../src/runs/play/record.ts'
import type { Scenario, Service } from '../../src/scenario/model/scenario.ts'
import { eachRow } from '../../src/trace/trace.ts'
import { playByHand } from './handWritten.ts'
import { lineOf } from './scenarios.ts'

type Span = readonly [stage: number, worker: number, job: number, began: number, ended: number]

/** The spans of a run in the order in which they ended. */
async function spansOf(scenario: Scenario): Promise<{ spans: Span[]; decisions: number }> {
  const trace = await record(createSimulation(), 'simulation', scenario, 0)
  const spans: Span[] = []
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === FINISHED) spans.push([rows.stage[i], rows.worker[i], rows.job[i], beganAt(rows, i), endedAt(rows, i)])
  })
  return { spans, decisions: trace.decisions.length }
}

function handSpansOf(scenario: Scenario): { spans: Span[]; decisions: number } {
  const { length, decisions, stage, worker, job, began, ended } = playByHand(scenario)
  return { spans: Array.from({ length }, (_, k) => [stage[k], worker[k], job[k], began[k], ended[k]] as const), decisions }
}

const anyService: fc.Arbitrary<Service> = fc.oneof(
  // Few different times, so that many jobs end at one instant and ties have to be broken.
  fc.integer({ min: 1, max: 4 }).map((mean): Service => ({ kind: 'constant', mean })),
  fc.integer({ min: 1, max: 3000 }).map((mean): Service => ({ kind: 'exponential', mean })),
  fc.integer({ min: 1, max: 6 }).map((max): Service => ({ kind: 'uniform', min: 1, max })),
)

const anyLine = fc
  .record({
    jobs: fc.integer({ min: 1, max: 60 }),
    seed: fc.integer({ min: 0, max: 4_294_967_295 }),
    workers: fc.integer({ min: 1, max: 9 }),
    services: fc.array(anyService, { minLength: 1, maxLength: 5 }),
    rate: fc.oneof(fc.constant(null), fc.integer({ min: 100, max: 400_000 })),
  })
  .map(({ jobs, seed, workers, services, rate }) => lineOf({ jobs, seed, workers, services, rate }))

describe('the hand-written loop', () => {
  test('has the spans and as many decisions as the engine, whatever the services and arrivals', async () => {
    await fc.assert(
      fc.asyncProperty(anyLine, async (scenario) => {
        expect(handSpansOf(scenario)).toEqual(await spansOf(scenario))
      }),
      { numRuns: 150 },
    )
  })

  test('has the spans of the engine on the benchmark itself, on fewer jobs', async () => {
    const services: Service[] = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }))
    const scenario = lineOf({ jobs: 3000, seed: 7, workers: 8, services, rate: 900 })
    expect(handSpansOf(scenario)).toEqual(await spansOf(scenario))
  })
})
