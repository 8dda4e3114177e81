import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { arrivalRates } from '../../../src/runs/fit/arrivalRates.ts'
import { fitLog } from '../../../src/runs/fit/fitLog.ts'
import { playQueues } from '../../../src/runs/fit/playQueues.ts'
import { samplesOf } from '../../../src/runs/fit/samples.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { countJobs } from '../../../src/scenario/model/limits.ts'
import { createLogReader } from '../../../src/trace/logs/readLog.ts'
import { isWithin } from '../../bench/fit.bench.ts'
import { hiddenSystems } from '../../bench/hiddenSystems.ts'
import { plainLog } from '../../bench/plainQueue.ts'

function logOf(text: string) {
  const reader = createLogReader()
  reader.push(new TextEncoder().encode(text))
  const read = reader.end()
  if (!('log' in read)) throw new Error('the log cannot be read')
  return read.log
}

/** Seconds, then rows of one or more stages at each: name, queue and workers. */
function logFrom(seconds: number, rowsAt: (second: number) => readonly (readonly [name: string, queue: number, workers: number | '', completed?: number])[]) {
  const rows = Array.from({ length: seconds }, (_, t) =>
    rowsAt(t).map(([name, queue, workers, completed = '']) => `${t},${name},${queue},500,${workers},${completed}`),
  )
  return logOf(['time,stage,queue,service_ms,workers,completed', ...rows.flat()].join('\n'))
}

describe('a scenario that is fitted to a log of another simulator', () => {
  test.each([
    ['steady', 2, false],
    ['surge', 3, true],
    ['wave', 3, false],
  ] as const)('has as many jobs and its mean queues, within 35% or 1.5 jobs: %s, seed %i, counted: %s', async (name, seed, completed) => {
    const system = hiddenSystems[name](seed)
    const { stages, scenario } = await fitLog(logOf(plainLog(system, seed, { measured: true, completed })))
    const hidden = Array.from({ length: system.seconds }, (_, t) => system.rate(t)).reduce((sum, rate) => sum + rate, 0)
    expect(Math.abs(countJobs(scenario.source) / hidden - 1)).toBeLessThan(completed ? 0.1 : 0.2)
    expect(stages.filter((stage) => !isWithin(stage))).toEqual([])
    const { stages: played } = metricsOf(await playSimulation(scenario, 0))
    expect(played.map(({ meanQueue }) => meanQueue.toFixed(6))).toEqual(stages.map(({ whole }) => whole.toFixed(6)))
    expect(scenario.policy.kind).toBe('fixed')
    expect(scenario.stages.map((stage) => stage.name)).toEqual(['stage 1', 'stage 2', 'stage 3'])
  })

  test('is the same for the same log', async () => {
    const text = plainLog({ ...hiddenSystems.steady(1), seconds: 60 }, 1, { measured: true, completed: true })
    expect((await fitLog(logOf(text))).scenario).toEqual((await fitLog(logOf(text))).scenario)
  })

  test('has the workers of the log from the times on at which they changed', async () => {
    const log = logFrom(40, (t) => [
      ['A', t % 3, t < 10 ? 2 : 3],
      ['B', 1, t < 25 ? 4 : 1],
    ])
    const { scenario } = await fitLog(log)
    const allocations = [{ at: 0, policy: scenario.policy }, ...scenario.later].map(({ at, policy }) => [at, policy?.kind === 'fixed' && policy.allocation])
    expect(allocations).toEqual([
      [0, { A: 2, B: 4 }],
      [10_000_000, { A: 3, B: 4 }],
      [25_000_000, { A: 3, B: 1 }],
    ])
    expect(scenario.workers).toBe(7)
  })

  test('serves after the end of the log what a stage without workers has left', async () => {
    const log = logFrom(40, (t) => [
      ['A', t % 5, t < 20 ? 1 : 0],
      ['B', 0, 2],
    ])
    const { scenario } = await fitLog(log)
    expect((await playSimulation(scenario, 0)).ending).toBe('drained')
  })

  test('begins with the jobs that wait in each stage when the log begins', async () => {
    const log = logFrom(40, (t) => [
      ['A', 10, 2, 4 * t],
      ['B', 30, 2, 4 * t],
    ])
    const { scenario } = await fitLog(log)
    const { sampled } = await playQueues(scenario, Float64Array.of(500))
    expect(sampled.map(([queue]) => queue)).toEqual([10, 30])
  })
})

describe('arrivals', () => {
  test('are what left and what the queue grew by, where jobs are counted; a counter may begin again', () => {
    const completed = (t: number) => (t < 30 ? 100 + 2 * t : 2 * (t - 30))
    const log = logFrom(60, (t) => [['A', 3 * t, 1, completed(t)]])
    const { pieces, counted } = arrivalRates(samplesOf(log, null))
    expect(counted).toBe(true)
    const jobs = pieces.reduce((sum, { from, to, value }) => sum + value * (to - from), 0)
    expect(jobs).toBeCloseTo(2 * 58 + 3 * 59, 6)
    expect(pieces.length).toBeLessThan(4)
  })

  test('are known from a busy stage even where they are not counted: what it serves, and what its queue grew by', () => {
    const log = logFrom(60, (t) => [
      ['A', 0, 8],
      ['B', 5 + 3 * t, 1],
    ])
    const { pieces, counted } = arrivalRates(samplesOf(log, null))
    expect(counted).toBe(false)
    for (const { value } of pieces) expect(value).toBeGreaterThan(4)
    for (const { value } of pieces) expect(value).toBeLessThan(6)
  })
})

describe('a log that cannot be fitted', () => {
  const two = (workers: number | '', left = 0) =>
    logFrom(40, (t) => [
      ['A', 1, workers, 10 * t],
      ['B', 1, workers, left * t],
    ])
  test.each([
    ['has too few times', () => fitLog(logFrom(3, () => [['A', 1, 1]])), /found 3 times; allowed: at least 10/],
    ['has no workers', () => fitLog(two('')), /does not say how many workers/],
    ['has stages that are no line', () => fitLog(two(2, 3)), /390 jobs left "A" and 117 jobs came to "B".*in which order the stages follow/],
    ['is given other stages', () => fitLog(two(2, 10), { order: ['A', 'C'] }), /found "A" and "C"; allowed: each of "A" and "B" once/],
  ])('%s: is refused in words', async (_, refused, message) => {
    await expect(refused()).rejects.toThrow(message)
  })
})
