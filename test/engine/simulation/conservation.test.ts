import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARRIVED, FAILED, FINISHED, RELEASED } from '../../../src/pipeline/rows.ts'
import { scenarioAtPhase } from '../../../src/scenario/model/schedule.ts'
import { digestOf } from '../../../src/trace/digest.ts'
import { stateAt } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { constant, play } from './play.ts'

describe('whatever the scenario', () => {
  test('the run ends, time never runs back, and every job that came has left, failed, or is counted as unfinished', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true }), async (scenario) => {
        const { trace, rows } = await play(scenario)
        const { counts } = stateAt(trace, Infinity)
        const count = (kind: number) => rows.filter((row) => row.kind === kind).length
        const inside = counts.outside + counts.parked + [...counts.waiting, ...counts.inHands, ...counts.gathering].reduce((sum, jobs) => sum + jobs, 0)
        // Jobs that are copied are inside in parts.
        if (!trace.topology.copies) expect(counts.arrived).toBe(counts.released + counts.failed + inside)
        else if (inside === 0) expect(counts.arrived).toBe(counts.released + counts.failed)
        expect([counts.arrived, counts.released, counts.failed]).toEqual([count(ARRIVED), count(RELEASED), count(FAILED)])
        expect(new Set(rows.filter(({ kind }) => kind === RELEASED || kind === FAILED).map(({ job }) => job)).size).toBe(counts.released + counts.failed)
        expect(trace.ending === 'drained').toBe(inside === 0)
        expect(rows.findIndex(({ time }, i) => i > 0 && time < rows[i - 1].time)).toBe(-1)
        expect(rows.filter(({ kind, time, began, ended }) => kind === FINISHED && !(0 <= began && began < ended && ended <= time))).toEqual([])
        const mayStick = !scenarioAtPhase(scenario, counts.phase).policy.lend || counts.live === 0
        expect(mayStick || trace.ending === 'drained').toBe(true)
      }),
      { numRuns: repeats(150) },
    )
  })

  test('the same scenario gives the same run', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true }), async (scenario) => {
        expect(digestOf((await play(scenario)).trace)).toBe(digestOf((await play(scenario)).trace))
      }),
      { numRuns: 30 },
    )
  })
})

describe('every kind of source comes to an end', () => {
  const at = [
    [0, 500],
    [2_000_000, 3000],
  ]
  test.each([
    [{ kind: 'batch', jobs: 40 }, 40],
    [{ kind: 'batch', jobs: 0 }, 0],
    [{ kind: 'poisson', rate: 900, jobs: 40 }, 40],
    [{ kind: 'regular', rate: 900, jobs: 40 }, 40],
    [{ kind: 'sine', max: 20, every: 100_000, duration: 1_000_000 }, -1],
    [{ kind: 'bursts', rate: 10, burstRate: 900, on: 10_000, off: 50_000, jobs: 40 }, 40],
    [{ kind: 'steps', at, jobs: 40 }, 40],
    [{ kind: 'curve', points: at, jobs: 40 }, 40],
    [{ kind: 'times', at: [0, 0, 5, 9999] }, 4],
    [{ kind: 'times', at: [] }, 0],
    [{ kind: 'groups', groups: [5, 0, 20], order: 'spread' }, 25],
    [{ kind: 'lines', jobs: 40 }, 40],
  ])('%o', async (source, jobs) => {
    const { trace } = await play({ source, stages: [constant('A', 900), constant('B', 700)], workers: 2 })
    const { arrived, released } = stateAt(trace, Infinity).counts
    expect(trace.ending).toBe('drained')
    expect(released).toBe(arrived)
    if (jobs >= 0) expect(arrived).toBe(jobs)
    else expect(arrived).toBeGreaterThan(20)
  })
})
