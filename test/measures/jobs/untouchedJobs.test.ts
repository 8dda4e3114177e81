import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstUntouchedJobs } from '../../../src/measures/jobs/jobPlaces.ts'
import { ARRIVED, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { traceRow } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarios } from '../scenarios.ts'

test('a service time is in use once its job has started, or has arrived where the shortest goes first', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, fc.double({ min: 0, max: 1, noNaN: true }), async (scenario, share) => {
      const trace = await playSimulation(scenario, 0)
      const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
      const at = rows.length === 0 ? 0 : rows[Math.floor(share * (rows.length - 1))].time
      const before = rows.filter(({ time }) => time < at)
      const after = (kind: number, stage: number) =>
        Math.max(-1, ...before.filter((row) => row.kind === kind && row.stage === stage).map(({ job }) => job)) + 1
      const arrived = Math.max(-1, ...before.filter(({ kind }) => kind === ARRIVED).map(({ job }) => job)) + 1
      expect(firstUntouchedJobs(trace, at)).toEqual(
        scenario.stages.map(({ discipline }, s) => (discipline === 'shortest' ? arrived : after(STARTED, s))),
      )
    }),
    { numRuns: repeats(80) },
  )
})
