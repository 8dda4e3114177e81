import { describe, expect, test } from 'vitest'
import { createConductedRun } from '../../../src/engine/conductor/conductedRun.ts'
import type { NewWorkers } from '../../../src/engine/conductor/environment.ts'
import { awaitsNewWorkers, seatNewWorkers } from '../../../src/engine/conductor/orders.ts'
import { ABSENT, BUSY, GONE } from '../../../src/pipeline/counts.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

/** A run of five workers that others may join. */
function world({
  free = 9,
  waited = 0,
  more = {},
}: {
  readonly free?: number
  readonly waited?: number
  readonly more?: object
}) {
  const hired: number[] = []
  const state = { free, waited }
  const newWorkers: NewWorkers = {
    free: () => state.free,
    onNewWorker() {},
    waited: () => state.waited,
    patience: 1000,
  }
  const pool = { hire: (worker: number) => void hired.push(worker), send() {}, hangAt() {}, dismiss() {}, end() {} }
  const listener = { journal() {}, failure() {}, ended() {} }
  const scenario = scenarioWith({
    source: { kind: 'batch', jobs: 3 },
    stages: [{ id: 'A', work: 'wait' }],
    workers: 5,
    ...more,
  })
  const run = createConductedRun(scenario, listener, pool, { ignored: 0, instants: 0 }, { cores: 2, newWorkers })
  return { run, hired, newWorkers, state }
}

describe('new threads', () => {
  test('get the lowest numbers that have no worker, that no starting worker will use, and that the scenario still needs', () => {
    const { run, hired, newWorkers } = world({ free: 2 })
    run.core.state.counts.status.set([GONE, BUSY, ABSENT, GONE, GONE])
    run.wanted[0] = 0
    run.inbox.joined.push(3)
    run.leaving.fill(1)
    seatNewWorkers(run, newWorkers)
    expect([hired, [...run.joining], [...run.leaving]]).toEqual([
      [2, 4],
      [2, 4],
      [1, 1, 0, 1, 0],
    ])
    seatNewWorkers(run, newWorkers)
    expect(hired).toEqual([2, 4])
  })

  test('get no number after the run is stopped, or where the policy hires workers itself', () => {
    const stopped = world({})
    stopped.run.core.state.counts.status.fill(GONE)
    stopped.run.core.state.counts.stopped = true
    seatNewWorkers(stopped.run, stopped.newWorkers)
    const policy = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 1 }
    const elastic = world({ more: { policy } })
    seatNewWorkers(elastic.run, elastic.newWorkers)
    expect([stopped.hired, elastic.hired]).toEqual([[], []])
  })
})

describe('a run without a worker', () => {
  test('waits for new workers from the loss of the last worker until its patience ends', () => {
    const { run, newWorkers, state } = world({ free: 0, waited: 5000 })
    run.core.state.counts.status.fill(GONE)
    seatNewWorkers(run, newWorkers)
    expect([run.emptySince, awaitsNewWorkers(run)]).toEqual([Infinity, true])
    run.core.state.counts.live = 0
    seatNewWorkers(run, newWorkers)
    expect(run.emptySince).toBe(5000)
    state.waited = 5999
    seatNewWorkers(run, newWorkers)
    expect([run.emptySince, awaitsNewWorkers(run)]).toEqual([5000, true])
    state.waited = 6000
    state.free = 3
    seatNewWorkers(run, newWorkers)
    expect([awaitsNewWorkers(run), run.joining.size]).toEqual([false, 0])
    run.core.state.counts.live = 1
    seatNewWorkers(run, newWorkers)
    expect([run.emptySince, awaitsNewWorkers(run)]).toEqual([Infinity, true])
  })
})
