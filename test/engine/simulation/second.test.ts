import { describe, expect, test } from 'vitest'
import { events } from '../../fixtures/scenarios.ts'
import { constant, noted, play } from './play.ts'

describe('a second batch in hand', () => {
  test('is given once the idle workers have jobs, and begins when the first ends', async () => {
    const { rows, trace } = await play({
      source: { kind: 'batch', jobs: 4 },
      stages: [constant('A', 3)],
      workers: 1,
      batch: { inHand: 2 },
    })
    expect(noted(rows, trace, 'started', 'second', 'finished')).toEqual([
      '0 started A w0 j0',
      '0 second A w0',
      '0 started A w0 j1',
      '3 finished A w0 j0 (0-3)',
      '3 second A w0',
      '3 started A w0 j2',
      '6 finished A w0 j1 (3-6)',
      '6 second A w0',
      '6 started A w0 j3',
      '9 finished A w0 j2 (6-9)',
      '12 finished A w0 j3 (9-12)',
    ])
  })

  test('continues when the first throws; if its worker crashes, it returns to the queue behind the first', async () => {
    const stages = [constant('A', 10, { fails: { jobs: [0], tries: 2 } })]
    const thrown = await play({ source: { kind: 'batch', jobs: 2 }, stages, workers: 1, batch: { inHand: 2 } })
    expect(noted(thrown.rows, thrown.trace, 'finished', 'threw', 'failed')).toEqual([
      '10 threw A w0 j0',
      '20 finished A w0 j1 (10-20)',
      '30 threw A w0 j0',
      '30 failed A j0',
    ])
    const crashed = await play({
      source: { kind: 'batch', jobs: 2 },
      stages: [constant('A', 10, { fails: { jobs: [], tries: 1 } })],
      workers: 1,
      batch: { inHand: 2 },
      workerEvents: events([5, 'crash', 0], [7, 'join', 1]),
    })
    expect(noted(crashed.rows, crashed.trace, 'finished', 'lost', 'failed')).toEqual([
      '5 lost w0',
      '17 finished A w1 j0 (7-17)',
      '27 finished A w1 j1 (17-27)',
    ])
  })
})
