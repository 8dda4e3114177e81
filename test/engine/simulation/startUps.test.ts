import { expect, test } from 'vitest'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { spoken } from '../../../src/measures/decisions/decisionWords.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { createSpeech } from '../../../src/measures/decisions/speech.ts'
import { lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { startingNote, startUpAt, startUpsIn } from '../../../src/measures/frame/startUps.ts'
import { HIRED, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { readFragment, toJsonFragment, toShortFragment } from '../../../src/scenario/link/codec.ts'
import { eachRow, endOf } from '../../../src/trace/trace.ts'
import { startUpsOf } from '../../../src/workload/service.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const constant = (mean: number) => ({ kind: 'constant', mean })
const line = (more: object = {}) =>
  valid({
    version: 1,
    source: { kind: 'batch', jobs: 6 },
    stages: [
      { id: 'A', service: constant(1000), startUp: constant(500) },
      { id: 'B', service: constant(2000), startUp: constant(7000) },
    ],
    workers: 2,
    ...more,
  })

test('a worker pays a start-up once for each stage, apart from its services', async () => {
  const trace = await playSimulation(line({ policy: { kind: 'onePerStage' } }), 0)
  // A: 500, then six services of 1,000. B: a job comes at 1,500, and the worker is ready at 8,500: six services of 2,000.
  expect(endOf(trace)).toBe(8500 + 6 * 2000)
  expect(startUpsIn(trace)).toEqual([[{ stage: 0, from: 0, until: 500 }], [{ stage: 1, from: 1500, until: 8500 }]])
  const { stages } = frameAt(trace, endOf(trace))
  expect(stages.map(({ meanService }) => meanService)).toEqual([1000, 2000])
})

test('a hired worker starts up at once, and gets a job only when it is ready', async () => {
  const policy = { kind: 'threshold', high: 0, idle: 1_000_000, every: 1000, max: 2 }
  const trace = await playSimulation(line({ workers: 4, policy }), 0)
  const hired: number[] = []
  const first = new Map<number, number>()
  eachRow(trace, 0, trace.length, (rows, i, row) => {
    if (rows.kind[i] === HIRED) hired.push(rows.worker[i])
    if (rows.kind[i] === STARTED && !first.has(rows.worker[i])) first.set(rows.worker[i], row)
  })
  const all = startUpsIn(trace) ?? []
  for (const worker of first.keys()) expect(all[worker].length).toBeGreaterThan(0)
  for (const [worker, list] of all.entries())
    for (const { from, until, stage } of list) {
      const frame = frameAt(trace, until - 1)
      if (frame.workers[worker].stage === stage) expect(frame.workers[worker].status).toBe('idle')
      expect(startUpAt(trace, worker, { status: 'idle', stage }, from)).toEqual({ stage, from, until })
    }
  expect(hired.length).toBeGreaterThan(2)
  expect(trace.ending).toBe('drained')
})

test('a worker that is dismissed and hired again starts up again, another time as long as the seed says', async () => {
  const startUp = { kind: 'uniform', min: 1000, max: 9000 }
  const scenario = valid({
    version: 1,
    source: { kind: 'times', at: [0, 100_000, 200_000] },
    stages: [{ id: 'A', service: constant(1000), startUp }],
    workers: 1,
    policy: { kind: 'threshold', high: 0, idle: 2000, every: 1000 },
  })
  const trace = await playSimulation(scenario, 0)
  const [list] = startUpsIn(trace) ?? []
  const draw = startUpsOf(scenario)
  expect(list.map(({ from, until }) => until - from)).toEqual([0, 1, 2].map((nth) => draw(0, 0, nth)))
  expect(new Set(list.map(({ from, until }) => until - from)).size).toBe(3)
})

test('a long start-up is no reason to call a run stuck', async () => {
  const policy = { kind: 'threshold', high: 0, idle: 1_000_000, every: 100_000 }
  const stages = [{ id: 'A', service: constant(1000), startUp: constant(60_000_000) }]
  const trace = await playSimulation(
    valid({ version: 1, source: { kind: 'batch', jobs: 1 }, stages, workers: 1, policy }),
    0,
  )
  expect([trace.ending, endOf(trace)]).toEqual(['drained', 60_001_000])
})

test('decisions and cards say how many workers run and how many start up', async () => {
  const trace = await playSimulation(
    line({ workers: 4, policy: { kind: 'threshold', high: 0, idle: 1_000_000, every: 1000 } }),
    0,
  )
  const history = createEstimateHistory(trace)
  const said = Array.from({ length: trace.decisions.length }, (_, d) =>
    spoken(trace.scenario, createSpeech(trace.scenario), decisionAt(trace, history, d)),
  )
  expect(said.some((text) => /B: 0 running, [12] starting\./.test(text))).toBe(true)
  expect(startingNote(trace, frameAt(trace, 3000), 1)).toMatch(/^0 running, \d starting$/)
  expect(startingNote(trace, frameAt(trace, endOf(trace)), 1)).toBeNull()
})

test('the lower bound has one start-up for each stage, and no run beats it', async () => {
  const scenario = line()
  expect(lowerBoundOf(scenario)).toMatchObject({ name: 'work', work: 6 * 3000 + 7500, by: 2 })
  expect(endOf(await playSimulation(scenario, 0))).toBeGreaterThanOrEqual(lowerBoundOf(scenario).time)
  // A policy that hires may start workers before there is work.
  expect(lowerBoundOf(line({ policy: { kind: 'threshold', high: 0, idle: 1000, every: 1000 } })).work).toBe(18_000)
})

test('start-ups survive both kinds of links', () => {
  const scenario = line({ seed: 7 })
  for (const link of [toJsonFragment(scenario), toShortFragment(scenario)])
    expect(readFragment(link)).toMatchObject({ found: 'scenario', scenario })
})
