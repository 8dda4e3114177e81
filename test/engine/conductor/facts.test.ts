import { describe, expect, test } from 'vitest'
import type { BatchOrder, Reply } from '../../../src/engine/conductor/batchPort.ts'
import { LONGEST_TICK } from '../../../src/engine/conductor/callTracker.ts'
import { type ConductedRun, createConductedRun } from '../../../src/engine/conductor/conductedRun.ts'
import { gatherFacts } from '../../../src/engine/conductor/facts.ts'
import { carryOut } from '../../../src/engine/conductor/orders.ts'
import { isIdle, noteActivity } from '../../../src/engine/engine.ts'
import type { Failure } from '../../../src/pipeline/journal.ts'
import { beganAt, kinds, rowAt } from '../../../src/pipeline/rows.ts'
import { dispatch } from '../../../src/scheduler/dispatch.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

interface Sent {
  readonly worker: number
  readonly lease: number
  readonly batch: BatchOrder
  readonly patience: number
  readonly behind: boolean
}

/** A run whose threads are lists of sent messages. */
function runOf(asked: object) {
  const sent: Sent[] = []
  const dismissed: number[] = []
  const hired: number[] = []
  const failures: Failure[] = []
  const pool = {
    hire: (worker: number) => hired.push(worker),
    send: (worker: number, lease: number, batch: BatchOrder, patience: number, behind: boolean) =>
      sent.push({ worker, lease, batch, patience, behind }),
    hangAt() {},
    dismiss: (worker: number) => dismissed.push(worker),
    end() {},
  }
  const listener = { journal() {}, failure: (failure: Failure) => failures.push(failure), ended() {} }
  const stages = [{ id: 'A', work: 'wait', service: { kind: 'constant', mean: 1000 } }]
  const scenario = scenarioWith({ source: { kind: 'batch', jobs: 20 }, stages, workers: 4, ...asked })
  const run = createConductedRun(scenario, listener, pool, { ignored: 0, instants: 0 }, { cores: 4 })
  return { run, sent, dismissed, hired, failures, at: (now: number) => instant(run, now) }
}

/** Plays an instant; its facts as "kind worker job". */
function instant(run: ConductedRun, now: number): string[] {
  run.now = now
  const { rows } = run.journal
  const from = rows.length
  gatherFacts(run)
  const facts = rows.length
  if (facts > from) {
    const orders = dispatch(run.core, run.journal, from)
    if (run.controllerClock !== null) noteActivity(run.controllerClock, run.journal.rows, from)
    carryOut(run, orders)
  }
  return Array.from(
    { length: facts - from },
    (_, k) => `${kinds[rows.kind[from + k]]} ${rows.worker[from + k]} ${rows.job[from + k]}`,
  )
}

const reply = (began: number, ended: number): Reply => ({ began, ended: [ended], threw: null, payloads: null })
const thrown = (job: number): Reply => ({ began: 0, ended: [], threw: { job, reason: 'no' }, payloads: null })

