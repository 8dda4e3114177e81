import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { constant, noted, play } from './play.ts'

const threshold = { kind: 'threshold', high: 0, idle: 5000, every: 1000 }
const asked = { source: { kind: 'batch', jobs: 3 }, stages: [constant('A', 2500)], workers: 2, policy: threshold }

describe('pools that hire and dismiss, simulated', () => {
  test('are updated at every tick from time 0 on, after the other facts of the instant', async () => {
    const { trace, rows } = await play({ ...asked, source: { kind: 'times', at: [0, 0, 0, 20_000] } })
    expect(trace.ending).toBe('drained')
    expect(noted(rows, trace, 'hired', 'dismissed', 'started', 'released')).toEqual([
      '0 hired A w0',
      '0 started A w0 j0',
      '1000 hired A w1',
      '1000 started A w1 j1',
      '2500 released j0',
      '2500 started A w0 j2',
      '3500 released j1',
      '5000 released j2',
      '9000 dismissed A w1',
      '10000 dismissed A w0',
      '20000 hired A w0',
      '20000 started A w0 j3',
      '22500 released j3',
    ])
    expect(noted(rows, trace, 'arrived', 'tick', 'hired').slice(0, 5)).toEqual([
      '0 arrived j0',
      '0 arrived j1',
      '0 arrived j2',
      '0 tick',
      '0 hired A w0',
    ])
    expect(metricsOf(trace).workersOverTime).toEqual([
      [0, 1],
      [1000, 2],
      [9000, 1],
      [10_000, 0],
      [20_000, 1],
    ])
    expect(frameAt(trace, 2000).stages[0].seats).toBe(2)
    expect(frameAt(trace, 15_000).stages[0].seats).toBe(0)
  })
})
