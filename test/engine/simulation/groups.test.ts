import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { constant, noted, play } from './play.ts'

const wait = { resource: 'group' }
const skip = { resource: 'group', whenTaken: 'skip' }
const groups = (sizes: readonly number[], more: object = {}) => ({ kind: 'groups', groups: sizes, ...more })

describe('jobs of one group', () => {
  // 10 ms a job, two groups of three, two workers.
  const asked = { stages: [constant('A', 10_000, wait)], workers: 2 }

  test('wait for each other in the order produced: 50 ms, 30 of them waiting', async () => {
    const { trace, rows } = await play({ ...asked, source: groups([3, 3]) })
    expect(noted(rows, trace, 'started', 'finished')).toEqual([
      '0 started A w0 j0',
      '0 started A w1 j1',
      '10000 finished A w0 j0 (0-10000)',
      '10000 started A w0 j2',
      '20000 finished A w1 j1 (10000-20000)',
      '20000 started A w1 j3',
      '30000 finished A w0 j2 (20000-30000)',
      '30000 finished A w1 j3 (20000-30000)',
      '30000 started A w0 j4',
      '30000 started A w1 j5',
      '40000 finished A w0 j4 (30000-40000)',
      '50000 finished A w1 j5 (40000-50000)',
    ])
    const { makespan, contendedTime, utilisation, stages } = metricsOf(trace)
    expect([makespan, contendedTime, stages[0].contendedTime, stages[0].meanService]).toEqual([
      50_000, 30_000, 30_000, 10_000,
    ])
    expect(utilisation).toBe(0.6)
  })

  test('do not wait where two feeders spread them: 30 ms', async () => {
    const { trace } = await play({ ...asked, source: groups([3, 3], { order: 'spread', feeders: 2 }) })
    expect(metricsOf(trace)).toMatchObject({ makespan: 30_000, contendedTime: 0, utilisation: 1 })
  })

  test('are skipped while their group is taken: 30 ms in the order produced too', async () => {
    const { trace, rows } = await play({ ...asked, stages: [constant('A', 10_000, skip)], source: groups([3, 3]) })
    expect(noted(rows, trace, 'started')).toEqual([
      '0 started A w0 j0',
      '0 started A w1 j3',
      '10000 started A w0 j1',
      '10000 started A w1 j4',
      '20000 started A w0 j2',
      '20000 started A w1 j5',
    ])
    expect(metricsOf(trace)).toMatchObject({ makespan: 30_000, contendedTime: 0 })
  })

  test('show in a frame which workers wait, since when, and for which group', async () => {
    const { trace } = await play({ ...asked, source: groups([3, 3]) })
    const seen = (t: number) =>
      frameAt(trace, t).workers.map(({ status, group, contendedSince }) => [status, group, contendedSince])
    expect(seen(5000)).toEqual([
      ['busy', 0, -1],
      ['busy', 0, 0],
    ])
    expect(seen(10_000)).toEqual([
      ['busy', 0, 10_000],
      ['busy', 0, -1],
    ])
    expect(seen(25_000)).toEqual([
      ['busy', 0, -1],
      ['busy', 1, -1],
    ])
  })
})

describe('a resource is free again at once', () => {
  const two = (more: object, stage: object = {}) =>
    play({ source: groups([2]), stages: [constant('A', 10_000, { ...wait, ...stage })], workers: 2, ...more })

  test('when its holder crashes', async () => {
    const { rows, trace } = await two({ workerEvents: [{ at: 4000, kind: 'crash', worker: 0 }] })
    expect(noted(rows, trace, 'finished')).toEqual([
      '14000 finished A w1 j1 (4000-14000)',
      '24000 finished A w1 j0 (14000-24000)',
    ])
    expect(metricsOf(trace).contendedTime).toBe(4000)
  })

  test('when its job throws', async () => {
    const { rows, trace } = await two({}, { fails: { jobs: [0], tries: 2 } })
    expect(noted(rows, trace, 'threw', 'finished', 'failed')).toEqual([
      '10000 threw A w0 j0',
      '20000 finished A w1 j1 (10000-20000)',
      '30000 threw A w0 j0',
      '30000 failed A j0',
    ])
  })

  test('and a worker that hangs while it waits is given up only after its turn comes', async () => {
    const { rows, trace } = await two({ workerEvents: [{ at: 4000, kind: 'hang', worker: 1 }] })
    expect(noted(rows, trace, 'lost', 'finished')).toEqual([
      '10000 finished A w0 j0 (0-10000)',
      '2010000 lost w1',
      '2020000 finished A w0 j1 (2010000-2020000)',
    ])
  })

  test('when a pool dismisses a waiting worker: the job goes back, and the worker leaves at once', async () => {
    // Two jobs wait, so two workers are hired; when none waits any more, the worker with the higher number leaves, which waits for the resource.
    const policy = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 0 }
    const { rows, trace } = await two({ policy })
    expect(noted(rows, trace, 'hired', 'dismissed', 'started').slice(0, 6)).toEqual([
      '0 hired A w0',
      '0 started A w0 j0',
      '1000 hired A w1',
      '1000 started A w1 j1',
      '2000 dismissed A w1 j1',
      '3000 hired A w1',
    ])
    expect(trace.ending).toBe('drained')
  })
})

describe('a change of group', () => {
  const one = { source: groups([3, 3]), stages: [constant('A', 10_000)], workers: 1, groupSwitchCost: 5000 }
  const spread = groups([3, 3], { order: 'spread', feeders: 2 })

  test('costs once where the groups follow each other, and at every job where they are spread', async () => {
    expect(metricsOf((await play(one)).trace).makespan).toBe(65_000)
    expect(metricsOf((await play({ ...one, source: spread })).trace).makespan).toBe(85_000)
  })

  test('is paid in addition to a change of stage, after the resource is granted', async () => {
    const stages = [constant('A', 1000), constant('B', 1000, wait)]
    const asked = { source: groups([1, 1]), stages, workers: 1, switchCost: 100, groupSwitchCost: 10 }
    const { trace, rows } = await play(asked)
    // A: 0, then 1 after a change of group; B: 0 after a change of both, 1 after a change of group.
    expect(noted(rows, trace, 'finished')).toEqual([
      '1000 finished A w0 j0 (0-1000)',
      '2010 finished A w0 j1 (1010-2010)',
      '3120 finished B w0 j0 (2120-3120)',
      '4130 finished B w0 j1 (3130-4130)',
    ])
    const held = await play({
      source: groups([1, 2]),
      stages: [constant('A', 1000, wait)],
      workers: 2,
      groupSwitchCost: 10,
    })
    // Worker 0 comes from group 0 and waits 0 us: group 1 is free again by then.
    expect(noted(held.rows, held.trace, 'finished').at(-1)).toBe('2010 finished A w0 j2 (1010-2010)')
  })
})

describe('whatever the scenario', () => {
  test('one group of 30,000 jobs is served one at a time, whether workers wait or skip', async () => {
    for (const more of [wait, skip]) {
      const { trace } = await play({
        source: groups([30_000], { order: 'spread', feeders: 4 }),
        stages: [constant('A', 10, { ...more, work: 'wait' })],
        workers: 8,
      })
      expect(metricsOf(trace)).toMatchObject({ completed: 30_000, makespan: 300_000 })
    }
  })
})
