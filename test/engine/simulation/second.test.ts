import { describe, expect, test } from 'vitest'
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
})
