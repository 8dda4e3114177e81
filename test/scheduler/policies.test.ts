import { describe, expect, test } from 'vitest'
import { policyKinds } from '../../src/scenario/model/policies.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { policyRow } from '../../src/scheduler/policies.ts'
import { arrivals, scriptedCore } from './scriptedCore.ts'

const stages = [{ id: 'A' }, { id: 'B' }, { id: 'C' }]
const seatsOf = ({ core }: ReturnType<typeof scriptedCore>) => [...core.seats]

describe('the table of policies', () => {
  test('has one method for each policy, a divisor rule or its own, except for user code', () => {
    for (const kind of policyKinds.filter((kind) => kind !== 'code')) {
      const row = policyRow(kind)
      expect((row.rule === undefined) !== (row.allocate === undefined), kind).toBe(true)
    }
  })
})

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

describe('green threads', () => {
  const green = (perStage: number, rest: object = {}) =>
    scriptedCore({ stages, workers: 1, policy: { kind: 'greenThreads', perStage }, ...rest })

  test('give each stage the same number of workers, which serve only that stage', () => {
    const tell = green(2)
    expect(tell(0, ...arrivals(0, 4))).toEqual(['started w0 A 0', 'started w1 A 1'])
    expect(seatsOf(tell)).toEqual([2, 2, 2])
    // Two of the six stay at B for good; those of A continue at A.
    expect(tell(1, 'finished w0 A 0', 'finished w1 A 1')).toEqual([
      'started w0 A 2',
      'started w2 B 0',
      'started w1 A 3',
      'started w3 B 1',
    ])
    expect(tell.core.state.counts.live).toBe(6)
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

  test('of the power family lie between least total time and Jefferson', () => {
    const seats = [1, 2, 4, 64].map((p) => {
      const tell = scriptedCore({ stages: stages.slice(0, 2), workers: 8, policy: { kind: 'power', p } })
      tell(0, ...arrivals(0, 60))
      tell(1, ...Array.from({ length: 4 }, (_, w) => `finished w${w} A ${w}`))
      return seatsOf(tell)
    })
    const of = (kind: string) => {
      const tell = scriptedCore({ stages: stages.slice(0, 2), workers: 8, policy: { kind } })
      tell(0, ...arrivals(0, 60))
      tell(1, ...Array.from({ length: 4 }, (_, w) => `finished w${w} A ${w}`))
      return seatsOf(tell)
    }
    expect(seats[0]).toEqual(of('leastScore'))
    expect(seats[3]).toEqual(of('jefferson'))
    expect(seats[0]).not.toEqual(seats[3])
  })
})

describe('the parameters of policies', () => {
  const small = { version: 1, stages: [{ id: 'A' }], workers: 1 }
  const problemOf = (policy: object) => {
    const parsed = parse({ ...small, policy })
    return 'problems' in parsed ? `${parsed.problems[0].path}: ${parsed.problems[0].message}` : parsed.scenario.policy
  }

  test('a power is from 1 to 64, 2 by default, and no other policy has one', () => {
    expect(problemOf({ kind: 'power' })).toEqual({ kind: 'power', p: 2, lend: true })
    expect(problemOf({ kind: 'power', p: 64, lend: false })).toEqual({ kind: 'power', p: 64, lend: false })
    for (const p of [0, 65, 1.5, -1, '2', null])
      expect(problemOf({ kind: 'power', p })).toMatch(/^policy\.p: found .*a whole number from 1 to 64/)
    expect(problemOf({ kind: 'hamilton', p: 2 })).toMatch(/^policy\.p: /)
  })
})
