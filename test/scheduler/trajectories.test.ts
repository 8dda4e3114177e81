import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARRIVED, DISMISSED, FINISHED, HIRED, rowTime, STARTED, TICK } from '../../src/pipeline/rows.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { eachRow, type Trace } from '../../src/trace/trace.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { told } from './told.ts'

/** The pools of the controllers beyond PID, over time: by hand, and by the formulas of docs/elastic-pools.md written down plainly. */

async function play(scenario: object): Promise<Trace> {
  const parsed = scenarioWith(scenario)
  return playSimulation(parsed, 0)
}

/** What a controller of a single stage can see at a tick, and the size of its pool afterwards. */
interface Tick {
  readonly time: number
  readonly waiting: number
  readonly came: number
  readonly measured: readonly number[]
  readonly before: number
  after: number
}

function ticksOf(trace: Trace): Tick[] {
  const ticks: Tick[] = []
  const measured: number[] = []
  let [arrived, started, size, last] = [0, 0, 0, 0]
  eachRow(trace, 0, trace.length, (rows, i) => {
    const kind = rows.kind[i]
    if (kind === ARRIVED) arrived++
    else if (kind === STARTED) started++
    else if (kind === FINISHED) measured.push(rows.lasted[i])
    else if (kind === HIRED || kind === DISMISSED) {
      size += kind === HIRED ? 1 : -1
      ticks[ticks.length - 1].after = size
    } else if (kind === TICK) {
      ticks.push({ time: rowTime(rows, i), waiting: arrived - started, came: arrived - last, measured: [...measured], before: size, after: size })
      last = arrived
    }
  })
  return ticks
}

describe('additive increase, multiplicative decrease', () => {
  test('adds three at a time and keeps half, idle workers going before busy ones', () => {
    const policy = { kind: 'aimd', high: 2, idle: 1000, increase: 3, decrease: 0.5, every: 1000, max: 7 }
    const tell = told({ source: { kind: 'batch', jobs: 10 }, stages: [{ id: 'A' }], workers: 9, policy })
    const tick = (time: number) => tell(time, 'tick')
    const arrived = Array.from({ length: 10 }, (_, job) => `arrived ${job}`)
    expect(tell(0, ...arrived, 'tick').slice(0, 3)).toEqual(['hired w0 A', 'hired w1 A', 'hired w2 A'])
    expect(tick(1000).slice(0, 3)).toEqual(['hired w3 A', 'hired w4 A', 'hired w5 A'])
    // Four wait, and one more is all that the pool may have.
    expect(tick(2000)).toEqual(['hired w6 A', 'started w6 A 6'])
    expect(tick(3000)).toEqual([])
    const finished = Array.from({ length: 7 }, (_, w) => `finished w${w} A ${w}`)
    expect(tell(3500, ...finished).filter((row) => row.startsWith('started'))).toEqual(['started w0 A 7', 'started w1 A 8', 'started w2 A 9'])
    expect(tick(4000)).toEqual([])
    // Half of seven, rounded down, is three.
    expect(tick(5000)).toEqual(['dismissed w6 A', 'dismissed w5 A', 'dismissed w4 A', 'dismissed w3 A'])
    expect(tick(6000)).toEqual([])
    tell(6000, 'finished w1 A 8')
    // Half of three is one: the idle one goes, and of the busy ones the highest.
    expect(tick(7000)).toEqual(['dismissed w1 A', 'dismissed w2 A'])
    tell(7500, 'finished w0 A 7')
    expect(tick(9000)).toEqual(['dismissed w0 A'])
  })
})

describe('a PID controller with a gain schedule', () => {
  const load = (policy: object, mean: number, rate: number) => ({
    source: { kind: 'regular', rate, jobs: 120 },
    stages: [{ id: 'A', service: { kind: 'constant', mean } }],
    workers: 12,
    policy: { every: 5000, setpoint: 1, up: -3, down: -1, clamp: 4, ...policy },
    estimator: { kind: 'window', n: 5, prior: 'declared' },
  })

  test('is the PID controller whose gains are multiplied by the service time over the one they are tuned at', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1000, 4000, 25_000), fc.constantFrom(0.5, 2, 8), fc.integer({ min: 20, max: 900 }), async (mean, factor, rate) => {
        const adaptive = await play(load({ kind: 'adaptive', kp: 1, ki: 0.5, kd: 0.0625, tunedAt: mean / factor }, mean, rate))
        const pid = await play(load({ kind: 'pid', kp: factor, ki: 0.5 * factor, kd: 0.0625 * factor }, mean, rate))
        expect(ticksOf(adaptive)).toEqual(ticksOf(pid))
      }),
      { numRuns: 10 },
    )
  })

  test('hires at a quarter of the queue once jobs take four times as long', async () => {
    const policy = { kind: 'adaptive', kp: 1, ki: 0, kd: 0, every: 10_000, setpoint: 0, up: -8, down: -1, tunedAt: 10_000 }
    const changes = [{ from: 100, service: { kind: 'constant', mean: 40_000 } }]
    const trace = await play({
      source: { kind: 'regular', rate: 200, jobs: 300 },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 10_000 }, changes }],
      workers: 40,
      policy,
      estimator: { kind: 'window', n: 10, prior: 'declared' },
    })
    const hiredAt: number[] = []
    for (const { waiting, measured, before, after } of ticksOf(trace)) {
      const last = measured.slice(-10)
      const mean = last.length === 0 ? 10_000 : last.reduce((sum, each) => sum + each, 0) / last.length
      const output = (mean / 10_000) * -waiting
      expect(after - before).toBe(output <= -8 ? 1 : output >= -1 && before > 0 ? -1 : 0)
      if (after > before) hiredAt.push(waiting)
    }
    expect(Math.min(...hiredAt.slice(0, 2))).toBeGreaterThanOrEqual(8)
    expect(Math.min(...hiredAt)).toBeLessThanOrEqual(4)
  })
})

