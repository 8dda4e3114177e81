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

test.each([1, 4000, 50_000])(
  'with an ageing of %i µs no job starts while one waits that came earlier by that for each class it is less urgent',
  async (ageing) => {
    const starts = await startsOf(
      scenarioOf(
        { kind: 'poisson', rate: 190, jobs: 2000, classes: [1, 1, 1] },
        urgent({ ageing, service: { kind: 'exponential', mean: 5000 } }),
      ),
    )
    let passed = 0
    starts.forEach((first, k) => {
      for (const later of starts.slice(k + 1)) {
        if (later.came >= first.at) continue
        const ahead = first.came + first.kind * ageing - (later.came + later.kind * ageing)
        expect(ahead).toBeLessThanOrEqual(0)
        if (later.came < first.came) passed++
      }
    })
    // Jobs that age quickly are hardly passed.
    if (ageing === 1) expect(passed).toBeLessThan(20)
    else expect(passed).toBeGreaterThan(100)
  },
)

test.each([
  ['M/M/1', 1, { kind: 'exponential', mean: 8000 }, [1, 2, 5]],
  ['M/M/c', 4, { kind: 'exponential', mean: 32_000 }, [3, 2, 1]],
  ['M/G/1', 1, { kind: 'constant', mean: 8000 }, [1, 1]],
  ['M/G/1', 1, { kind: 'uniform', min: 1000, max: 15_000 }, [2, 1, 1, 4]],
] as const)(
  'the waits of the classes of %s with %i workers agree with Cobham within 5%, and their mean with first come, first served',
  async (law, workers, service, classes) => {
    const source = { kind: 'poisson', rate: 100, jobs: 250_000, classes }
    const scenario = scenarioOf(source, urgent({ service }), { workers })
    const theory = theoryOf(scenario)
    if ('reasons' in theory) throw new Error(theory.reasons.join())
    expect(theory.law).toBe(law)
    const [{ classWaits }] = theory.stations
    const { classes: measured = [], meanWait, jobs } = metricsOf(await playSimulation(scenario, 0))
    expect(measured.reduce((sum, each) => sum + each.jobs, 0)).toBe(jobs)
    for (const [k, each] of measured.entries())
      expect(Math.abs(each.meanWait / (classWaits?.[k] ?? 0) - 1), `class ${k + 1}`).toBeLessThan(0.05)
    expect(Math.abs(meanWait / theory.meanWait - 1)).toBeLessThan(0.04)
  },
)