describe('the facts of an instant', () => {
  test('stand in order of kind, then worker, however they arrived', () => {
    const { run, sent, at, failures } = runOf({
      source: { kind: 'times', at: [0, 0, 0, 0, 900] },
      workerEvents: [{ at: 1000, kind: 'crash', worker: 3 }],
    })
    at(0)
    const leaseOf = (worker: number) => sent[worker].lease
    run.inbox.stopped = true
    run.inbox.reports.push({ worker: 2, lease: leaseOf(2), reply: thrown(2), reason: '', silence: 0 })
    run.inbox.reports.push({ worker: 1, lease: leaseOf(1), reply: reply(0, 990), reason: '', silence: 0 })
    run.inbox.reports.push({ worker: 0, lease: leaseOf(0), reply: reply(0, 990), reason: '', silence: 0 })
    expect(at(1000)).toEqual([
      'finished 0 0',
      'finished 1 1',
      'threw 2 2',
      'lost 3 -1',
      'arrived -1 4',
      'exhausted -1 -1',
      'stopped -1 -1',
    ])
    expect(failures.map(({ kind }) => kind)).toEqual(['job', 'worker'])
  })

  test('contain a reply once, and only under the expected lease', () => {
    const { run, sent, at } = runOf({})
    at(0)
    const [first] = sent
    run.inbox.reports.push({ worker: 0, lease: first.lease + 100, reply: reply(0, 10), reason: '', silence: 0 })
    expect(at(10)).toEqual([])
    run.inbox.reports.push({ worker: 0, lease: first.lease, reply: reply(0, 10), reason: '', silence: 0 })
    expect(at(20)).toEqual(['finished 0 0'])
    run.inbox.reports.push({ worker: 0, lease: first.lease, reply: reply(0, 10), reason: '', silence: 0 })
    expect(at(30)).toEqual([])
    expect(run.diagnostics.ignored).toBe(2)
  })

  test('begin with starting a thread for a worker that joins', () => {
    const { run, at, hired } = runOf({ workerEvents: [{ at: 10, kind: 'join', worker: 4 }] })
    at(0)
    expect(at(10)).toEqual([])
    expect([hired, run.joining.has(4)]).toEqual([[4], true])
    run.joining.delete(4)
    run.inbox.joined.push(4)
    expect(at(20)).toEqual(['joined 4 -1'])
  })
})

describe('events of workers', () => {
  const event = (at: number, kind: string, worker: number) => ({ at, kind, worker })

  test('at the same time are ordered by worker, and only a crash is reported as a failure', () => {
    const { at, failures, dismissed } = runOf({
      source: { kind: 'batch', jobs: 0 },
      workerEvents: [event(5, 'crash', 3), event(5, 'leave', 1), event(5, 'hang', 2)],
    })
    at(0)
    expect(at(5)).toEqual(['lost 1 -1', 'lost 3 -1'])
    expect([failures.map(({ worker, reason }) => [worker, reason]), dismissed]).toEqual([[[3, 'crashed']], [3, 1]])
  })
})

test('a batch that could not be served counts as a throw of its first job, with the reason', () => {
  const { run, sent, at, failures } = runOf({ workers: 1, batch: { size: 2 } })
  at(0)
  run.inbox.reports.push({ worker: 0, lease: sent[0].lease, reply: null, reason: 'no memory', silence: 0 })
  expect(at(500)).toEqual(['threw 0 0'])
  expect(failures).toEqual([{ time: 500, kind: 'job', stage: 0, worker: 0, job: 0, reason: 'no memory' }])
})

test('an order carries the predicted times, the cost of changing stage, and a patience of ten times that, at least two seconds', () => {
  const stages = ['A', 'B'].map((id) => ({ id, work: 'wait', service: { kind: 'constant', mean: 1_000_000 } }))
  const { run, sent, at } = runOf({ source: { kind: 'batch', jobs: 1 }, stages, workers: 1, switchCost: 500_000 })
  at(0)
  run.inbox.reports.push({ worker: 0, lease: sent[0].lease, reply: reply(0, 1_000_000), reason: '', silence: 0 })
  at(1_000_000)
  expect(sent.map(({ batch, patience }) => [batch.jobs, batch.services, batch.switchCosts, patience])).toEqual([
    [[0], [1_000_000], [0], 10_000_000],
    [[0], [1_000_000], [500_000], 15_000_000],
  ])
})

test('a long batch gives the next ones more patience, but the time that the machine slept does not count', () => {
  for (const asleep of [0, 8 * 3_600_000_000]) {
    const { run, sent, at } = runOf({ workers: 1 })
    at(0)
    run.inbox.reports.push({ worker: 0, lease: sent[0].lease, reply: reply(0, 1000), reason: '', silence: 5_000_000 })
    at(5_000_000 + asleep)
    // At most one tick more, since the clock is read once per tick.
    expect(sent[1].patience).toBeGreaterThanOrEqual(10 * 5_000_000)
    expect(sent[1].patience).toBeLessThanOrEqual(10 * (5_000_000 + LONGEST_TICK))
  }
})

