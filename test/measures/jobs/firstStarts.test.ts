import { expect, test } from 'vitest'
import {
  createFirstStarts,
  extendFirstStarts,
  firstStartOf,
  firstUnstartedJob,
} from '../../../src/measures/jobs/jobPlaces.ts'
import { STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { traceRow } from '../../../src/trace/trace.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const scenario = valid({
  version: 1,
  source: { kind: 'poisson', rate: 400, jobs: 300 },
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 3000 }, fails: { jobs: [7, 40], tries: 3 } },
    { id: 'B', service: { kind: 'exponential', mean: 5000 }, discipline: 'lifo' },
  ],
  workers: 3,
})

test('the first start of a job at a stage agrees with the rows, read at once or in pieces', async () => {
  const trace = await playSimulation(scenario, 0)
  for (const stage of [0, 1]) {
    const plain = new Map<number, number>()
    for (let i = 0; i < trace.length; i++) {
      const row = traceRow(trace, i)
      if (row.kind === STARTED && row.stage === stage && !plain.has(row.job)) plain.set(row.job, row.time)
    }
    const begins = createFirstStarts(trace, stage)
    while (!extendFirstStarts(begins, 17));
    for (let job = 0; job < 320; job++) expect(firstStartOf(begins, job)).toBe(plain.get(job) ?? Infinity)
    for (const t of [0, 1, 100_000, 333_333, 1e9, ...plain.values()]) {
      const before = [...plain].filter(([, time]) => time < t).map(([job]) => job)
      expect(firstUnstartedJob(begins, t)).toBe(before.length === 0 ? 0 : Math.max(...before) + 1)
    }
  }
})
