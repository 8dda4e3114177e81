import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { beganAt, endedAt, FINISHED } from '../../src/pipeline/rows.ts'
import { record } from '../../src/runs/play/play.ts'
import type { Scenario, Service } from '../../src/scenario/model/scenario.ts'
import { eachRow } from '../../src/trace/trace.ts'
import { repeats } from '../fixtures/extent.ts'
import { playPlainLoop } from './plainLoop.ts'
import { lineOf } from './scenarios.ts'

type Span = readonly [stage: number, worker: number, job: number, began: number, ended: number]

/** The spans of a run in the order in which they ended. */
async function spansOf(scenario: Scenario): Promise<Span[]> {
  const trace = await record(createSimulation(), 'simulation', scenario, 0)
  const spans: Span[] = []
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === FINISHED)
      spans.push([rows.stage[i], rows.worker[i], rows.job[i], beganAt(rows, i), endedAt(rows, i)])
  })
  return spans
}

function loopSpansOf(scenario: Scenario): Span[] {
  const { length, stage, worker, job, began, ended } = playPlainLoop(scenario)
  return Array.from({ length }, (_, k) => [stage[k], worker[k], job[k], began[k], ended[k]] as const)
}

const anyService: fc.Arbitrary<Service> = fc.oneof(
  // A few distinct times, so that many jobs end at one instant and ties occur.
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

test('the loop has the spans of the engine, with any services and arrivals', async () => {
  await fc.assert(
    fc.asyncProperty(anyLine, async (scenario) => {
      expect(loopSpansOf(scenario)).toEqual(await spansOf(scenario))
    }),
    { numRuns: repeats(150) },
  )
})
