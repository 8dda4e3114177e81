import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allocateWorkers, type StageStats, sortedByCodePoints } from '../../src/allocation/allocateWorkers.ts'
import { apportion } from '../../src/allocation/apportion.ts'
import { divisorsOf } from '../../src/allocation/rules.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'
import { exhaustive } from './tryAll.ts'

interface GoldenCase {
  n: number
  cpus: number
  stages: { id: string; queueLength: number; serviceTimesPicos: number[] }[]
  done: string[]
  expected: Record<string, number> | null
  expectedExact: Record<string, number> | null
  jefferson: Record<string, number> | null
  floatSensitive: boolean
}

const files = ['allocations', 'allocations-edge', 'allocations-worked-example']
const golden = files.flatMap((file) => {
  const { cases } = JSON.parse(readFileSync(new URL(`../golden/${file}.json`, import.meta.url), 'utf8')) as {
    cases: GoldenCase[]
  }
  return cases.map((one) => ({ ...one, name: `${file} ${one.n}` }))
})

describe("the article's function", () => {
  test.each(golden)('answers as recorded: $name', ({ cpus, stages, done, expectedExact }) => {
    const answer = allocateWorkers(cpus, new Map(stages.map(({ id, ...stats }) => [id, stats])), new Set(done))
    expect(answer === null ? null : Object.fromEntries(answer)).toEqual(expectedExact)
  })

  test('was recorded in 465 cases, and rounding decided only where a case says so', () => {
    expect(golden.length).toBe(465)
    for (const { expected, expectedExact, floatSensitive } of golden)
      if (!floatSensitive) expect(expected).toEqual(expectedExact)
  })

  test('agrees with the rules of runs: least score with the exact answer, trying all with the one in floating point, Jefferson with its own', () => {
    for (const { name, cpus, stages, done, expected, expectedExact, jefferson } of golden) {
      if (expected === null || expectedExact === null || jefferson === null) continue
      const order = sortedByCodePoints(stages.map(({ id }) => id))
      const sorted = [...stages].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
      const votes = sorted.map(({ queueLength, serviceTimesPicos }) => queueLength * Number(mean(serviceTimesPicos)))
      const eligible = sorted.map(({ id }) => Number(!done.includes(id)))
      const seats = votes.map(() => 0)
      const byId = () => Object.fromEntries(sorted.map(({ id }, s) => [id, seats[s]]))
      apportion(votes, eligible, cpus, divisorsOf('leastScore', cpus), seats)
      expect(byId(), name).toEqual(expectedExact)
      apportion(votes, eligible, cpus, divisorsOf('jefferson', cpus), seats)
      expect(byId(), name).toEqual(jefferson)
      exhaustive(votes, eligible, cpus, seats)
      expect(byId(), name).toEqual(expected)
    }
  })

  test('lists its answer, and breaks ties, in ascending code-point order of ids', () => {
    const one: StageStats = { queueLength: 1, serviceTimesPicos: [] }
    // In UTF-16 the smiley would come before the full-width A.
    const answer = allocateWorkers(
      2,
      new Map([
        ['\u{1F600}', one],
        ['b', one],
        ['\u{FF21}', one],
        ['B', one],
      ]),
      new Set(['B']),
    )
    expect([...(answer ?? [])]).toEqual([
      ['B', 0],
      ['b', 1],
      ['\u{FF21}', 1],
      ['\u{1F600}', 0],
    ])
  })

  test('accepts ids that are property names of every object', () => {
    const stats = new Map([
      ['__proto__', { queueLength: 3, serviceTimesPicos: [] }],
      ['constructor', { queueLength: 1, serviceTimesPicos: [] }],
    ])
    expect([...(allocateWorkers(2, stats, new Set()) ?? [])]).toEqual([
      ['__proto__', 2],
      ['constructor', 0],
    ])
  })

  test('distinguishes quotients that floating point cannot', () => {
    const big = 2 ** 53 - 1
    // The second worker is an exact tie: 3 (2^53 - 1) / 6 against (2^53 - 1) / 2.
    const tied = new Map([
      ['a', { queueLength: 3, serviceTimesPicos: [big] }],
      ['b', { queueLength: 1, serviceTimesPicos: [big] }],
    ])
    expect([...(allocateWorkers(2, tied, new Set()) ?? []).values()]).toEqual([2, 0])
    // Another: 9 t / 6 against 3 t / 2, which rounding orders wrongly.
    const t = 2 ** 53 - 2
    expect((9 * t) / 6).toBeGreaterThan((3 * t) / 2)
    const misled = new Map([
      ['a', { queueLength: 3, serviceTimesPicos: [t] }],
      ['b', { queueLength: 9, serviceTimesPicos: [t] }],
    ])
    expect([...(allocateWorkers(2, misled, new Set()) ?? []).values()]).toEqual([1, 1])
    const closer = new Map([
      ['a', { queueLength: big, serviceTimesPicos: [big - 2] }],
      ['b', { queueLength: big - 1, serviceTimesPicos: [big - 1] }],
    ])
    // (m)(m - 2) = m^2 - 2m is one less than (m - 1)^2.
    expect([...(allocateWorkers(1, closer, new Set()) ?? []).values()]).toEqual([0, 1])
  })

  test('equals a slow exact version', () => {
    const chance = createChance(9)
    for (let n = 0; n < repeats(4000); n++) {
      const stages = 1 + chance.below(7)
      const size = [3, 40, 1_000_000, 2 ** 53][chance.below(4)]
      const stats = new Map(
        Array.from({ length: stages }, (_, s) => [`stage ${s}`, someStats(() => chance.below(size), chance.below(4))]),
      )
      const done = new Set([...stats.keys()].filter(() => chance.below(6) === 0))
      const cpus = chance.below(60)
      expect(allocateWorkers(cpus, stats, done), JSON.stringify([cpus, [...stats], [...done]])).toEqual(
        exactTwin(cpus, stats, done),
      )
    }
  })

  test('distributes more workers than an hour has picoseconds without a loop over them', () => {
    const stats = new Map([
      ['a', { queueLength: 1, serviceTimesPicos: [] }],
      ['b', { queueLength: 4, serviceTimesPicos: [] }],
      ['c', { queueLength: 0, serviceTimesPicos: [] }],
    ])
    const answer = allocateWorkers(3_600_000_000_000_001, stats, new Set())
    const [a, b, c] = [...(answer ?? []).values()]
    expect(c).toBe(0)
    expect(a + b).toBe(3_600_000_000_000_001)
    // The last worker of each is worth more there than at the other stage.
    expect(1n * divisor(b) >= 4n * divisor(a - 1)).toBe(true)
    expect(4n * divisor(a) >= 1n * divisor(b - 1)).toBe(true)
    expect([
      ...(allocateWorkers(2 ** 53 - 1, new Map([['a', { queueLength: 0, serviceTimesPicos: [] }]]), new Set()) ?? []),
    ]).toEqual([['a', 2 ** 53 - 1]])
  })
})

