import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stateAt } from '../../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { events, linksOf } from '../../fixtures/scenarios.ts'
import { constant, noted, play } from './play.ts'

const elastic = { policies: elasticPolicies, jobs: 30 }
const any = fc.oneof(
  { weight: 4, arbitrary: anyScenario({ graphs: true }) },
  { weight: 1, arbitrary: anyScenario(elastic) },
)

describe('settings of the scheduler may change during a run', () => {
  test('before a phase begins, nothing differs from a run without it', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(any, fc.nat(), async (scenario, pick) => {
        const { later } = scenario
        if (later.length === 0) return
        const turn = pick % later.length
        const before = await play({ ...scenario, later: later.slice(0, turn) })
        const after = await play(scenario)
        const { at } = later[turn]
        const until = ({ rows }: typeof before) => rows.filter(({ time }) => time < at)
        expect(until(after)).toEqual(until(before))
        const rows = until(after).length
        const rowsOf = ({ trace }: typeof before) => {
          const { row, hash, ends, stage, seats, length } = trace.decisions
          const count = row.subarray(0, length).filter((at) => at <= rows).length
          const changes = count === 0 ? 0 : ends[count - 1]
          return [row.slice(0, count), hash.slice(0, count), stage.slice(0, changes), seats.slice(0, changes)]
        }
        expect(rowsOf(after)).toEqual(rowsOf(before))
        if (rows > 0 && rows < after.rows.length) compared++
      }),
      { numRuns: repeats(150) },
    )
    expect(compared).toBeGreaterThan(repeats(35) / 2)
  })

  test('its row comes after joining workers and before arrivals', async () => {
    const { trace, rows } = await play({
      source: { kind: 'times', at: [0, 50] },
      stages: [constant('A', 50)],
      workers: 2,
      workerEvents: events([50, 'leave', 1], [50, 'join', 2]),
      later: [{ at: 50, policy: { kind: 'jefferson' } }],
    })
    const facts = [
      '50 finished A w0 j0 (0-50)',
      '50 lost w1',
      '50 joined w2',
      '50 turned j0',
      '50 arrived j1',
      '50 exhausted',
    ]
    expect(noted(rows, trace).filter((row) => row.startsWith('50 '))).toEqual([
      ...facts,
      '50 released j0',
      '50 started A w0 j1',
    ])
  })
})

describe('from the start of the phase', () => {
  const votes = (later: object[]) =>
    play({
      source: { kind: 'batch', jobs: 4000 },
      links: linksOf('source>A source>B A>sink B>sink'),
      // Votes 1 and 4: least total time gives (1, 2), Jefferson (0, 3).
      stages: [constant('A', 100), constant('B', 400)],
      workers: 3,
      policy: { kind: 'leastScore', lend: false },
      estimator: { kind: 'mean', prior: 'declared' },
      later,
    })

  test('another rule gives out the seats', async () => {
    const { trace } = await votes([{ at: 1000, policy: { kind: 'jefferson', lend: false } }])
    expect([...stateAt(trace, 999).seats]).toEqual([1, 2])
    expect([...stateAt(trace, 1000).seats]).toEqual([0, 3])
  })

  test('a change of stage has another cost, for batches that start from then on', async () => {
    const { rows, trace } = await play({
      source: { kind: 'batch', jobs: 2 },
      stages: [constant('A', 10), constant('B', 10)],
      workers: 1,
      policy: { kind: 'single' },
      switchCost: 5,
      later: [
        { at: 12, switchCost: 100 },
        { at: 25, switchCost: 7 },
      ],
    })
    // A until 10, B with the old cost until 25; then A and B with the cost of time 25.
    expect(noted(rows, trace, 'finished')).toEqual([
      '10 finished A w0 j0 (0-10)',
      '25 finished B w0 j0 (15-25)',
      '42 finished A w0 j1 (32-42)',
      '59 finished B w0 j1 (49-59)',
    ])
  })

  test('burning workers share a new number of cores', async () => {
    const { rows, trace } = await play({
      source: { kind: 'batch', jobs: 2 },
      stages: [constant('A', 100)],
      workers: 2,
      later: [
        { at: 50, cores: 1 },
        { at: 90, cores: 2 },
      ],
    })
    // 50 of work at full speed, 20 in the next 40, and 30 more.
    expect(noted(rows, trace, 'finished')).toEqual(['120 finished A w0 j0 (0-120)', '120 finished A w1 j1 (0-120)'])
  })
})

describe('a run that is stuck', () => {
  const nobody = {
    source: { kind: 'batch', jobs: 2 },
    stages: [constant('A', 10), constant('B', 10)],
    workers: 2,
    policy: { kind: 'fixed', allocation: { A: 2 } },
  }

  test('continues when a later phase allows it', async () => {
    const { trace } = await play({ ...nobody, later: [{ at: 500, policy: { kind: 'leastScore' } }] })
    expect([trace.ending, trace.length > 0 && stateAt(trace, Infinity).counts.time]).toEqual(['drained', 510])
  })
})
