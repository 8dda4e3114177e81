import { describe, expect, test } from 'vitest'
import { arrivals, scriptedCore } from './scriptedCore.ts'

const stages = [{ id: 'A' }, { id: 'B' }, { id: 'C' }]
const seatsOf = ({ core }: ReturnType<typeof scriptedCore>) => [...core.seats]

describe('nearest the sink first', () => {
  test('gives the last stage as many seats as it can keep busy, then the one before', () => {
    const tell = scriptedCore({ stages, workers: 4, policy: { kind: 'sinkFirst' } })
    expect(tell(0, ...arrivals(0, 6))).toHaveLength(4)
    expect(seatsOf(tell)).toEqual([4, 0, 0])
    tell(1, 'finished w0 A 0', 'finished w1 A 1')
    expect(seatsOf(tell)).toEqual([2, 2, 0])
    expect(tell(2, 'finished w0 B 0')).toEqual(['started w0 C 0'])
    expect(seatsOf(tell)).toEqual([2, 1, 1])
  })
})

describe('backpressure', () => {
  const constant = (mean: number) => ({ kind: 'constant', mean })
  const prior = { kind: 'mean', prior: 'declared' }

  test('gives seats where the own queue is longer than the next one, times the rate', () => {
    const twice = [
      { id: 'A', service: constant(1000) },
      { id: 'B', service: constant(4000) },
    ]
    const tell = scriptedCore({ stages: twice, workers: 2, estimator: prior, policy: { kind: 'backpressure' } })
    // 7 wait at A, none at B: pressure 7 / 1 ms, and A can keep both busy.
    tell(0, ...arrivals(0, 7))
    expect(seatsOf(tell)).toEqual([2, 0])
    // Then 5 and 2: (5 - 2) / 1 ms against (2 - 0) / 4 ms.
    tell(1, 'finished w0 A 0', 'finished w1 A 1')
    expect(seatsOf(tell)).toEqual([2, 0])
    // Then 3 and 4: (3 - 4) is no pressure, (4 - 0) / 4 ms is.
    tell(2, 'finished w0 A 2', 'finished w1 A 3')
    expect(seatsOf(tell)).toEqual([0, 2])
  })
})

describe('the longest queue', () => {
  test('counts jobs, whatever they cost', () => {
    const uneven = [
      { id: 'A', service: { kind: 'constant', mean: 10 } },
      { id: 'B', service: { kind: 'constant', mean: 100_000 } },
    ]
    const asked = { stages: uneven, workers: 2, estimator: { kind: 'mean', prior: 'declared' } }
    for (const [kind, seats] of [
      ['longestQueue', [2, 0]],
      ['jefferson', [0, 2]],
    ] as const) {
      const tell = scriptedCore({ ...asked, policy: { kind } })
      tell(0, ...arrivals(0, 8))
      tell(1, 'finished w0 A 0', 'finished w1 A 1')
      expect(seatsOf(tell), kind).toEqual(seats)
    }
  })
})

describe('shares', () => {
  test('proportional leaves no stage with work without a seat, Hamilton does', () => {
    const asked = { stages: stages.slice(0, 2), workers: 3 }
    for (const [kind, seats] of [
      ['proportional', [2, 1]],
      ['hamilton', [3, 0]],
    ] as const) {
      const tell = scriptedCore({ ...asked, policy: { kind } })
      tell(0, ...arrivals(0, 20))
      tell(1, 'finished w0 A 0')
      expect(seatsOf(tell), kind).toEqual(seats)
    }
  })
})
