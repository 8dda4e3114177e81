import { describe, expect, test } from 'vitest'
import { createSimulation } from '../../../src/engine/simulation/simulation.ts'
import { ABSENT } from '../../../src/pipeline/counts.ts'
import { FINISHED, RELEASED, STARTED } from '../../../src/pipeline/rows.ts'
import { record } from '../../../src/runs/play/play.ts'
import { CLOCK_END } from '../../../src/scenario/model/limits.ts'
import { endOf, stateAt } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { constant, noted, play } from './play.ts'

const batch = (jobs: number) => ({ kind: 'batch', jobs })

describe('batches', () => {
  test('a batch is reported in one piece, and each job says when it was served', async () => {
    const { trace, rows } = await play({
      source: batch(3),
      stages: [constant('A', 10), constant('B', 5)],
      workers: 1,
      batch: { size: 3 },
      policy: { kind: 'leastScore' },
    })
    expect(noted(rows, trace, 'started', 'finished')).toEqual([
      '0 started A w0 j0',
      '0 started A w0 j1',
      '0 started A w0 j2',
      '30 finished A w0 j0 (0-10)',
      '30 finished A w0 j1 (10-20)',
      '30 finished A w0 j2 (20-30)',
      '30 started B w0 j0',
      '30 started B w0 j1',
      '30 started B w0 j2',
      '45 finished B w0 j0 (30-35)',
      '45 finished B w0 j1 (35-40)',
      '45 finished B w0 j2 (40-45)',
    ])
  })

  test('a batch is served in the order of the queue and reported by job number', async () => {
    const { trace, rows } = await play({ source: batch(2), stages: [constant('A', 10, { discipline: 'lifo' })], workers: 1, batch: { size: 2 } })
    expect(noted(rows, trace, 'started', 'finished')).toEqual([
      '0 started A w0 j1',
      '0 started A w0 j0',
      '20 finished A w0 j0 (10-20)',
      '20 finished A w0 j1 (0-10)',
    ])
  })

  test('on shared cores the parts of a batch lie within it, one behind the other', async () => {
    const { rows } = await play({
      seed: 4,
      source: batch(60),
      stages: [{ id: 'A', service: { kind: 'exponential', mean: 900 } }],
      workers: 6,
      cores: 2,
      batch: { size: 5 },
    })
    const given = new Map<number, number>()
    for (const row of rows) if (row.kind === STARTED) given.set(row.job, row.time)
    const finished = rows.filter(({ kind }) => kind === FINISHED)
    expect(finished.length).toBe(60)
    for (const { job, worker, time, began, ended } of finished) {
      const mates = finished.filter((other) => other.worker === worker && other.time === time)
      expect(Math.min(...mates.map((mate) => mate.began))).toBe(given.get(job))
      expect(Math.max(...mates.map((mate) => mate.ended))).toBe(time)
      expect(began).toBeLessThanOrEqual(ended)
      for (const mate of mates) expect(mate.job === job || mate.ended <= began || mate.began >= ended).toBe(true)
    }
  })
})

describe('changing stage', () => {
  test('costs the worker its time, which is nobody’s service time', async () => {
    const { trace, rows } = await play({
      source: batch(2),
      stages: [constant('A', 100), constant('B', 100)],
      workers: 1,
      switchCost: 7,
      policy: { kind: 'single' },
    })
    expect(noted(rows, trace, 'finished')).toEqual([
      '100 finished A w0 j0 (0-100)',
      '207 finished B w0 j0 (107-207)',
      '314 finished A w0 j1 (214-314)',
      '421 finished B w0 j1 (321-421)',
    ])
    expect([...stateAt(trace, Infinity).counts.serviceSum]).toEqual([200, 200])
  })
})

describe('jobs that throw', () => {
  test('are tried as often as allowed, then failed; the others of their batch go on', async () => {
    const stages = [constant('A', 10, { fails: { jobs: [1], tries: 2 } })]
    const { trace, rows } = await play({ source: batch(3), stages, workers: 1, batch: { size: 3 } })
    expect(noted(rows, trace, 'started', 'threw', 'finished', 'failed')).toEqual([
      '0 started A w0 j0',
      '0 started A w0 j1',
      '0 started A w0 j2',
      '20 threw A w0 j1',
      '20 started A w0 j0',
      '30 finished A w0 j0 (20-30)',
      '30 started A w0 j1',
      '40 threw A w0 j1',
      '40 started A w0 j1',
      '50 threw A w0 j1',
      '50 failed A j1',
      '50 started A w0 j2',
      '60 finished A w0 j2 (50-60)',
    ])
    expect(trace.ending).toBe('drained')
    expect(trace.failures.length).toBe(3)
  })

  test('leave no hole that an ordered sink waits for, even when they fail far ahead of it', async () => {
    const stages = [constant('A', 1, { fails: { jobs: [0, 4, 9], tries: 1 } }), constant('B', 50)]
    const { trace, rows } = await play({ source: batch(12), stages, workers: 3, order: { kind: 'buffer', slots: 2 } })
    expect(trace.ending).toBe('drained')
    expect(noted(rows, trace, 'released').map((note) => note.split(' j')[1])).toEqual(['1', '2', '3', '5', '6', '7', '8', '10', '11'])
  })
})

