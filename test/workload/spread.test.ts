import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spread } from '../../src/workload/spread.ts'

interface Case {
  readonly n: number
  readonly feeders: number
  readonly groups: readonly (readonly string[])[]
  readonly output: readonly string[]
  readonly groupsPulledAfterEachJob: readonly number[]
}
const { cases } = JSON.parse(readFileSync(new URL('../golden/spreader.json', import.meta.url), 'utf8')) as {
  cases: readonly Case[]
}

/** The groups, counting how many have been pulled. */
function counted<Job>(groups: Iterable<Iterable<Job>>) {
  const count = { pulled: 0, closed: false }
  function* pull(): Generator<Iterable<Job>, void, undefined> {
    try {
      for (const group of groups) {
        count.pulled++
        yield group
      }
    } finally {
      count.closed = true
    }
  }
  return { count, pull: pull() }
}

/** The plain version: each feeder has a list of jobs; nothing is lazy. */
function spreadPlainly<Job>(groups: readonly (readonly Job[])[], feeders: number): Job[] {
  const left = groups.map((group) => [...group])
  const open: (Job[] | undefined)[] = []
  const out: Job[] = []
  while (true) {
    const before = out.length
    for (let feeder = 0; feeder < feeders; feeder++) {
      while ((open[feeder]?.length ?? 0) === 0 && left.length > 0) open[feeder] = left.shift()
      const job = open[feeder]?.shift()
      if (job !== undefined) out.push(job)
    }
    if (out.length === before) return out
  }
}

describe('spreading grouped jobs', () => {
  test.each(cases.map((one) => [one.n, one] as const))(
    'equals case %i of the original job spreader, including when it asks for a group',
    (_, { groups, feeders, output, groupsPulledAfterEachJob }) => {
      const { count, pull } = counted<string>(groups)
      const jobs: string[] = []
      const pulled: number[] = []
      for (const job of spread(pull, feeders)) {
        jobs.push(job)
        pulled.push(count.pulled)
      }
      expect(jobs).toEqual(output)
      expect(pulled).toEqual(groupsPulledAfterEachJob)
    },
  )

  test('equals the plain version', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6), { maxLength: 12 }), fc.integer({ min: 1, max: 6 }), (sizes, feeders) => {
        const groups = sizes.map((size, group) => Array.from({ length: size }, (_, i) => `${group}.${i}`))
        expect([...spread(groups, feeders)]).toEqual(spreadPlainly(groups, feeders))
      }),
    )
  })

  test('pulls nothing before the first job is requested, and works on endless groups of endless jobs', () => {
    function* endless(): Generator<number> {
      for (let i = 0; ; i++) yield i
    }
    function* groups(): Generator<Iterable<number>> {
      while (true) yield endless()
    }
    const { count, pull } = counted(groups())
    const jobs = spread(pull, 3)
    expect(count.pulled).toBe(0)
    expect(Array.from({ length: 7 }, () => jobs.next().value)).toEqual([0, 0, 0, 1, 1, 1, 2])
    expect(count).toEqual({ pulled: 3, closed: false })
  })

  test('closes the open groups when the reader stops early', () => {
    const closed: string[] = []
    function* group(name: string): Generator<string> {
      try {
        for (let i = 0; i < 9; i++) yield name + i
      } finally {
        closed.push(name)
      }
    }
    const { count, pull } = counted([group('a'), group('b'), group('c')])
    for (const job of spread(pull, 2)) if (job === 'b1') break
    expect(closed).toEqual(['a', 'b'])
    expect(count).toEqual({ pulled: 2, closed: true })
  })

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d feeders', (feeders) => {
    expect(() => [...spread([[1]], feeders)]).toThrow(RangeError)
  })
})
