import { describe, expect, test } from 'vitest'
import { createControllerClock } from '../../src/engine/controllerClock.ts'
import { policyFailed } from '../../src/engine/engine.ts'
import { createPhases, pushPhases } from '../../src/engine/phases.ts'
import { startGranted } from '../../src/engine/resourceGrants.ts'
import { silenceLimit } from '../../src/engine/silenceLimit.ts'
import { createJournal } from '../../src/pipeline/journal.ts'
import { createResourceQueues, joinResourceQueue } from '../../src/pipeline/resourceQueues.ts'
import { NONE, PHASE, rowAt } from '../../src/pipeline/rows.ts'
import type { State } from '../../src/pipeline/state.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

test('a worker may be silent for ten times the longer of the expected and the longest batch, and two seconds at least', () => {
  expect([silenceLimit(0, 0), silenceLimit(200_000, 199_999), silenceLimit(200_001, 7), silenceLimit(7, 200_002)]).toEqual([
    2_000_000, 2_000_000, 2_000_010, 2_000_020,
  ])
})

test('a policy that cannot decide ends the run where it is, and the listener is told when and why', () => {
  const failures: object[] = []
  expect(policyFailed({ journal() {}, failure: (failure) => void failures.push(failure), ended() {} }, 77, 'no seats')).toBe('stuck')
  expect(failures).toEqual([{ time: 77, kind: 'run', reason: 'no seats' }])
})

describe('workers that got the resource they waited for', () => {
  const grant = (granted: number[], hands: number[][], waiting: readonly number[] = []) => {
    const scenario = scenarioWith({ source: { kind: 'groups', groups: [9] }, stages: [{ id: 'A', resource: 'group' }], workers: 4 })
    const resourceQueues = createResourceQueues(scenario, 4, () => 0)
    // Worker 3 has the resource.
    for (const worker of waiting) if (resourceQueues !== null) joinResourceQueue(resourceQueues, 0, worker, 1)
    const begun: (readonly [number, number])[] = []
    startGranted({ granted, workerJobs: hands, resourceQueues, counts: { stage: Int16Array.of(5, 6, 7, 8) } } as unknown as State, (worker, stage) =>
      begun.push([worker, stage]),
    )
    return [begun, granted]
  }

  test('begin in the order in which they got it, and each once', () => {
    expect(grant([2, 0], [[4], [], [9], []])).toEqual([
      [
        [2, 7],
        [0, 5],
      ],
      [],
    ])
    expect(grant([], [[4], [5], [6], []])).toEqual([[], []])
  })

  test('do not begin when they have lost their job, or wait again', () => {
    expect(grant([2, 0, 1], [[4], [3], [], []], [3, 0])).toEqual([[[1, 6]], []])
  })
})

describe('the schedule of a run', () => {
  const policy = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 100_000, setpoint: 0, up: -1, down: 1 }
  const later = [
    { at: 50_000, switchCost: 7 },
    { at: 80_000, cores: 3 },
    { at: 200_000, policy: { ...policy, every: 7000 } },
  ]

  test('begins with its first phase, and never where it has none', () => {
    expect(createPhases(scenarioWith({ stages: [{ id: 'A' }], workers: 2, policy, later }))).toEqual({ taken: 0, next: 50_000 })
    expect(createPhases(scenarioWith({ stages: [{ id: 'A' }], workers: 2 }))).toEqual({ taken: 0, next: Infinity })
  })

  test('has a row for each phase that begins by now, and then holds with the keys of all of them', () => {
    const scenario = scenarioWith({ stages: [{ id: 'A' }], workers: 2, policy, later })
    const [journal, phases, controllerClock] = [createJournal(), createPhases(scenario), createControllerClock(scenario)]
    journal.rows.length = 0
    const at = (now: number) => pushPhases({ scenario, journal, phases, controllerClock, now })
    expect([at(49_999).switchCost, journal.rows.length, phases.next]).toEqual([0, 0, 50_000])
    if (controllerClock !== null) controllerClock.next = 1_000_000
    const second = at(80_000)
    expect([second.switchCost, second.cores, phases]).toEqual([7, 3, { taken: 2, next: 200_000 }])
    expect([0, 1].map((i) => rowAt(journal.rows, i))).toEqual(
      [0, 1].map((job) => ({ time: 80_000, kind: PHASE, stage: NONE, worker: NONE, job, began: 80_000, ended: 80_000 })),
    )
    expect(controllerClock).toMatchObject({ every: 100_000, next: 100_000 })
    if (controllerClock !== null) controllerClock.next = 300_000
    at(205_000)
    expect([phases, journal.rows.length]).toEqual([{ taken: 3, next: Infinity }, 3])
    // The first multiple of 7 ms after 205 ms.
    expect(controllerClock).toMatchObject({ every: 7000, next: 210_000 })
  })
})
