import { range } from 'd3-array'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstUntouchedJobs } from '../../../src/measures/jobs/jobPlaces.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { branchDraft, branchOf, forkAt, startedJobsIn } from '../../../src/scenario/edit/branches.ts'
import { setStage } from '../../../src/scenario/edit/edits.ts'
import { same } from '../../../src/scenario/model/compact.ts'
import type { Micros, Scenario } from '../../../src/scenario/model/scenario.ts'
import { endOf, rowsUntil, timeOf, traceRow } from '../../../src/trace/trace.ts'
import { anyEdit } from '../../fixtures/anyBranches.ts'
import { anyScenario, elasticPolicies, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

/** How many rows before `at` two runs have in common, and how many each has. */
async function prefix(
  original: Scenario,
  at: Micros,
  edited: Scenario,
): Promise<readonly [common: number, one: number, other: number]> {
  const one = await playSimulation(original, 0)
  const forked = forkAt(original, at, edited, firstUntouchedJobs(one, at))
  if ('problems' in forked) throw new Error(JSON.stringify(forked.problems))
  const other = await playSimulation(branchOf(valid({ ...original, branches: [forked.branch] }), 0), 0)
  const rows = [one, other].map((trace) => rowsUntil(trace, at - 1))
  let common = 0
  while (common < Math.min(...rows) && same(traceRow(one, common), traceRow(other, common))) common++
  return [common, rows[0], rows[1]]
}

describe('a branch', () => {
  test('equals its original until it begins, row for row, with any changes', async () => {
    let parted = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(anyScenario({ graphs: true, turns: true }), anyScenario({ policies: elasticPolicies, turns: true })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        anyEdit,
        async (original, share, edit) => {
          const one = await playSimulation(original, 0)
          // A run without jobs has no branch.
          fc.pre(endOf(one) > 0)
          const at = Math.max(1, Math.floor(share * endOf(one)))
          const startedJobs = firstUntouchedJobs(one, at)
          const edited = valid(edit(original, at, startedJobs))
          const forked = forkAt(original, at, edited, startedJobs)
          if ('problems' in forked) throw new Error(JSON.stringify(forked.problems))
          const whole = valid({ ...original, branches: [forked.branch] })
          // Editing continues from the edited scenario and makes the same branch again.
          expect(branchDraft(whole, 0)).toEqual(edited)
          expect(startedJobsIn(whole, 0)).toEqual(startedJobs)
          expect(forkAt(whole, at, branchDraft(whole, 0), startedJobsIn(whole, 0))).toEqual(forked)

          const other = await playSimulation(branchOf(whole, 0), 0)
          const rows = rowsUntil(one, at - 1)
          expect(rowsUntil(other, at - 1)).toBe(rows)
          const differing = range(rows).find((row) => !same(traceRow(other, row), traceRow(one, row)))
          expect(differing).toBeUndefined()
          if (other.length !== one.length || timeOf(other, other.length - 1) !== timeOf(one, one.length - 1)) parted++
        },
      ),
      { numRuns: repeats(60) },
    )
    expect(parted).toBeGreaterThan(repeats(10) / 2)
  })

  test('changes service times from the first job that has not reached a queue, if the shortest goes first', async () => {
    const original = valid({
      version: 1,
      source: { kind: 'poisson', rate: 300, jobs: 200 },
      stages: [{ id: 'A', discipline: 'shortest', service: { kind: 'exponential', mean: 4000 } }],
      workers: 1,
    })
    for (const at of [50_000, 200_000, 400_000]) {
      const [common, one, other] = await prefix(
        original,
        at,
        setStage(original, 'A', { service: { kind: 'constant', mean: 500 } }),
      )
      expect([common, other]).toEqual([one, one])
    }
  })
})
