import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
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
})

describe('a change of group', () => {
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
