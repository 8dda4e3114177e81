import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstDifference } from '../../../src/measures/decisions/firstDifference.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { underPolicy } from '../../../src/runs/study/compare.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { beginning, journalBetween } from '../../../src/trace/journalBetween.ts'
import { append, createTrace, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { scenarios } from '../scenarios.ts'

/** The seats after all decisions before or at a row. */
function seatsAt({ decisions, scenario }: Trace, row: number): number[] {
  const seats = scenario.stages.map(() => 0)
  for (let d = 0; d < decisions.length && decisions.row[d] <= row; d++)
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++)
      seats[decisions.stage[c]] = decisions.seats[c]
  return seats
}

/** The plain version compares everything again row by row. */
function plainly(a: Trace, b: Trace): { by: string; row: number } | null {
  for (let row = 0; row <= Math.min(a.length, b.length); row++) {
    if (seatsAt(a, row).join() !== seatsAt(b, row).join()) return { by: 'seats', row }
    if (row === a.length && row === b.length) return null
    if (row === a.length || row === b.length || JSON.stringify(traceRow(a, row)) !== JSON.stringify(traceRow(b, row)))
      return { by: 'orders', row }
  }
  return null
}

/** The beginning of a run: this many rows, and the decisions before them. */
function prefixOf(trace: Trace, rows: number): Trace {
  const { decisions } = trace
  const taken = decisions.row.subarray(0, decisions.length).filter((row) => row < rows).length
  const prefix = createTrace(trace.scenario, trace.engine, 0)
  append(prefix, journalBetween(trace, beginning, { rows, decisions: taken }))
  return prefix
}

function under(scenario: Scenario, kind: PolicyKind): Promise<Trace> {
  const other = underPolicy(scenario, kind)
  if ('problems' in other) throw new Error(other.problems[0].message)
  return playSimulation(other.scenario, 0)
}

/** Votes 1 and 4, three workers: the smallest case in which the rules differ. */
const apart = scenarioWith({
  source: { kind: 'batch', jobs: 900 },
  stages: ['a', 'b', 'c'].map((id, k) => ({ id, service: { kind: 'exponential', mean: 1000 * (k + 1) } })),
  workers: 6,
  seed: 5,
})

describe('the first difference of two runs', () => {
  test('is what a plain search finds, for any two policies on any scenario', async () => {
    let seats = 0
    let never = 0
    await fc.assert(
      fc.asyncProperty(
        scenarios,
        fc.constantFrom<PolicyKind>('jefferson', 'leastScore', 'adams', 'single', 'threshold', 'sinkFirst'),
        async (scenario, kind) => {
          // An elastic policy has its own time limits.
          if ('problems' in underPolicy(scenario, kind)) return
          const [a, b] = [await playSimulation(scenario, 0), await under(scenario, kind)]
          const found = firstDifference(a, b)
          const plain = plainly(a, b)
          expect(found === null ? null : { by: found.by, row: found.row }).toEqual(plain)
          if (plain === null) never++
          if (plain?.by === 'seats') seats++
          if (found === null) return
          const decided = [a, b].map(({ decisions }) =>
            [...decisions.row.subarray(0, decisions.length)].indexOf(found.row),
          )
          const [d, e] = decided
          expect(found.sameBallot).toBe(d >= 0 && e >= 0 && a.decisions.hash[d] === b.decisions.hash[e])
          const times = [a, b].flatMap((trace) => (found.row < trace.length ? [traceRow(trace, found.row).time] : []))
          expect(found.time).toBe(
            found.by === 'orders' ? Math.min(...times) : found.row === 0 ? 0 : traceRow(a, found.row - 1).time,
          )
          expect(found.seats).toEqual([seatsAt(a, found.row), seatsAt(b, found.row)])
          const mirrored = firstDifference(b, a)
          expect(mirrored).toEqual({
            ...found,
            decisions: [found.decisions[1], found.decisions[0]],
            seats: [found.seats[1], found.seats[0]],
          })
        },
      ),
      { numRuns: repeats(160) },
    )
    expect(seats).toBeGreaterThan(2)
    expect(never).toBeGreaterThan(0)
  })

  test('does not exist between a run and itself', async () => {
    expect(firstDifference(await playSimulation(apart, 0), await playSimulation(apart, 0))).toBeNull()
  })

  test('is the next row or decision of the longer run if the other is its beginning', async () => {
    const by = { seats: 0, orders: 0 }
    await fc.assert(
      fc.asyncProperty(scenarios, fc.nat(), fc.boolean(), async (scenario, pick, atDecision) => {
        const whole = await playSimulation(scenario, 0)
        if (whole.length === 0) return
        const { row, length } = whole.decisions
        const rows = atDecision && length > 0 ? row[pick % length] : pick % whole.length
        if (rows === whole.length) return
        const prefix = prefixOf(whole, rows)
        const plain = plainly(prefix, whole)
        expect(plain?.row).toBe(rows)
        const found = firstDifference(prefix, whole)
        expect(found).toMatchObject(plain ?? {})
        expect(found?.time).toBe(
          plain?.by === 'orders' ? traceRow(whole, rows).time : rows === 0 ? 0 : traceRow(whole, rows - 1).time,
        )
        expect(firstDifference(whole, prefix)).toMatchObject({ ...plain, time: found?.time })
        if (plain?.by === 'seats' || plain?.by === 'orders') by[plain.by]++
      }),
      { numRuns: repeats(120) },
    )
    expect(Object.values(by).every((times) => times > 0)).toBe(true)
  })

  test('is found in the orders if the seats agree and only lending differs', async () => {
    const full = (id: string, capacity: number) => ({ id, service: { kind: 'exponential', mean: 4000 }, capacity })
    const run = (lend: boolean) => {
      const source = { kind: 'poisson', rate: 500, jobs: 50 }
      return playSimulation(
        scenarioWith({
          source,
          stages: [full('A', 4), full('B', 2)],
          workers: 4,
          policy: { kind: 'leastScore', lend },
        }),
        0,
      )
    }
    const [a, b] = [await run(true), await run(false)]
    const difference = firstDifference(a, b)
    if (difference === null) throw new Error('they never part')
    expect(difference).toMatchObject(plainly(a, b) ?? {})
    expect(difference).toMatchObject({ by: 'orders', sameBallot: true })
    expect(difference.seats[0]).toEqual(difference.seats[1])
    expect(traceRow(a, difference.row)).not.toEqual(traceRow(b, difference.row))
  })
})
