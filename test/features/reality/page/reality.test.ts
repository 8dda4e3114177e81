import { expect, test } from 'vitest'
import { coresOf } from '../../../../src/app/compare/verdict/judging.ts'

import { engineNames } from '../../../../src/scenario/model/engines.ts'
import { createTrace } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

test('beside a run in a room each worker is simulated with a core of its own, beside others with those of the scenario', () => {
  const cores = (workers: number, cores: number) => {
    const scenario = valid({ version: 1, source: { kind: 'batch', jobs: 1 }, stages: [{ id: 'A' }], workers, cores })
    return engineNames.map((engine) => [engine, coresOf({ scenario, trace: createTrace(scenario, engine, 0) })])
  }
  expect(Object.fromEntries(cores(12, 2))).toEqual({ simulation: 2, threads: 2, room: 12 })
  expect(Object.fromEntries(cores(2, 8))).toEqual({ simulation: 8, threads: 8, room: 8 })
})