describe('a predictive controller', () => {
  const profile = [
    [0, 50],
    [500_000, 50],
    [1_000_000, 250],
    [2_000_000, 50],
  ]
  const policy = { kind: 'predictive', profile, lead: 200_000, utilisation: 0.8, alpha: 0.5, every: 100_000 }
  const day = (jobs: number, scale: number) => ({
    source: { kind: 'curve', points: profile.map(([time, rate]) => [time, rate * scale]), jobs },
    stages: [{ id: 'A', service: { kind: 'constant', mean: 20_000 } }],
    workers: 40,
    policy,
    estimator: { kind: 'mean', prior: 'declared' },
  })

  /** The rate of the profile, by hand. */
  const rateAt = (s: number) => (s < 0.5 ? 50 : s < 1 ? 50 + 400 * (s - 0.5) : s < 2 ? 250 - 200 * (s - 1) : 50)

  /** Jobs of the profile between two times in seconds: the area, in slices of a tenth of a millisecond, which is exact for straight lines. */
  function area(from: number, to: number): number {
    const slices = Math.round((to - from) * 10_000)
    let sum = 0
    for (let k = 0; k < slices; k++) sum += rateAt(from + (k + 0.5) / 10_000) / 10_000
    return sum
  }

  test('has as many workers as the profile asks for, times what is seen over what was predicted, and for those who wait', async () => {
    const golden: Readonly<Record<number, readonly number[]>> = { 1: [1, 2, 2, 2, 2, 3, 4, 5, 6, 6, 6, 6, 5], 2: [1, 3, 3, 3, 3, 5, 7, 9, 11, 12, 12, 11, 10] }
    for (const scale of [1, 2]) {
      const ticks = ticksOf(await play(day(150 * scale, scale)))
      let [seen, predicted] = [area(-0.1, 0), area(-0.1, 0)]
      const sizes: number[] = []
      for (const { time, waiting, came, before, after } of ticks) {
        const now = time / 1e6
        seen = 0.5 * came + 0.5 * seen
        predicted = 0.5 * area(now - 0.1, now) + 0.5 * predicted
        const jobs = (seen / predicted) * area(now, now + 0.2) + waiting
        const wanted = Math.max(Math.ceil((jobs * 0.02) / (0.2 * 0.8) - 1e-6), waiting > 0 ? 1 : 0)
        // Only idle workers go, so the pool may be larger for a while.
        if (wanted >= before) expect(after, `at ${now} s, ${scale} times the profile`).toBe(Math.min(40, wanted))
        else expect(after).toBeGreaterThanOrEqual(wanted)
        sizes.push(after)
      }
      expect(sizes).toEqual(golden[scale])
    }
  })

  test('has hired for a rise before it comes, which no controller that looks at its queue can', async () => {
    const sizeAt = async (by: object) => {
      const trace = await play({
        ...day(200, 1),
        source: {
          kind: 'steps',
          at: [
            [0, 50],
            [1_000_000, 400],
          ],
          jobs: 250,
        },
        policy: by,
      })
      return ticksOf(trace).find(({ time }) => time === 900_000)?.after
    }
    const steps = [
      [0, 50],
      [1_000_000, 50],
      [1_000_000, 400],
    ]
    expect(await sizeAt({ ...policy, profile: steps })).toBeGreaterThanOrEqual(5)
    expect(await sizeAt({ kind: 'pid', kp: 1, ki: 0.5, kd: 0.005, every: 100_000, setpoint: 0, up: -2, down: -1, clamp: 1 })).toBeLessThanOrEqual(3)
  })

  test('wants one worker where jobs wait and no service time is known, and none where nothing waits', async () => {
    const trace = await play({ ...day(5, 1), source: { kind: 'times', at: [150_000, 160_000, 170_000] }, estimator: { kind: 'mean', prior: 'one' } })
    const [first, second, third] = ticksOf(trace)
    expect([first.after, second.after, third.after]).toEqual([0, 0, 1])
  })
})
