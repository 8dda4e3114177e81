import { describe, expect, test } from 'vitest'
import { adaptiveSize } from '../../src/scheduler/batches.ts'
import { arrivals, scriptedCore } from './scriptedCore.ts'

describe('an adaptive batch', () => {
  test('is a share of the queue, if that lasts for less than 10 ms and twenty changes of stage and round trips', () => {
    expect(adaptiveSize(1000, 8, 200, 0, 0)).toBe(50)
    expect(adaptiveSize(1000, 8, 200, 3000, 0)).toBe(125)
    expect(adaptiveSize(9000, 8, 200, 3000, 0)).toBe(350)
    expect(adaptiveSize(9000, 8, 200, 1000, 2000)).toBe(350)
    expect(adaptiveSize(100, 8, 200, 0, 0)).toBe(13)
    expect(adaptiveSize(3, 8, 200, 0, 0)).toBe(1)
    expect(adaptiveSize(100, 0, 200, 0, 0)).toBe(50)
    expect(adaptiveSize(1_000_000, 1, 0.1, 3000, 0)).toBe(10_000)
  })

  test('begins with one job, and later gets smaller as the queue gets shorter', () => {
    const tell = scriptedCore({ stages: [{ id: 'A' }], workers: 2, batch: { adaptive: true } })
    expect(tell(0, ...arrivals(0, 19))).toEqual(['started w0 A 0', 'started w1 A 1'])
    // 18 jobs wait for two workers: 9 for the first, and 5 of the other 9 for the next.
    expect(tell(10, 'finished w0 A 0').slice(1)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 10].map((job) => `started w0 A ${job}`),
    )
    expect(tell(11, 'finished w1 A 1').slice(1)).toEqual([11, 12, 13, 14, 15].map((job) => `started w1 A ${job}`))
  })
})