describe('workers come and go', () => {
  const line = { source: batch(4), stages: [constant('A', 100)] }

  test('who crashes gives back what was in hand; who joins takes part', async () => {
    const workerEvents = [
      { at: 50, kind: 'crash', worker: 0 },
      { at: 60, kind: 'join', worker: 1 },
    ]
    const { trace, rows } = await play({ ...line, workers: 1, workerEvents })
    expect(noted(rows, trace, 'lost', 'joined', 'started').slice(0, 4)).toEqual(['0 started A w0 j0', '50 lost w0', '60 joined w1', '60 started A w1 j0'])
    expect(endOf(trace)).toBe(460)
  })

  test('who leaves first ends the batch in hand', async () => {
    const { trace, rows } = await play({ ...line, workers: 2, workerEvents: [{ at: 50, kind: 'leave', worker: 0 }] })
    expect(noted(rows, trace, 'lost', 'finished').slice(0, 3)).toEqual(['100 finished A w0 j0 (0-100)', '100 finished A w1 j1 (0-100)', '100 lost w0'])
    expect(endOf(trace)).toBe(300)
  })

  test('who hangs is given up after a while, and the job is done by another', async () => {
    const { trace, rows } = await play({ ...line, workers: 2, workerEvents: [{ at: 50, kind: 'hang', worker: 0 }] })
    expect(noted(rows, trace, 'lost')).toEqual(['2000000 lost w0'])
    expect(endOf(trace)).toBe(2_000_100)
    expect(trace.ending).toBe('drained')
  })

  test('who hangs over long work is given ten times as long as the longest batch', async () => {
    const input = { source: batch(2), stages: [constant('A', 1_000_000)], workers: 2, workerEvents: [{ at: 50, kind: 'hang', worker: 0 }] }
    const { trace, rows } = await play(input)
    expect(noted(rows, trace, 'lost')).toEqual(['10000000 lost w0'])
    expect(endOf(trace)).toBe(11_000_000)
  })

  test('who hangs while idle takes a batch, and is then found out', async () => {
    const source = { kind: 'times', at: [0, 500] }
    const { trace, rows } = await play({ ...line, source, workers: 1, workerEvents: [{ at: 200, kind: 'hang', worker: 0 }] })
    expect(noted(rows, trace, 'started', 'lost')).toEqual(['0 started A w0 j0', '500 started A w0 j1', '2000500 lost w0'])
    expect(trace.ending).toBe('stuck')
  })

  test('who leaves at the very instant of joining was never there', async () => {
    const workerEvents = [
      { at: 50, kind: 'join', worker: 1 },
      { at: 50, kind: 'leave', worker: 1 },
    ]
    const { trace, rows } = await play({ ...line, workers: 1, workerEvents })
    expect(noted(rows, trace, 'lost', 'joined')).toEqual([])
    expect(stateAt(trace, Infinity).counts.status[1]).toBe(ABSENT)
    expect(endOf(trace)).toBe(400)
  })

  test('with nobody left the run is stuck, and says what remains', async () => {
    const { trace } = await play({ ...line, workers: 1, workerEvents: [{ at: 150, kind: 'crash', worker: 0 }] })
    expect(trace.ending).toBe('stuck')
    const { arrived, released, waiting } = stateAt(trace, Infinity).counts
    expect([arrived, released, ...waiting]).toEqual([4, 1, 3])
  })
})

describe('bounded queues', () => {
  test('hold what they are allowed to hold, and the source waits outside', async () => {
    const stages = [constant('A', 10, { capacity: 2 }), constant('B', 100, { capacity: 1 })]
    const { trace } = await play({ source: batch(8), stages, workers: 3 })
    expect(trace.ending).toBe('drained')
    for (let t = 0; t <= endOf(trace); t += 5) {
      const { waiting, inHands, outside, arrived } = stateAt(trace, t).counts
      expect(waiting[0]).toBeLessThanOrEqual(2)
      expect(waiting[1] + inHands[0]).toBeLessThanOrEqual(1)
      expect(arrived).toBe(8)
      expect(outside > 0 && waiting[0] < 2).toBe(false)
    }
  })
})

describe('an ordered sink', () => {
  test('lets jobs go in the order of their tickets, and nobody runs further ahead than it has slots', async () => {
    const stages = [
      { id: 'A', service: { kind: 'exponential', mean: 500 } },
      { id: 'B', service: { kind: 'pareto', mean: 800, alpha: 1.5 }, discipline: 'lifo' },
    ]
    const { trace, rows } = await play({ seed: 3, source: batch(200), stages, workers: 6, order: { kind: 'buffer', slots: 4 } })
    expect(noted(rows, trace, 'released').map((note) => Number(note.split(' j')[1]))).toEqual(Array.from({ length: 200 }, (_, job) => job))
    let tail = 0
    for (const { kind, stage, job } of rows) {
      if (kind === STARTED && stage === 1) expect(job).toBeLessThan(tail + 4)
      if (kind === RELEASED) tail = job + 1
    }
  })
})

test('Stop ends the run at the next instant', async () => {
  const engine = createSimulation(async () => engine.stop())
  const trace = await record(
    engine,
    'simulation',
    scenarioWith({ source: { kind: 'poisson', rate: 1000, jobs: 100_000 }, stages: [constant('A', 900)], workers: 1 }),
    0,
  )
  expect(trace.ending).toBe('stopped')
  expect(stateAt(trace, Infinity).counts.stopped).toBe(true)
  expect(trace.length).toBeLessThan(40_000)
})

test('a draw beyond the end of the clock ends the run before it, in words, with a record that can be read', async () => {
  const service = { kind: 'pareto', mean: 4_400_000_000_000, alpha: 1.01 }
  const { trace, rows } = await play({ seed: 5829, source: batch(1), stages: [{ id: 'A', service }, constant('B', 5)], workers: 1 })
  expect(trace.ending).toBe('stuck')
  expect(trace.failures).toEqual([{ time: 0, kind: 'run', reason: 'the next thing would happen after 142 years, where the clock of a run ends' }])
  expect(noted(rows, trace, 'started', 'finished')).toEqual(['0 started A w0 j0'])
  expect(endOf(trace)).toBeLessThan(CLOCK_END)
})
