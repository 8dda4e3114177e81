import { describe, expect, test } from 'vitest'
import type { GainPolicy } from '../../src/scenario/model/scenario.ts'
import {
  createProfile,
  initialMemory,
  type Memory,
  nextMemory,
  poolChange,
  predict,
} from '../../src/scheduler/controllers.ts'
import { scriptedCore } from './scriptedCore.ts'

const pid = {
  kind: 'pid',
  kp: 2,
  ki: 10,
  kd: 0.1,
  every: 100_000,
  setpoint: 5,
  up: -100,
  down: -20,
  max: null,
  clamp: null,
} as const
const threshold = { kind: 'threshold', high: 3, idle: 1000, every: 1000, max: null } as const
const at = (waiting: number, idle = -1) => ({ time: 0, elapsed: 100_000, waiting, came: 0, size: 0, idle, service: 0 })

describe('a PID controller', () => {
  test('adds a proportional, an integral and a differential part; the last error is 0 at the first tick', () => {
    const first = nextMemory(pid, initialMemory, at(8))
    expect(first.error).toBe(-3)
    expect(first.integral).toBeCloseTo(-3, 12)
    expect(first.output).toBeCloseTo(-6 - 3 - 3, 12)
    const second = nextMemory(pid, first, at(7))
    expect(second.integral).toBeCloseTo(-5, 12)
    expect(second.output).toBeCloseTo(-4 - 5 + 1, 12)
  })

  test('keeps its integral part within the clamp in both directions', () => {
    const clamped: GainPolicy = { ...pid, clamp: 4 }
    let memory: Memory = initialMemory
    for (let k = 0; k < 10; k++) memory = nextMemory(clamped, memory, at(50))
    expect(memory.integral).toBe(-4)
    for (let k = 0; k < 20; k++) memory = nextMemory(clamped, memory, at(0))
    expect(memory.integral).toBe(4)
  })

  test('hires a worker at or below up, dismisses one at or above down, and does nothing between', () => {
    const asked = (output: number) => poolChange(pid, { ...initialMemory, output }, at(0))
    expect([-101, -100, -99, -21, -20, 0].map(asked)).toEqual([1, 1, 0, 0, -1, -1])
  })
})

describe('a threshold controller', () => {
  test('hires a worker if more than high wait, and dismisses one if a worker has been idle long enough', () => {
    const asked = (waiting: number, idle: number) => poolChange(threshold, initialMemory, at(waiting, idle))
    expect([asked(4, -1), asked(3, -1), asked(3, 999), asked(3, 1000), asked(4, 5000)]).toEqual([1, 0, 0, -1, 1])
  })
})

describe('the other controllers', () => {
  const aimd = { ...threshold, kind: 'aimd', increase: 3, decrease: 0.5 } as const
  const adaptive = { ...pid, kind: 'adaptive', tunedAt: 2000 } as const

  test('multiply all gains by the service time over the one they are tuned at, and by 1 while it is unknown', () => {
    const tuned = (service: number, policy: GainPolicy = adaptive) => {
      const { factor, error, integral, output } = nextMemory(policy, initialMemory, { ...at(8), service })
      return [factor, error, integral, output].map((x) => Math.round(x * 1e9) / 1e9)
    }
    expect(tuned(2000)).toEqual([1, -3, -3, -12])
    expect(tuned(500)).toEqual([0.25, -3, -0.75, -3])
    expect(tuned(6000)).toEqual([3, -3, -9, -36])
    expect(tuned(0)).toEqual([1, -3, -3, -12])
    expect(tuned(6000, pid)).toEqual([1, -3, -3, -12])
    expect([-100, -99, -20, -21].map((output) => poolChange(adaptive, { ...initialMemory, output }, at(0)))).toEqual([
      1, 0, -1, 0,
    ])
  })

  test('hire a fixed number at once, and keep a share, rounded down, when a worker has been idle long enough', () => {
    const asked = (waiting: number, idle: number, size: number) =>
      poolChange(aimd, initialMemory, { ...at(waiting, idle), size })
    expect([asked(4, 5000, 7), asked(3, 1000, 7), asked(3, 1000, 8), asked(3, 999, 7), asked(3, -1, 7)]).toEqual([
      3, -4, -4, 0, 0,
    ])
  })
})

const stages = [{ id: 'A' }]
const batch = { kind: 'batch', jobs: 9 }
/** Hires while more than two jobs wait; dismisses while none waits, busy workers included. */
const eager = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -3, down: 0 }

describe('a pool', () => {
  test('starts with no workers, hires the lowest number first, one per tick, and never more than max', () => {
    const tell = scriptedCore({ source: batch, stages, workers: 5, policy: { ...eager, max: 2 } })
    expect(tell(0, 'arrived 0', 'arrived 1', 'arrived 2', 'arrived 3', 'arrived 4', 'arrived 5')).toEqual([])
    expect(tell(1000, 'tick')).toEqual(['hired w0 A', 'started w0 A 0'])
    expect(tell(2000, 'tick')).toEqual(['hired w1 A', 'started w1 A 1'])
    expect(tell(3000, 'tick')).toEqual([])
  })
})

const SECOND = 1_000_000
type Points = readonly (readonly [number, number])[]
const profileOf = (points: Points) =>
  createProfile({ kind: 'predictive', profile: points } as Parameters<typeof createProfile>[0])

describe('a prediction', () => {
  const flat = profileOf([[0, 100]])
  const policy = { lead: 200_000, utilisation: 0.8, alpha: 0.25 }
  const instant = { time: SECOND, elapsed: 100_000, waiting: 0, came: 10, service: 20_000 }

  test('needs the workers that serve the forecast of its lead and all waiting jobs within that lead, rounded up', () => {
    // As expected, 20 jobs in 0.2 s of 20 ms each: 2 workers' work, by 0.8 makes 2.5.
    const even = { seen: 10, expected: 10 }
    expect(predict(policy, flat, even, instant)).toMatchObject({ ratio: 1, wanted: 3 })
    // Twice as many jobs, and 12 that wait: (20 + 12) x 20 / 160 is exactly 4.
    expect(predict(policy, flat, even, { ...instant, waiting: 12 }).wanted).toBe(4)
    expect(predict(policy, flat, even, { ...instant, waiting: 13 }).wanted).toBe(5)
    expect(predict({ ...policy, lead: 400_000 }, flat, even, { ...instant, waiting: 8 }).wanted).toBe(3)
    // Twice as many jobs as the day before.
    expect(predict(policy, flat, { seen: 20, expected: 10 }, { ...instant, came: 20 }).wanted).toBe(5)
  })
})
