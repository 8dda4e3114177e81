import { describe, expect, test } from 'vitest'
import { messageTimesOf } from '../../../src/engine/simulation/simulatedRun.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { FINISHED, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'
import { createRandom, randomKey } from '../../../src/workload/random.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const waits = (id: string, mean: number) => ({ id, work: 'wait', service: { kind: 'constant', mean } })
const far = (over: object) =>
  valid({ version: 1, source: { kind: 'batch', jobs: 4 }, stages: [waits('A', 1000)], workers: 1, ...over })
const rowsOf = (trace: Trace, kind: number) =>
  Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)).filter((row) => row.kind === kind)
const makespan = async (over: object) => metricsOf(await playSimulation(far(over), 0)).makespan

describe('over a network', () => {
  test('a batch begins half a round trip after its order, and its answer arrives half a round trip after its end', async () => {
    const trace = await playSimulation(far({ network: { roundTrip: 401 } }), 0)
    expect(rowsOf(trace, FINISHED)[0]).toMatchObject({ began: 200, ended: 1200, time: 1401 })
    expect(rowsOf(trace, STARTED).map(({ time }) => time)).toEqual([0, 1401, 2802, 4203])
  })

  test('batches of ten need one round trip per ten jobs', async () => {
    const jobs = { source: { kind: 'batch', jobs: 100 }, network: { roundTrip: 5000 } }
    expect(await makespan(jobs)).toBe(100 * 6000)
    expect(await makespan({ ...jobs, batch: { size: 10 } })).toBe(100 * 1000 + 10 * 5000)
  })

  test('a second batch hides the round trip where a batch lasts as long', async () => {
    const jobs = { source: { kind: 'batch', jobs: 100 }, network: { roundTrip: 10_000 } }
    expect(await makespan({ ...jobs, batch: { size: 10, inHand: 2 } })).toBe(100 * 1000 + 10_000)
    // Where it lasts half as long, two batches share a round trip: 10 ms of messages and 5 ms of work, and 5 ms for the last one.
    expect(await makespan({ ...jobs, batch: { size: 5, inHand: 2 } })).toBe(10 * 15_000 + 5000)
  })
})

test('each message takes half a round trip, and lost messages are resent according to the draws of their stage, job and direction', () => {
  const stages = [waits('A', 1), waits('B', 1)]
  for (const [roundTrip, loss, again] of [
    [401, 0.3, 1000],
    [2000, 0.99, 4000],
    [777, 0, 0],
  ]) {
    const scenario = far({ seed: 9, stages, network: { roundTrip, loss } })
    const times = messageTimesOf(scenario)
    const resends: number[] = []
    for (const [stage, id] of ['A', 'B'].entries())
      for (let job = 0; job < 60; job++) {
        const draw = createRandom(9, randomKey(`${id} messages`))
        const [there, back] = [0, 1].map((way) =>
          Array.from({ length: 100 }, (_, k) => draw(job, 2 * k + way)).findIndex((drawn) => drawn >= loss),
        )
        const lost = (first: number) => (first < 0 ? 100 : first)
        resends.push(lost(there), lost(back))
        expect(times?.there(stage, job)).toBe(Math.floor(roundTrip / 2) + lost(there) * again)
        expect(times?.back(stage, job)).toBe(Math.ceil(roundTrip / 2) + lost(back) * again)
      }
    expect(resends.includes(100)).toBe(loss === 0.99)
    expect(new Set(resends).size > 3).toBe(loss > 0)
  }
  expect(messageTimesOf(far({ stages }))).toBe(null)
})
