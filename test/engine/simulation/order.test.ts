import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FAILED, FINISHED, GATHERED, RELEASED } from '../../../src/pipeline/rows.ts'
import { SINK } from '../../../src/pipeline/topology.ts'
import { scenarioAtPhase } from '../../../src/scenario/model/schedule.ts'
import { stateAt } from '../../../src/trace/trace.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { play } from './play.ts'

/** Rings from one slot, queues from one place: the narrowest lines there are. */
const narrow = fc
  .tuple(anyScenario({ graphs: true }), fc.integer({ min: 1, max: 9 }), fc.array(fc.option(fc.integer({ min: 1, max: 3 })), { minLength: 6, maxLength: 6 }))
  .map(([scenario, slots, capacities]) => {
    const stages = scenario.stages.map((stage, s) => ({ ...stage, capacity: capacities[s] ?? null }))
    return valid({ ...scenario, stages, order: { kind: 'buffer', slots } })
  })

const policies = ['leastScore', 'exhaustive', 'jefferson', 'webster'] as const

describe('an ordered pipeline, however narrow its ring and its queues', () => {
  test('lets tickets leave in ascending order, with no hole but those of failed jobs, and never overwrites the ring', async () => {
    await fc.assert(
      fc.asyncProperty(narrow, async (scenario) => {
        // A ticket handed in beyond the ring, or into a slot that is taken, throws in the core and would end the run here.
        const { trace, rows } = await play(scenario)
        const { slots, next } = trace.topology
        const failed = new Set<number>()
        const parked = new Set<number>()
        let tail = 0
        let released = -1
        for (const { kind, stage, job } of rows) {
          if (kind === FAILED) failed.add(job)
          else if ((kind === FINISHED && next[stage] === SINK) || (kind === GATHERED && stage < 0)) {
            expect(job).toBeLessThan(tail + slots)
            parked.add(job)
            expect(parked.size).toBeLessThanOrEqual(slots)
          } else if (kind === RELEASED) {
            expect(job).toBeGreaterThan(released)
            released = job
            parked.delete(job)
            for (; tail < job; tail++) expect(failed.has(tail)).toBe(true)
            tail = job + 1
          }
          while (failed.has(tail)) tail++
        }
        if (trace.ending === 'drained') expect(parked.size).toBe(0)
      }),
      { numRuns: repeats(100) },
    )
  })

  test('drains whatever the failures, as long as every stage has somebody who lives and may serve it', async () => {
    let drained = 0
    await fc.assert(
      fc.asyncProperty(narrow, async (scenario) => {
        const { trace } = await play(scenario)
        const { live, phase: turns } = stateAt(trace, Infinity).counts
        const { kind, lend } = scenarioAtPhase(scenario, turns).policy
        const everyStageIsServed = lend || ((kind === 'onePerStage' || kind === 'single' || kind === 'greenThreads') && scenario.workerEvents.length === 0)
        if (live === 0 || !everyStageIsServed) return
        expect(trace.ending).toBe('drained')
        drained++
      }),
      { numRuns: repeats(100) },
    )
    expect(drained).toBeGreaterThan(repeats(25) / 2)
  })
})

test('a ring of one slot makes a line of many workers serve its last stage one ticket at a time', async () => {
  const { trace, rows } = await play({
    source: { kind: 'batch', jobs: 6 },
    stages: [
      { id: 'A', service: { kind: 'uniform', min: 1, max: 90 }, work: 'wait' },
      { id: 'B', service: { kind: 'uniform', min: 1, max: 90 }, work: 'wait', capacity: 1 },
    ],
    workers: 4,
    order: { kind: 'buffer', slots: 1 },
  })
  expect(trace.ending).toBe('drained')
  expect(rows.filter(({ kind, stage }) => kind === FINISHED && stage === 1).map(({ job }) => job)).toEqual([0, 1, 2, 3, 4, 5])
})

test.each(policies)('a job that fails for good does not hold up those behind it, by %s', async (kind) => {
  const { trace, rows } = await play({
    source: { kind: 'batch', jobs: 8 },
    stages: [
      { id: 'A', service: { kind: 'constant', mean: 10 }, fails: { jobs: [0, 3], tries: 2 } },
      { id: 'B', service: { kind: 'constant', mean: 10 }, capacity: 1, fails: { jobs: [1], tries: 1 } },
    ],
    workers: 3,
    policy: { kind },
    order: { kind: 'buffer', slots: 2 },
  })
  expect(trace.ending).toBe('drained')
  expect(rows.filter((row) => row.kind === RELEASED).map(({ job }) => job)).toEqual([2, 4, 5, 6, 7])
  expect(
    rows
      .filter((row) => row.kind === FAILED)
      .map(({ job }) => job)
      .sort(),
  ).toEqual([0, 1, 3])
})
