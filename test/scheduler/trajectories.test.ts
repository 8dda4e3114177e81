import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARRIVED, DISMISSED, FINISHED, HIRED, rowTime, STARTED, TICK } from '../../src/pipeline/rows.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { eachRow, type Trace } from '../../src/trace/trace.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

/** Pools of the controllers beyond PID over time: by hand, and by a plain version of the formulas of docs/elastic-pools.md. */

async function play(scenario: object): Promise<Trace> {
  const parsed = scenarioWith(scenario)
  return playSimulation(parsed, 0)
}

/** The input of a controller of a single stage at a tick, and the size of its pool afterwards. */
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
      ticks.push({
        time: rowTime(rows, i),
        waiting: arrived - started,
        came: arrived - last,
        measured: [...measured],
        before: size,
        after: size,
      })
      last = arrived
    }
  })
  return ticks
}

describe('a PID controller with a gain schedule', () => {
  const load = (policy: object, mean: number, rate: number) => ({
    source: { kind: 'regular', rate, jobs: 120 },
    stages: [{ id: 'A', service: { kind: 'constant', mean } }],
    workers: 12,
    policy: { every: 5000, setpoint: 1, up: -3, down: -1, clamp: 4, ...policy },
    estimator: { kind: 'window', n: 5, prior: 'declared' },
  })

  test('is the PID controller with gains multiplied by the service time over the one they are tuned at', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1000, 4000, 25_000),
        fc.constantFrom(0.5, 2, 8),
        fc.integer({ min: 20, max: 900 }),
        async (mean, factor, rate) => {
          const adaptive = await play(
            load({ kind: 'adaptive', kp: 1, ki: 0.5, kd: 0.0625, tunedAt: mean / factor }, mean, rate),
          )
          const pid = await play(load({ kind: 'pid', kp: factor, ki: 0.5 * factor, kd: 0.0625 * factor }, mean, rate))
          expect(ticksOf(adaptive)).toEqual(ticksOf(pid))
        },
      ),
      { numRuns: 10 },
    )
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

  test('has the workers that the profile needs, times actual over predicted arrivals, plus those for the waiting jobs', async () => {
    const golden: Readonly<Record<number, readonly number[]>> = {
      1: [1, 2, 2, 2, 2, 3, 4, 5, 6, 6, 6, 6, 5],
      2: [1, 3, 3, 3, 3, 5, 7, 9, 11, 12, 12, 11, 10],
    }
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
        // Only idle workers leave, so the pool may be larger for a while.
        if (wanted >= before) expect(after, `at ${now} s, ${scale} times the profile`).toBe(Math.min(40, wanted))
        else expect(after).toBeGreaterThanOrEqual(wanted)
        sizes.push(after)
      }
      expect(sizes).toEqual(golden[scale])
    }
  })

  test('hires before a rise begins, which no controller that looks only at its queue can do', async () => {
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
    expect(
      await sizeAt({ kind: 'pid', kp: 1, ki: 0.5, kd: 0.005, every: 100_000, setpoint: 0, up: -2, down: -1, clamp: 1 }),
    ).toBeLessThanOrEqual(3)
  })

  test('needs one worker where jobs wait and no service time is known, and none where none wait', async () => {
    const trace = await play({
      ...day(5, 1),
      source: { kind: 'times', at: [150_000, 160_000, 170_000] },
      estimator: { kind: 'mean', prior: 'one' },
    })
    const [first, second, third] = ticksOf(trace)
    expect([first.after, second.after, third.after]).toEqual([0, 0, 1])
  })
})
