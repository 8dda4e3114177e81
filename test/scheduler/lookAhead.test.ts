import { describe, expect, test } from 'vitest'
import { arrivals, scriptedCore } from './scriptedCore.ts'

const constant = (mean: number) => ({ kind: 'constant', mean })
const declared = { kind: 'mean', prior: 'declared' }
const seatsOf = ({ core }: ReturnType<typeof scriptedCore>) => [...core.seats]
const even = [
  { id: 'A', service: constant(1000) },
  { id: 'B', service: constant(1000) },
]

describe('preallocate', () => {
  test('counts jobs in service upstream: a stage gets workers before its queue is long', () => {
    const stages = [even[0], { id: 'B', service: constant(4000) }]
    for (const [kind, seats] of [
      // One of three is done at A. A has 1 x 1 ms. B has 1 x 4 ms, and two more jobs are in service at A: 3 x 4 ms.
      ['leastScore', [1, 2]],
      ['preallocate', [0, 3]],
    ] as const) {
      const tell = scriptedCore({ stages, workers: 3, estimator: declared, policy: { kind } })
      tell(0, ...arrivals(0, 3))
      expect(seatsOf(tell)).toEqual([3, 0])
      tell(1000, 'finished w0 A 0')
      expect(seatsOf(tell), kind).toEqual(seats)
    }
  })
})

describe('switch-aware', () => {
  const stages = even
  /** Two workers, six jobs; A, then B, has more waiting. Returns the seats of the three decisions. */
  const threeDecisions = (policy: object, switchCost: number) => {
    const tell = scriptedCore({ stages, workers: 2, estimator: declared, switchCost, policy })
    tell(0, ...arrivals(0, 5))
    const seats = [seatsOf(tell)]
    tell(1000, 'finished w0 A 0', 'finished w1 A 1')
    seats.push(seatsOf(tell))
    tell(2000, 'finished w0 A 2', 'finished w1 A 3')
    return [...seats, seatsOf(tell)]
  }

  test('moves a seat when that saves more than a change of stage costs', () => {
    // 4 and 2 wait: 2/2 - 4/6 = 0.333 ms would be saved. Then 2 and 4: 4/2 - 2/6 = 1.667 ms.
    expect(threeDecisions({ kind: 'leastScore', lend: false }, 1000)[1]).toEqual([1, 1])
    expect(threeDecisions({ kind: 'switchAware', lend: false }, 1000)).toEqual([
      [2, 0],
      [2, 0],
      [1, 1],
    ])
    expect(threeDecisions({ kind: 'switchAware', lend: false }, 2000)[2]).toEqual([2, 0])
  })

  test('counts only savings within its horizon', () => {
    // All work takes 2/3 + 4 = 4.667 ms. Of the 1.667 ms saved, 1 ms is within 2.8 ms.
    expect(threeDecisions({ kind: 'switchAware', horizon: 2700, lend: false }, 1000)[2]).toEqual([2, 0])
    expect(threeDecisions({ kind: 'switchAware', horizon: 2900, lend: false }, 1000)[2]).toEqual([1, 1])
  })
})

describe('deadline', () => {
  test('favours the stage whose oldest job is near its due time', () => {
    for (const [policy, seats] of [
      [{ kind: 'leastScore' }, [1, 0]],
      // Two new jobs at A: 2 ms. One at B, 1 ms old: 1 ms x (1 + 1 / due). At due = 1 ms they are level, and A is first.
      [{ kind: 'deadline', due: 1000 }, [1, 0]],
      [{ kind: 'deadline', due: 999 }, [0, 1]],
    ] as const) {
      const tell = scriptedCore({ stages: even, workers: 1, estimator: declared, policy })
      tell(0, 'arrived 0')
      tell(1000, 'finished w0 A 0', 'arrived 1', 'arrived 2')
      expect(seatsOf(tell), JSON.stringify(policy)).toEqual(seats)
    }
  })
})
