import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  advanceControllerClock,
  type ControllerClock,
  changePeriod,
  createControllerClock,
  isIdle,
  noteActivity,
  policyFailed,
  silenceLimit,
} from '../../src/engine/engine.ts'
import { createJournal } from '../../src/pipeline/journal.ts'
import { ARRIVED, NONE, pushRow, TICK } from '../../src/pipeline/rows.ts'
import { MAX_TICKS } from '../../src/scenario/model/limits.ts'
import { valid } from '../fixtures/anyScenario.ts'

test('the silence limit of a worker is ten times the longer of the expected and the longest batch, at least two seconds', () => {
  expect([
    silenceLimit(0, 0),
    silenceLimit(200_000, 199_999),
    silenceLimit(200_001, 7),
    silenceLimit(7, 200_002),
  ]).toEqual([2_000_000, 2_000_000, 2_000_010, 2_000_020])
})

test('when a policy cannot decide, the run ends and the listener gets the time and the reason', () => {
  const failures: object[] = []
  expect(
    policyFailed({ journal() {}, failure: (failure) => void failures.push(failure), ended() {} }, 77, 'no seats'),
  ).toBe('stuck')
  expect(failures).toEqual([{ time: 77, kind: 'run', reason: 'no seats' }])
})

const clockAt = (every: number, next = 0, more: Partial<ControllerClock> = {}): ControllerClock => ({
  every,
  next,
  ticks: 0,
  lastActivity: 0,
  ...more,
})
const period = fc.integer({ min: 1, max: 1e7 })
const time = fc.nat(1e9)

describe('the clock of controllers', () => {
  test('exists only where a policy has controllers, and its first tick is due at once', () => {
    const scenario = { version: 1, source: { kind: 'batch', jobs: 2 }, stages: [{ id: 'A' }], workers: 2 }
    expect(createControllerClock(valid(scenario))).toBe(null)
    const pid = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 3000, setpoint: 0, up: -1, down: 1 }
    expect(createControllerClock(valid({ ...scenario, policy: pid }))).toEqual({
      every: 3000,
      next: 0,
      ticks: 0,
      lastActivity: 0,
    })
  })

  test('ticks next at the first multiple of its period after now, even if the engine is late', () => {
    fc.assert(
      fc.property(period, time, (every, now) => {
        const clock = clockAt(every)
        advanceControllerClock(clock, now)
        expect(clock.next % every).toBe(0)
        expect(clock.next).toBeGreaterThan(now)
        expect(clock.next - every).toBeLessThanOrEqual(now)
        expect(clock.ticks).toBe(1)
      }),
    )
  })

  test('stops for good after the largest number of ticks of a run, and no tick earlier', () => {
    const clock = clockAt(10, 0, { ticks: MAX_TICKS - 2 })
    advanceControllerClock(clock, 50)
    expect([clock.ticks, clock.next]).toEqual([MAX_TICKS - 1, 60])
    advanceControllerClock(clock, 60)
    expect([clock.ticks, clock.next]).toEqual([MAX_TICKS, Infinity])
    changePeriod(clock, 7, 65)
    expect([clock.every, clock.next]).toEqual([7, Infinity])
  })

  test('counts every instant as activity except one with a single tick', () => {
    const { rows } = createJournal()
    const clock = clockAt(10)
    const notedFrom = (from: number) => {
      noteActivity(clock, rows, from)
      return clock.lastActivity
    }
    pushRow(rows, 5, ARRIVED, NONE, NONE, 0)
    expect(notedFrom(0)).toBe(5)
    pushRow(rows, 10, TICK, NONE, NONE, NONE)
    expect(notedFrom(1)).toBe(5)
    pushRow(rows, 20, TICK, NONE, NONE, NONE)
    pushRow(rows, 20, ARRIVED, NONE, NONE, 1)
    expect(notedFrom(2)).toBe(20)
  })

  test('reports a run as stuck after exactly ten seconds of ticks alone, or when no tick will follow', () => {
    const clock = clockAt(10, 20, { lastActivity: 3_000_000 })
    expect(isIdle(clock, 12_999_999)).toBe(false)
    expect(isIdle(clock, 13_000_000)).toBe(true)
    expect(isIdle(clockAt(10, Infinity), 0)).toBe(true)
  })
})
