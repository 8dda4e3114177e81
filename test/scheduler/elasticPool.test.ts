import { describe, expect, test } from 'vitest'
import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { metricsOf } from '../../src/measures/figures/metrics.ts'
import { DISMISSED, HIRED, rowTime } from '../../src/pipeline/rows.ts'
import { record } from '../../src/runs/play/play.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { presetOf } from '../../src/scenario/presets/presets.ts'
import { eachRow, stateAt, type Trace } from '../../src/trace/trace.ts'
import { createArrivals } from '../../src/workload/arrivals.ts'
import golden from '../golden/elastic-pool.json'

/**
 * Compares the simulation with test/golden/elastic-pool.json. Its `accept` lists the compared rows and their tolerances: the last
 * steps of the trajectories are chaotic, so only their statistics are compared, not their samples.
 */

const SECOND = 1_000_000
const gains = { P: { kp: 1, ki: 0, kd: 0 }, PI: { kp: 1, ki: 0.05, kd: 0 }, PID: { kp: 1, ki: 0.05, kd: 0.05 } }
const sine = (max: number) => ({ kind: 'sine', max, every: 100_000, duration: 60 * SECOND }) as const

const played = new Map<string, Promise<Trace>>()

/** Several tests look at one run. */
function play(source: object, policy: object): Promise<Trace> {
  const key = JSON.stringify([source, policy])
  const trace = played.get(key) ?? playAgain(source, policy)
  played.set(key, trace)
  return trace
}

function playAgain(source: object, policy: object): Promise<Trace> {
  const parsed = parse({
    version: 1,
    source,
    stages: [{ id: 'A', service: { kind: 'constant', mean: 25_000 }, work: 'wait' }],
    workers: 256,
    policy: { kind: 'pid', every: 10_000, setpoint: 0, up: -100, down: -20, ...policy },
  })
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return record(createSimulation(), 'simulation', parsed.scenario, 0)
}

/** The size of the pool after each change: workers hired minus dismissed. */
function changes(trace: Trace): { time: number; workers: number }[] {
  const steps: { time: number; workers: number }[] = []
  let workers = 0
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === HIRED) workers++
    else if (rows.kind[i] === DISMISSED) workers--
    else return
    steps.push({ time: rowTime(rows, i) / SECOND, workers })
  })
  return steps
}

/** All sizes from `from` to `to`, in seconds, including the first one. */
function sizes(trace: Trace, from: number, to: number): number[] {
  const steps = changes(trace)
  const before = steps.filter(({ time }) => time <= from).at(-1)?.workers ?? 0
  return [before, ...steps.filter(({ time }) => time > from && time <= to).map(({ workers }) => workers)]
}

const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b))
const greatest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b))

describe('the elastic pool is the published one', () => {
  test('at a load of 100, P oscillates: after 10 s it still goes down to 2 workers or fewer and up to 20 or more', async () => {
    const trace = await play(sine(100), gains.P)
    for (const from of [10, 25, 40]) {
      const seen = sizes(trace, from, from + 15)
      expect(least(seen)).toBeLessThanOrEqual(2)
      expect(greatest(seen)).toBeGreaterThanOrEqual(20)
    }
  })

  test('at a load of 100, PI settles: from 10 s on 25 workers, plus or minus 3', async () => {
    const seen = sizes(await play(sine(100), gains.PI), 10, 60)
    expect(seen).toHaveLength(1)
    expect(Math.abs(seen[0] - golden.simulated['max100-PI'].final)).toBeLessThanOrEqual(3)
  })

  test('at a load of 100, PID settles between 20 and 45 s, and from 50 s on stays at 23 to 28', async () => {
    const trace = await play(sine(100), gains.PID)
    const settled = changes(trace).at(-1)?.time ?? 0
    expect(settled).toBeGreaterThan(15)
    expect(settled).toBeLessThanOrEqual(45)
    const seen = sizes(trace, 50, 60)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toBeGreaterThanOrEqual(23)
    expect(seen[0]).toBeLessThanOrEqual(28)
  })

  test('at a load of 40, PI is constant from 20 s on at 10 to 12, and PID ends there', async () => {
    const pi = sizes(await play(sine(40), gains.PI), 20, 60)
    expect(pi).toHaveLength(1)
    expect(pi[0]).toBeGreaterThanOrEqual(10)
    expect(pi[0]).toBeLessThanOrEqual(12)
    const pid = sizes(await play(sine(40), gains.PID), 20, 60).at(-1) ?? 0
    expect(pid).toBeGreaterThanOrEqual(10)
    expect(pid).toBeLessThanOrEqual(12)
  })

  test('it starts as in the file: after half a second the number of workers is within 2', async () => {
    for (const name of ['P', 'PI', 'PID'] as const) {
      const { counts } = stateAt(await play(sine(100), gains[name]), SECOND / 2)
      const sample = golden.simulated[`max100-${name}`].samples[1]
      expect(sample.t).toBe(0.5)
      expect(Math.abs(counts.live - sample.workers), name).toBeLessThanOrEqual(2)
      expect(Math.abs(counts.waiting[0] - sample.queue), name).toBeLessThanOrEqual(20)
    }
  })
})

/** The load, and one job half a minute later, so that the run continues while idle. */
function withIdleTail(max: number) {
  const at: number[] = []
  const arrivals = createArrivals({ seed: 1, source: { ...sine(max), jobs: null } } as never)
  for (let time = arrivals.next(); time >= 0; time = arrivals.next()) at.push(time)
  return { kind: 'times', at: [...at, 90 * SECOND] }
}

describe('the effect of the integral part', () => {
  test('when idle afterwards, PI and PID never shrink: the integral part is wound up below the threshold of dismissal', async () => {
    for (const name of ['PI', 'PID'] as const) {
      const trace = await play(withIdleTail(100), gains[name])
      const seen = sizes(trace, 60, 90)
      expect(seen).toHaveLength(1)
      expect(seen[0]).toBeGreaterThan(20)
    }
  })
})

describe('the presets show what their texts say', () => {
  const traceOf = (key: string) => {
    const preset = presetOf(key)
    if (preset === undefined) throw new Error(`no preset ${key}`)
    return record(createSimulation(), 'simulation', preset.scenario, 0)
  }

  test('one allocator for all stages brings a job through in less than two thirds of the time of separate pools', async () => {
    const alone = metricsOf(await traceOf('each-stage-alone'))
    const together = metricsOf(await traceOf('one-allocator'))
    expect(together.completed).toBe(alone.completed)
    expect(together.meanFlowTime).toBeLessThan((alone.meanFlowTime * 2) / 3)
  })
})
