import type { Micros, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import type { Decision } from './decision.ts'

/**
 * A decision as a test for somebody else's allocator, as JSON. `cpus`, `stats` and `done` are the input of `allocateWorkers`,
 * as plain objects and lists; `expected` are the seats that were given.
 *
 *   { "format": "apportion-decision", "version": 1, "policy": "leastScore", "time": 1040000, "cpus": 8,
 *     "stats": { "A": { "queueLength": 900, "serviceTimesPicos": [1000000000] } }, "done": [], "expected": { "A": 8 } }
 *
 * The scheduler's estimate of a job is written there as one measurement, in whole picoseconds.
 */
export interface TestVector {
  readonly format: 'apportion-decision'
  readonly version: 1
  readonly policy: PolicyKind
  /** Of the policy `power`. */
  readonly power?: number
  readonly time: Micros
  readonly cpus: number
  readonly stats: Readonly<Record<string, { readonly queueLength: number; readonly serviceTimesPicos: readonly number[] }>>
  readonly done: readonly string[]
  readonly expected: Readonly<Record<string, number>>
}

const PICOS = 1_000_000

export function testVectorOf(scenario: Scenario, decision: Decision): TestVector {
  const { stages, policy } = scenarioAtPhase(scenario, decision.phase)
  const by = <T>(value: (s: number) => T) => Object.fromEntries(stages.map(({ id }, s) => [id, value(s)]))
  const seen = decision.stages
  return {
    format: 'apportion-decision',
    version: 1,
    policy: policy.kind,
    ...(policy.kind === 'power' ? { power: policy.p } : {}),
    time: decision.time,
    cpus: decision.workers,
    stats: by((s) => ({ queueLength: seen[s].waiting, serviceTimesPicos: [Math.round(seen[s].mean * PICOS)] })),
    done: stages.filter((_, s) => seen[s].done).map(({ id }) => id),
    expected: by((s) => seen[s].seatsAfter),
  }
}
