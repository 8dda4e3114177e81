import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocateWorkers } from '../../src/allocation/allocateWorkers.ts'
import { score } from '../../src/allocation/apportion.ts'
import { decisionAt } from '../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../src/measures/decisions/estimateHistory.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { isElastic } from '../../src/scenario/model/defaults.ts'
import { policyKinds, startingParams } from '../../src/scenario/model/policies.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { type SeatingPolicy, type SeatingStage, seatsUnder } from '../../src/scheduler/seatsUnder.ts'

/** Listed otherwise than in the order of ids, which settles ties. */
const ids = ['C', 'A', 'B']
const kinds = policyKinds.filter((kind) => kind !== 'code' && kind !== 'byHand' && !isElastic({ kind }))

function policyOf(kind: (typeof kinds)[number], allocation: object = { A: 2, B: 1, C: 3 }): SeatingPolicy {
  const params = kind === 'fixed' ? { allocation } : startingParams(kind)
  return { kind, ...params } as SeatingPolicy
}

/** Stages of which at most all workers are busy, with bounds that as many workers can keep to. */
const views = fc
  .array(
    fc.record(
      {
        waiting: fc.oneof(fc.constant(0), fc.nat(40)),
        mean: fc.integer({ min: 1, max: 3000 }),
        busy: fc.nat(3),
        seats: fc.nat(4),
        done: fc.boolean(),
        min: fc.nat(3),
        max: fc.integer({ min: 3, max: 6 }),
        hold: fc.boolean(),
      },
      { requiredKeys: ['waiting'] },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .chain((listed) => {
    const stages: SeatingStage[] = listed.map((stage, s) => ({ ...stage, id: 'CABD'[s] }))
    const sums = [stages.map((stage) => boundsOf(stage)[0]), stages.map(({ busy = 0 }) => busy), stages.map(() => 1)]
    const needed = Math.max(...sums.map(sumOf))
    return fc.record({ stages: fc.constant(stages), workers: fc.integer({ min: needed, max: needed + 9 }) })
  })

function boundsOf({ min = 0, max = Infinity, hold = false, seats, busy }: SeatingStage): [number, number] {
  const now = seats === undefined && busy === undefined ? 1 : Math.max(seats ?? 0, busy ?? 0)
  const kept = Math.max(min, Math.min(now, max))
  return hold ? [kept, kept] : [min, max]
}

const sumOf = (seats: readonly number[]) => seats.reduce((sum, n) => sum + n, 0)

/** Returns all allocations of up to so many workers within bounds. */
function allocations([first, ...others]: readonly (readonly [number, number])[], workers: number): number[][] {
  if (first === undefined) return [[]]
  const most = Math.min(first[1], workers)
  return Array.from({ length: Math.max(0, most - first[0] + 1) }, (_, k) => first[0] + k).flatMap((n) =>
    allocations(others, workers - n).map((rest) => [n, ...rest]),
  )
}

describe('the bounds of a stage', () => {
  test.each(kinds)('hold under %s, and change nothing where they bind nothing', (kind) => {
    fc.assert(
      fc.property(views, ({ stages, workers }) => {
        const policy = policyOf(kind, { C: 1 })
        const seats = seatsUnder(policy, { stages, workers })
        expect(sumOf(seats)).toBeLessThanOrEqual(workers)
        stages.forEach((stage, s) => {
          const [low, high] = boundsOf(stage)
          expect(seats[s]).toBeGreaterThanOrEqual(low)
          expect(seats[s]).toBeLessThanOrEqual(high)
        })
        const free = stages.map(({ min, max, hold, ...stage }) => stage)
        const loose = free.map((stage) => ({ ...stage, min: 0, max: workers, hold: false }))
        const plain = seatsUnder(policy, { stages: free, workers })
        expect(seatsUnder(policy, { stages: loose, workers })).toEqual(plain)
      }),
    )
  })

  test('leave the least total time that they allow', () => {
    fc.assert(
      fc.property(views, ({ stages, workers }) => {
        const open = stages.map((stage) => ({ ...stage, done: false }))
        const votes = open.map(({ waiting, mean = 1 }) => waiting * mean)
        const least = Math.min(...allocations(open.map(boundsOf), workers).map((seats) => score(votes, seats)))
        expect(score(votes, seatsUnder({ kind: 'leastScore' }, { stages: open, workers }))).toBeCloseTo(least, 6)
      }),
    )
  })

  test.each<[string, Partial<SeatingStage>[], number[], ('single' | 'leastScore')?]>([
    ['an empty stage has its min', [{ waiting: 90 }, { min: 2 }], [6, 2]],
    ['a stage has at most its max', [{ waiting: 90, max: 3 }, { waiting: 1 }], [3, 5]],
    [
      'workers beyond each max have no seat',
      [
        { waiting: 90, max: 3 },
        { waiting: 9, max: 2 },
      ],
      [3, 2],
    ],
    ['a stage that holds keeps its seats', [{ waiting: 90 }, { seats: 3, busy: 1, hold: true }], [5, 3]],
    ['of an unknown number it keeps one', [{ waiting: 90 }, { hold: true }], [7, 1]],
    [
      'workers that are held leave the choice of others free',
      [{ waiting: 9 }, { busy: 2, hold: true }],
      [1, 2],
      'single',
    ],
  ])('%s', (_, listed, seats, kind = 'leastScore') => {
    const stages = listed.map((stage, s) => ({ id: 'AB'[s], waiting: 0, ...stage }))
    expect(seatsUnder({ kind }, { workers: 8, stages })).toEqual(seats)
  })
})

describe('a policy as a function', () => {
  test.each(kinds)('decides as in a run, at every decision: %s', async (kind) => {
    const stages = ids.map((id, s) => ({ id, service: { kind: 'exponential', mean: 1000 * (s + 1) } }))
    const policy = policyOf(kind)
    const source = { kind: 'poisson', jobs: 25, rate: 1500 }
    const parsed = parse({ version: 1, source, stages, workers: 6, policy: policy, switchCost: 300 })
    if ('problems' in parsed) return expect.fail(JSON.stringify(parsed.problems))
    const trace = await playSimulation(parsed.scenario, 0)
    const history = createEstimateHistory(trace)
    expect(trace.decisions.length).toBeGreaterThan(10)
    // Backwards, so that nothing of the decision before is left by chance.
    for (let d = trace.decisions.length - 1; d >= 0; d--) {
      const { workers, stages: seen } = decisionAt(trace, history, d)
      const view = {
        workers,
        switchCost: 300,
        stages: seen.map(({ waiting, mean, busy, seatsBefore, done, age }, s) => ({
          id: ids[s],
          waiting,
          mean,
          busy,
          seats: seatsBefore,
          done,
          age,
        })),
      }
      expect([d, seatsUnder(policy, view)]).toEqual([d, seen.map(({ seatsAfter }) => seatsAfter)])
    }
  })

  test('gives the answers of the article', () => {
    const waiting = [900, 100, 100, 100]
    const stages = waiting.map((waiting, s) => ({ id: 'ABCD'[s], waiting }))
    expect(seatsUnder({ kind: 'leastScore' }, { workers: 8, stages })).toEqual([5, 1, 1, 1])
    expect(seatsUnder({ kind: 'jefferson' }, { workers: 8, stages })).toEqual([8, 0, 0, 0])
    const stats = new Map(stages.map(({ id, waiting }) => [id, { queueLength: waiting, serviceTimesPicos: [1] }]))
    expect([...(allocateWorkers(8, stats, new Set())?.values() ?? [])]).toEqual([5, 1, 1, 1])
  })

  test.each([
    [{ kind: 'pid' } as never, {}, /policy/],
    [{ kind: 'nobody' } as never, {}, /policy\.kind: found "nobody"/],
    [{ kind: 'leastScore' } as const, { waiting: -1 }, /stage A: waiting, busy and seats must be whole numbers/],
    [{ kind: 'leastScore' } as const, { mean: Number.NaN }, /mean/],
    [{ kind: 'leastScore' } as const, { busy: 0.5 }, /stage A: .*, not 0\.5/],
    [{ kind: 'leastScore' } as const, { mean: '1' as never }, /mean/],
    [{ kind: 'leastScore' } as const, { min: 3 }, /workers: found 2; allowed: at least 3/],
    [{ kind: 'leastScore' } as const, { seats: 4, hold: true }, /at least 4/],
    [{ kind: 'leastScore' } as const, { min: -1 }, /stage A: min/],
    [{ kind: 'leastScore' } as const, { min: 2, max: 1 }, /stage A: .*min at most max/],
    [{ kind: 'leastScore' } as const, { max: 0.5 }, /stage A: .*0\.5/],
    [{ kind: 'leastScore' } as const, { hold: 2 as never }, /stage A: .*hold/],
  ])('refuses %j with %j in words', (policy, stage, message) => {
    const ask = () => seatsUnder(policy, { workers: 2, stages: [{ id: 'A', waiting: 1, ...stage }] })
    expect(ask).toThrow(RangeError)
    expect(ask).toThrow(message)
  })

  test.each([-1, 2.5, '8' as never, Number.NaN])('refuses %j workers', (workers) => {
    expect(() => seatsUnder({ kind: 'leastScore' }, { workers, stages: [{ id: 'A', waiting: 1 }] })).toThrow(/^workers/)
  })
})