describe('nonsense', () => {
  const fine = new Map([['A', { queueLength: 1, serviceTimesPicos: [1] }]])
  test('each refusal says what is wrong, and where', () => {
    const refused = (cpus: unknown, stats: unknown, done: unknown = new Set()) => {
      try {
        return allocateWorkers(cpus as number, stats as Map<string, StageStats>, done as Set<string>)
      } catch (error) {
        return `${error}`
      }
    }
    const of = (queueLength: unknown, serviceTimesPicos: unknown = []) =>
      new Map([['A', { queueLength, serviceTimesPicos }]])
    const whole = 'must be a whole number from 0 to 2^53 - 1'
    expect(refused('3', fine)).toBe('TypeError: cpus must be a number, not string')
    expect(refused(null, fine)).toBe('TypeError: cpus must be a number, not null')
    expect(refused(-1, fine)).toBe(`RangeError: cpus ${whole}, not -1`)
    expect(refused(1, { A: 1 })).toBe(
      'TypeError: stats must be a Map of stage id to { queueLength, serviceTimesPicos }',
    )
    expect(refused(1, fine, ['A'])).toBe('TypeError: done must be a Set of stage ids')
    expect(refused(1, new Map([[7, fine.get('A')]]))).toBe('TypeError: a stage id must be a string, not number')
    for (const nothing of [null, undefined, 'A'])
      expect(refused(1, new Map([['A', nothing]]))).toBe(
        'TypeError: stage A: must be { queueLength, serviceTimesPicos }',
      )
    expect(refused(1, of(2 ** 53))).toBe(`RangeError: stage A: queueLength ${whole}, not 9007199254740992`)
    expect(refused(1, of(1, 'A'))).toBe('TypeError: stage A: serviceTimesPicos must be an array of numbers')
    expect(refused(1, of(1, [4, 1.5]))).toBe(`RangeError: stage A: serviceTimesPicos[1] ${whole}, not 1.5`)
    expect(refused(1, of(1, [null]))).toBe('TypeError: stage A: serviceTimesPicos[0] must be a number, not null')
    // The limits themselves are valid.
    expect(refused(0, of(2 ** 53 - 1, [0]))).toEqual(new Map([['A', 0]]))
  })
})

function someStats(draw: () => number, measured: number): StageStats {
  return { queueLength: draw(), serviceTimesPicos: Array.from({ length: measured }, draw) }
}

function mean(times: readonly number[]): bigint {
  return times.length === 0 ? 1n : times.reduce((sum, time) => sum + BigInt(time), 0n) / BigInt(times.length)
}

function divisor(seats: number): bigint {
  return BigInt(seats + 1) * BigInt(seats + 2)
}

/** Compares every pair of stages seat by seat, in whole numbers. */
function exactTwin(cpus: number, stats: Map<string, StageStats>, done: Set<string>): Map<string, number> | null {
  const ids = [...stats.keys()].sort()
  const open = ids.filter((id) => !done.has(id)).map((id) => ({ id, seats: 0, votes: votesOf(stats, id), divisor: 2n }))
  if (cpus > 0 && open.length === 0) return null
  for (let seat = 0; seat < cpus; seat++) {
    const best = open.reduce((a, b) => (b.votes * a.divisor > a.votes * b.divisor ? b : a))
    best.seats++
    best.divisor = divisor(best.seats)
  }
  return new Map(ids.map((id) => [id, open.find((stage) => stage.id === id)?.seats ?? 0]))
}

function votesOf(stats: Map<string, StageStats>, id: string): bigint {
  const stage = stats.get(id)
  return stage === undefined ? 0n : BigInt(stage.queueLength) * mean(stage.serviceTimesPicos)
}