test('ticks during sleep do not count as idle: a worker that waits for a controller is not stuck after a night', () => {
  const policy = { kind: 'pid', kp: 0, ki: 0, kd: 0, every: 100_000, setpoint: 0, up: -1, down: 1 }
  const { run, at } = runOf({ policy })
  const atRest = () => run.controllerClock !== null && isIdle(run.controllerClock, run.now)
  for (let time = 0; time <= 1_000_000; time += 100_000) at(time)
  expect(at(8 * 3_600_000_000)).toEqual(['tick -1 -1'])
  expect(atRest()).toBe(false)
  for (let k = 1; k < 95; k++) at(8 * 3_600_000_000 + k * 100_000)
  expect(atRest()).toBe(true)
})

describe('a worker that waits for a resource', () => {
  const stages = [{ id: 'A', work: 'wait', resource: 'group', service: { kind: 'constant', mean: 1000 } }]
  const asked = { source: { kind: 'groups', groups: [3] }, stages, workers: 2 }

  test('gets its job with the resource, and its service starts then', () => {
    const { run, sent, at } = runOf(asked)
    at(0)
    expect(sent.map(({ worker, batch }) => [worker, batch.jobs])).toEqual([[0, [0]]])
    run.inbox.reports.push({ worker: 0, lease: sent[0].lease, reply: reply(0, 1000), reason: '', silence: 0 })
    at(1200)
    // Worker 1 leaves, and worker 0 waits behind it with job 2.
    expect(sent.map(({ worker, batch }) => [worker, batch.jobs])).toEqual([
      [0, [0]],
      [1, [1]],
    ])
    expect(run.givenAt[1]).toBe(1200)
  })
})

test('a change of group is reported job by job, and is not part of the service', () => {
  const stages = [{ id: 'A', work: 'wait', service: { kind: 'constant', mean: 1000 } }]
  const source = { kind: 'groups', groups: [2, 1], order: 'spread', feeders: 2 }
  const { run, sent, at } = runOf({ source, stages, workers: 1, batch: { size: 3 }, groupSwitchCost: 50 })
  at(0)
  expect(sent[0].batch.switchCosts).toEqual([0, 50, 50])
  run.inbox.reports.push({
    worker: 0,
    lease: sent[0].lease,
    reply: { began: 0, ended: [1000, 2050, 3100], threw: null, payloads: null },
    reason: '',
    silence: 0,
  })
  at(3200)
  const finished = Array.from({ length: run.journal.rows.length }, (_, i) => rowAt(run.journal.rows, i)).filter(
    ({ kind }) => kinds[kind] === 'finished',
  )
  expect(finished.map(({ began, ended }) => [began, ended])).toEqual([
    [0, 1000],
    [1050, 2050],
    [2100, 3100],
  ])
})

describe('a second batch of a worker', () => {
  const ahead = { batch: { size: 1, inHand: 2 }, workers: 1 }

  test('is sent behind the first, and again as soon as the first is reported', () => {
    const { run, sent, at } = runOf(ahead)
    at(0)
    expect(sent.map(({ behind, batch }) => [behind, batch.jobs[0]])).toEqual([
      [false, 0],
      [true, 1],
    ])
    run.inbox.reports.push({ worker: 0, lease: sent[0].lease, reply: reply(0, 990), reason: '', silence: 0 })
    expect(at(1000)).toEqual(['finished 0 0'])
    expect(sent[2]).toMatchObject({ behind: true, batch: { jobs: [2] } })
    // The second started when the first ended, even if the first was reported later.
    run.inbox.reports.push({ worker: 0, lease: sent[1].lease, reply: reply(990, 1900), reason: '', silence: 0 })
    expect(at(2000)).toEqual(['finished 0 1'])
    const { rows } = run.journal
    expect(beganAt(rows, lastFinished(run))).toBe(990)
  })
})

function lastFinished({ journal: { rows } }: ConductedRun): number {
  let i = rows.length - 1
  while (kinds[rows.kind[i]] !== 'finished') i--
  return i
}
