import { describe, expect, test } from 'vitest'
import type { ElasticPolicy } from '../../src/scenario/model/scenario.ts'
import { initialMemory, type Memory, nextMemory, poolChange } from '../../src/scheduler/controllers.ts'
import { told } from './told.ts'

const pid = { kind: 'pid', kp: 2, ki: 10, kd: 0.1, every: 100_000, setpoint: 5, up: -100, down: -20, max: null, clamp: null } as const
const threshold = { kind: 'threshold', high: 3, idle: 1000, every: 1000, max: null } as const
const at = (waiting: number, idle = -1) => ({ time: 0, elapsed: 100_000, waiting, came: 0, size: 0, idle, service: 0 })

describe('a PID controller', () => {
  test('adds a proportional, an integral and a differential part, the last error counting 0 at the first tick', () => {
    const first = nextMemory(pid, initialMemory, at(8))
    expect(first.error).toBe(-3)
    expect(first.integral).toBeCloseTo(-3, 12)
    expect(first.output).toBeCloseTo(-6 - 3 - 3, 12)
    const second = nextMemory(pid, first, at(7))
    expect(second.integral).toBeCloseTo(-5, 12)
    expect(second.output).toBeCloseTo(-4 - 5 + 1, 12)
  })

  test('reckons with the time that has passed, where a tick comes late', () => {
    const late = nextMemory(pid, initialMemory, { ...at(8), elapsed: 200_000 })
    expect(late.integral).toBeCloseTo(-6, 12)
    expect(late.output).toBeCloseTo(-6 - 6 - 1.5, 12)
  })

  test('keeps its integral part within the clamp, both ways', () => {
    const clamped: ElasticPolicy = { ...pid, clamp: 4 }
    let memory: Memory = initialMemory
    for (let k = 0; k < 10; k++) memory = nextMemory(clamped, memory, at(50))
    expect(memory.integral).toBe(-4)
    for (let k = 0; k < 20; k++) memory = nextMemory(clamped, memory, at(0))
    expect(memory.integral).toBe(4)
  })

  test('asks for a worker at or below up, for one less at or above down, and for neither between', () => {
    const asked = (output: number) => poolChange(pid, { ...initialMemory, output }, at(0))
    expect([-101, -100, -99, -21, -20, 0].map(asked)).toEqual([1, 1, 0, 0, -1, -1])
  })
})

describe('a threshold controller', () => {
  test('asks for a worker where more than high wait, else for one less where somebody has been idle long enough', () => {
    const asked = (waiting: number, idle: number) => poolChange(threshold, initialMemory, at(waiting, idle))
    expect([asked(4, -1), asked(3, -1), asked(3, 999), asked(3, 1000), asked(4, 5000)]).toEqual([1, 0, 0, -1, 1])
  })
})

const stages = [{ id: 'A' }]
const batch = { kind: 'batch', jobs: 9 }
/** Hires while more than two wait; dismisses while none does, busy or not. */
const eager = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -3, down: 0 }

describe('a pool', () => {
  test('starts at none, hires the lowest number first, one a tick, and never beyond max', () => {
    const tell = told({ source: batch, stages, workers: 5, policy: { ...eager, max: 2 } })
    expect(tell(0, 'arrived 0', 'arrived 1', 'arrived 2', 'arrived 3', 'arrived 4', 'arrived 5')).toEqual([])
    expect(tell(1000, 'tick')).toEqual(['hired w0 A', 'started w0 A 0'])
    expect(tell(2000, 'tick')).toEqual(['hired w1 A', 'started w1 A 1'])
    expect(tell(3000, 'tick')).toEqual([])
  })

  test('asked to shrink below its busy workers lets them finish: they leave with their batch done, and no job is lost', () => {
    const tell = told({ source: batch, stages, workers: 5, policy: { ...eager, up: -1, down: 0 } })
    expect(tell(0, 'arrived 0', 'tick')).toEqual(['hired w0 A', 'started w0 A 0'])
    expect(tell(1000, 'arrived 1', 'tick')).toEqual(['hired w1 A', 'started w1 A 1'])
    expect(tell(2000, 'tick')).toEqual(['dismissed w1 A'])
    expect(tell(3000, 'tick')).toEqual(['dismissed w0 A'])
    expect(tell(4000, 'tick')).toEqual([])
    expect(tell.core.state.counts.live).toBe(2)
    expect(tell(5000, 'finished w1 A 1', 'arrived 2')).toEqual(['released 1'])
    expect(tell.core.state.counts.live).toBe(1)
    expect(tell(6000, 'tick')).toEqual(['hired w1 A', 'started w1 A 2'])
    expect(tell(7000, 'finished w0 A 0')).toEqual(['released 0'])
    expect(tell.core.state.counts.live).toBe(1)
  })

  test('gets back the job of a dismissed worker that throws, and the number of one that is lost is not hired again', () => {
    const tell = told({ source: batch, stages, workers: 2, policy: { ...eager, up: -1, down: 0 } })
    tell(0, 'arrived 0', 'tick')
    expect(tell(1000, 'tick')).toEqual(['dismissed w0 A'])
    expect(tell(2000, 'threw w0 A 0')).toEqual([])
    expect(tell.core.state.counts.live).toBe(0)
    expect(tell(3000, 'tick')).toEqual(['hired w0 A', 'started w0 A 0'])
    expect(tell(4000, 'lost w0')).toEqual([])
    expect(tell(5000, 'tick')).toEqual(['hired w1 A', 'started w1 A 0'])
  })

  test('shares the ceiling with the pools of the other stages: what one lets go another may hire at the same tick', () => {
    const tell = told({ source: batch, stages: [{ id: 'A' }, { id: 'B' }], workers: 1, policy: { ...eager, up: -1, down: 0 } })
    expect(tell(0, 'arrived 0', 'tick')).toEqual(['hired w0 A', 'started w0 A 0'])
    expect(tell(500, 'finished w0 A 0')).toEqual([])
    expect(tell(1000, 'tick')).toEqual(['dismissed w0 A', 'hired w0 B', 'started w0 B 0'])
  })

  test('under the threshold policy dismisses who has been idle longest, and never who is busy', () => {
    const tell = told({ source: batch, stages, workers: 5, policy: { kind: 'threshold', high: 0, idle: 2000, every: 1000 } })
    expect(tell(0, 'arrived 0', 'arrived 1', 'tick')).toEqual(['hired w0 A', 'started w0 A 0'])
    expect(tell(1000, 'tick')).toEqual(['hired w1 A', 'started w1 A 1'])
    tell(1500, 'finished w1 A 1')
    tell(1600, 'finished w0 A 0')
    expect(tell(3000, 'tick')).toEqual([])
    expect(tell(4000, 'tick')).toEqual(['dismissed w1 A'])
    expect(tell(4000, 'tick')).toEqual([])
    expect(tell(5000, 'tick')).toEqual(['dismissed w0 A'])
  })
})
