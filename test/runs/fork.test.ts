import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { begunBefore } from '../../src/measures/begun.ts'
import { playSimulation } from '../../src/runs/play.ts'
import { begunIn, branchOf, drawnBranch } from '../../src/scenario/branches.ts'
import { forkAt } from '../../src/scenario/fork.ts'
import { endOf, rowsUntil, timeOf, traceRow } from '../../src/trace/trace.ts'
import { anyEdit } from '../fixtures/anyBranches.ts'
import { anyScenario, valid } from '../fixtures/anyScenario.ts'

describe('a branch', () => {
  test('plays as its trunk until it begins, row for row, whatever is changed', async () => {
    let parted = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(anyScenario({ graphs: true }), anyScenario({ policies: ['pid', 'threshold'] })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        anyEdit,
        async (trunk, share, edit) => {
          const one = await playSimulation(trunk, 0)
          // A run of no jobs has nothing to go on with.
          fc.pre(endOf(one) > 0)
          const at = Math.max(1, Math.floor(share * endOf(one)))
          const begun = begunBefore(one, at)
          const edited = valid(edit(trunk, at, begun))
          const forked = forkAt(trunk, at, edited, begun)
          if ('problems' in forked) throw new Error(JSON.stringify(forked.problems))
          const whole = valid({ ...trunk, branches: [forked.branch] })
          // What was edited is what one goes on editing, and makes the same branch again.
          expect(drawnBranch(whole, 0)).toEqual(edited)
          expect(begunIn(whole, 0)).toEqual(begun)
          expect(forkAt(whole, at, drawnBranch(whole, 0), begunIn(whole, 0))).toEqual(forked)

          const other = await playSimulation(branchOf(whole, 0), 0)
          const rows = rowsUntil(one, at - 1)
          expect(rowsUntil(other, at - 1)).toBe(rows)
          for (let row = 0; row < rows; row++) expect(traceRow(other, row)).toEqual(traceRow(one, row))
          if (other.length !== one.length || timeOf(other, other.length - 1) !== timeOf(one, one.length - 1)) parted++
        },
      ),
      { numRuns: 150 },
    )
    expect(parted).toBeGreaterThan(25)
  }, 120_000)
})
