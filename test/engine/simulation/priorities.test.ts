import { expect, test } from 'vitest'
import { theoryOf } from '../../../src/features/theory/measure/theory.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { ARRIVED, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { traceRow } from '../../../src/trace/trace.ts'
import { classingOf } from '../../../src/workload/service.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const urgent = (more: object = {}) => ({ id: 'A', work: 'wait', discipline: 'priority', ...more })
const scenarioOf = (source: object, stage: object, more: object = {}) =>
  valid({ version: 1, seed: 3, source, stages: [stage], workers: 1, ...more })

/** Returns the jobs in the order of their starts, each with its class and when it came and started. */
async function startsOf(scenario: ReturnType<typeof valid>) {
  const classOf = classingOf(scenario)
  const trace = await playSimulation(scenario, 0)
  const came: number[] = []
  const starts: { readonly job: number; readonly kind: number; readonly came: number; readonly at: number }[] = []
  for (let i = 0; i < trace.length; i++) {
    const { kind, time, job } = traceRow(trace, i)
    if (kind === ARRIVED) came[job] = time
    if (kind === STARTED) starts.push({ job, kind: classOf(job), came: came[job], at: time })
  }
  return starts
}

test('of the jobs that wait the most urgent class starts first, and within a class the one that came first', async () => {
  const starts = await startsOf(scenarioOf({ kind: 'batch', jobs: 60, classes: [1, 2, 3] }, urgent()))
  const sorted = [...starts].sort((a, b) => a.kind - b.kind || a.job - b.job)
  expect(starts.map(({ job }) => job)).toEqual(sorted.map(({ job }) => job))
  expect(new Set(starts.map(({ kind }) => kind))).toEqual(new Set([0, 1, 2]))
})

test('with ageing no job starts while one waits that came earlier by that for each class it is less urgent', async () => {
  const ageing = 4000
  const starts = await startsOf(
    scenarioOf(
      { kind: 'poisson', rate: 190, jobs: 1000, classes: [1, 1, 1] },
      urgent({ ageing, service: { kind: 'exponential', mean: 5000 } }),
    ),
  )
  let passed = 0
  starts.forEach((first, k) => {
    for (const later of starts.slice(k + 1)) {
      if (later.came >= first.at) continue
      expect(first.came + first.kind * ageing).toBeLessThanOrEqual(later.came + later.kind * ageing)
      if (later.came < first.came) passed++
    }
  })
  expect(passed).toBeGreaterThan(50)
})

test('the mean wait of each class is that of Cobham (1954) within 5%', async () => {
  // M/M/1 at a load of 0.8, of which the classes have 0.1, 0.2 and 0.5: W0 = 6.4 ms, and Wk = W0 / (1 - load before k) / (1 - load up to k).
  const source = { kind: 'poisson', rate: 100, jobs: 100_000, classes: [1, 2, 5] }
  const service = { kind: 'exponential', mean: 8000 }
  const { classes = [] } = metricsOf(await playSimulation(scenarioOf(source, urgent({ service })), 0))
  const expected = [6400 / 0.9, 6400 / 0.9 / 0.7, 6400 / 0.7 / 0.2]
  expect(classes).toHaveLength(3)
  for (const [k, { meanWait }] of classes.entries()) expect(Math.abs(meanWait / expected[k] - 1)).toBeLessThan(0.05)
})

test.each([
  ['M/M/1', 1, { kind: 'exponential', mean: 8000 }, [1, 2, 5]],
  ['M/M/c', 4, { kind: 'exponential', mean: 32_000 }, [3, 2, 1]],
  ['M/G/1', 1, { kind: 'uniform', min: 1000, max: 15_000 }, [2, 1, 1, 4]],
] as const)(
  'in the theory of %s the mean over all classes is the wait of first come, first served',
  (law, workers, service, classes) => {
    const theory = theoryOf(
      scenarioOf({ kind: 'poisson', rate: 100, jobs: 9, classes }, urgent({ service }), { workers }),
    )
    if ('reasons' in theory) throw new Error(theory.reasons.join())
    const [{ classWaits }] = theory.stations
    const total = classes.reduce((sum: number, share) => sum + share, 0)
    const mean = classes.reduce((sum: number, share, k) => sum + (share * (classWaits?.[k] ?? 0)) / total, 0)
    expect([theory.law, mean / theory.meanWait]).toEqual([law, expect.closeTo(1, 9)])
    if (law === 'M/M/1') expect(classWaits?.map(Math.round)).toEqual([7111, 10_159, 45_714])
  },
)
