import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockOffset, fitTimes, wallMicros, wallMicrosAt } from '../../../src/engine/conductor/environment.ts'

test('a clock that reads a time between request and answer needs no correction; any other gets the smallest one', () => {
  expect(clockOffset(100, 150, 200)).toBe(0)
  expect(clockOffset(100, 90, 200)).toBe(10)
  expect(clockOffset(100, 230, 200)).toBe(-30)
})

test('times between order and report stay; others move as little as possible, and no service gets longer', () => {
  const services = fc.array(fc.nat(50), { maxLength: 6 })
  fc.assert(
    fc.property(
      fc.integer({ min: -80, max: 200 }),
      services,
      fc.nat(1000),
      fc.nat(60),
      fc.nat(300),
      (began, lengths, origin, given, away) => {
        let at = origin + began
        const theirs = lengths.map((length) => {
          at += length
          return at
        })
        const reported = given + away
        const ended = [...theirs]
        const first = fitTimes(origin + began, ended, origin, given, reported)
        const all = [first, ...ended]
        const duration = lengths.reduce((sum, length) => sum + length, 0)
        expect(all).toEqual([...all].sort((a, b) => a - b))
        expect(first).toBeGreaterThanOrEqual(given)
        if (duration <= away) {
          // There is room for all: they move by one shift, the smallest possible.
          const shift = first - began
          expect(ended).toEqual(theirs.map((time) => time - origin + shift))
          expect(shift).toBe(began < given ? given - began : Math.min(0, reported - (began + duration)))
          expect(all[all.length - 1]).toBeLessThanOrEqual(reported)
        } else {
          expect(ended[ended.length - 1]).toBe(reported)
          for (const [k, length] of lengths.entries()) expect(all[k + 1] - all[k]).toBeLessThanOrEqual(length)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('the clock converts its readings to microseconds since 1970', () => {
  expect(wallMicrosAt(0)).toBe(Math.round(performance.timeOrigin * 1000))
  expect(Math.abs(wallMicrosAt(1500) - wallMicrosAt(0) - 1_500_000)).toBeLessThanOrEqual(1)
})

test('the clock counts whole microseconds and agrees with the calendar', () => {
  const before = Date.now()
  const time = wallMicros()
  expect(Number.isSafeInteger(time)).toBe(true)
  expect(time / 1000).toBeGreaterThan(before - 2000)
  expect(time / 1000).toBeLessThan(Date.now() + 2000)
})
