import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageTimesOf } from '../../../src/engine/simulation/simulatedRun.ts'
import { replay } from '../../../src/features/replay/study/replay.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { FINISHED, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { digestOf } from '../../../src/trace/digest.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'
import { createRandom, randomKey } from '../../../src/workload/random.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

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

  test('a worker that waits for a group gets its job when the answer of the holder has come, half a round trip later', async () => {
    const grouped = {
      source: { kind: 'groups', groups: [2], feeders: 1 },
      stages: [{ ...waits('A', 1000), resource: 'group' }],
      workers: 2,
    }
    const trace = await playSimulation(far({ ...grouped, network: { roundTrip: 400 } }), 0)
    expect(rowsOf(trace, STARTED).map(({ time, worker }) => [time, worker])).toEqual([
      [0, 0],
      [0, 1],
    ])
    expect(rowsOf(trace, FINISHED).map(({ began, ended, time }) => [began, ended, time])).toEqual([
      [200, 1200, 1400],
      [1600, 2600, 2800],
    ])
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

  test('a lost message is sent again after twice the round trip', async () => {
    const without = await makespan({ network: { roundTrip: 1000 } })
    const times = await Promise.all(
      [...Array(40).keys()].map((seed) => makespan({ seed, network: { roundTrip: 1000, loss: 0.3 } })),
    )
    for (const time of times) expect((time - without) % 2000).toBe(0)
    // Of eight messages 8 x 0.3 / 0.7 are lost in the mean.
    const mean = times.reduce((sum, time) => sum + (time - without) / 2000, 0) / times.length
    expect(mean).toBeGreaterThan(2.6)
    expect(mean).toBeLessThan(4.3)
  })

  test('even a network that loses nearly all messages lets every job through', async () => {
    expect((await playSimulation(far({ network: { roundTrip: 1, loss: 0.99 } }), 0)).ending).toBe('drained')
  })

  test('each worker has a core of its own', async () => {
    const burning = { stages: [{ id: 'A' }], workers: 4, cores: 1, network: { roundTrip: 100 } }
    expect(await makespan(burning)).toBe(1100)
  })

  test('adaptive batches last for twenty round trips', async () => {
    const jobs = {
      source: { kind: 'batch', jobs: 10_000 },
      workers: 2,
      network: { roundTrip: 1000 },
      batch: { adaptive: true },
    }
    const perBatch = new Map<string, number>()
    for (const { time, worker } of rowsOf(await playSimulation(far(jobs), 0), STARTED))
      perBatch.set(`${time} ${worker}`, (perBatch.get(`${time} ${worker}`) ?? 0) + 1)
    expect(Math.max(...perBatch.values())).toBe(30)
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

test('40 ms away, 20 workers serve 9,000 services of 5 to 20 ms in less than 1.4 times the time of the work', async () => {
  const scenario = valid({
    version: 1,
    source: { kind: 'batch', jobs: 3000 },
    stages: ['A', 'B', 'C'].map((id) => ({ id, work: 'wait', service: { kind: 'uniform', min: 5000, max: 20_000 } })),
    workers: 20,
    network: { roundTrip: 40_000 },
    batch: { adaptive: true },
  })
  const ideal = (9000 * 12_500) / 20
  expect(metricsOf(await playSimulation(scenario, 0)).makespan).toBeLessThan(1.4 * ideal)
  expect(
    metricsOf(await playSimulation({ ...scenario, batch: { adaptive: true, inHand: 2 } }, 0)).makespan,
  ).toBeLessThan(1.2 * ideal)
})

test('any run over a network repeats exactly, drains, can be read and replayed, and starts no job before its order', async () => {
  const anyFar = fc
    .tuple(anyScenario({ graphs: true }), fc.nat({ max: 50_000 }), fc.constantFrom(0, 0.2))
    .map(([scenario, roundTrip, loss]) => valid({ ...scenario, network: { roundTrip, loss } }))
  await fc.assert(
    fc.asyncProperty(anyFar, async (scenario) => {
      const trace = await playSimulation(scenario, 0)
      expect(digestOf(await playSimulation(scenario, 0))).toBe(digestOf(trace))
      expect(replay(trace).difference).toBeNull()
      expect(readTraceJson([...writeTraceJson(trace)].join(''))).toHaveProperty('trace')
    }),
    { numRuns: repeats(150) },
  )
})
