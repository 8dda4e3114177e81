import { describe, expect, test } from 'vitest'
import { steadyInSteps } from '../../../../src/features/theory/measure/steadyState.ts'
import { intervalOf, studentQuantile } from '../../../../src/measures/figures/comparison.ts'
import { ARRIVED, FINISHED, RELEASED, type Row, STARTED } from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { runToEnd } from '../../../../src/trace/follow.ts'
import { traceRow } from '../../../../src/trace/trace.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

const line = (jobs: number, rest: object = {}) =>
  scenarioWith({
    source: { kind: 'poisson', rate: 700, jobs },
    stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'exponential', mean: 1000 }, work: 'wait' })),
    workers: 3,
    policy: { kind: 'fixed', allocation: { A: 1, B: 1 } },
    ...rest,
  })

describe('the steady state of a run', () => {
  test('has the intervals of the means of ten batches, summed plainly', async () => {
    const trace = await playSimulation(line(1311), 0)
    const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
    const timesOf = (holds: (row: Row) => boolean) => {
      const times: number[] = []
      for (const row of rows.filter(holds)) times[row.job] = row.time
      return times
    }
    const arrived = timesOf(({ kind }) => kind === ARRIVED)
    const released = timesOf(({ kind }) => kind === RELEASED)
    const [started, finished] = [STARTED, FINISHED].map((which) =>
      [0, 1].map((s) => timesOf(({ kind, stage }) => kind === which && stage === s)),
    )
    // 1,310 jobs before the last, of which 131 are left out: 117 in each batch, the first batch begins at 140.
    const batches = (values: (job: number) => number, per: (from: number, to: number) => number) =>
      intervalOf(
        Array.from({ length: 10 }, (_, b) => {
          const jobs = Array.from({ length: 117 }, (_, k) => 140 + 117 * b + k)
          return jobs.reduce((sum, job) => sum + values(job), 0) / per(jobs[0], jobs[116] + 1)
        }),
      )
    const perJob = () => 117
    const perTime = (from: number, to: number) => arrived[to] - arrived[from]
    const waits = [(job: number) => started[0][job] - arrived[job], (job: number) => started[1][job] - finished[0][job]]
    const served = [0, 1].map((s) => (job: number) => finished[s][job] - started[s][job])
    const expected = {
      meanFlowTime: batches((job) => released[job] - arrived[job], perJob),
      meanJobsInSystem: batches((job) => released[job] - arrived[job], perTime),
      meanWait: batches((job) => waits[0](job) + waits[1](job), perJob),
      utilisation: batches((job) => (served[0](job) + served[1](job)) / 3, perTime),
      stages: [0, 1].map((s) => ({
        meanWait: batches(waits[s], perJob),
        meanQueue: batches(waits[s], perTime),
        utilisation: batches((job) => served[s](job) / 3, perTime),
      })),
    }
    const near = (interval: object) =>
      Object.fromEntries(Object.entries(interval).map(([key, value]) => [key, expect.closeTo(value, 6)]))
    const { stages, ...whole } = expected
    expect(runToEnd(steadyInSteps(trace))).toMatchObject({
      ...Object.fromEntries(Object.entries(whole).map(([key, interval]) => [key, near(interval)])),
      stages: stages.map((figures) =>
        Object.fromEntries(Object.entries(figures).map(([key, interval]) => [key, near(interval)])),
      ),
    })
  })

  test('is null for a run that is short or loses a worker', async () => {
    const of = async (scenario: ReturnType<typeof line>) => runToEnd(steadyInSteps(await playSimulation(scenario, 0)))
    expect(await of(line(999))).toBeNull()
    expect(await of(line(1000))).not.toBeNull()
    expect(await of(line(1400, { workerEvents: [{ at: 1000, kind: 'leave', worker: 2 }] }))).toBeNull()
  })
})

test.each([
  [5, 2.571],
  [9, 2.262],
  [19, 2.093],
  [100, 1.984],
  [1e9, 1.96],
])('the 97.5%% quantile of Student’s t at %i degrees of freedom is %f', (freedom, quantile) => {
  expect(Math.abs(studentQuantile(freedom) - quantile)).toBeLessThan(0.001)
})
