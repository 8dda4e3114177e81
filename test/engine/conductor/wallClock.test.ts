import { expect, test } from 'vitest'
import { clockOffset, fitTimes, wallMicros } from '../../../src/engine/conductor/wallClock.ts'

test('a clock that reads between asking and hearing needs no setting; another is set as little as can be', () => {
  expect(clockOffset(100, 150, 200)).toBe(0)
  expect(clockOffset(100, 90, 200)).toBe(10)
  expect(clockOffset(100, 230, 200)).toBe(-30)
})

test('times of a batch are set into the window in which it was away', () => {
  const ended = [1150, 1210]
  expect(fitTimes(1095, ended, 1000, 100, 205)).toBe(100)
  expect(ended).toEqual([145, 205])
  const inTime = [1150, 1210]
  expect(fitTimes(1110, inTime, 1000, 100, 300)).toBe(110)
  expect(inTime).toEqual([150, 210])
})

test('a batch that seems to have begun before it was given is moved as a whole, as far as it was away so long', () => {
  const ended = [1150, 1210]
  expect(fitTimes(1090, ended, 1000, 100, 300)).toBe(100)
  expect(ended).toEqual([160, 220])
  const squeezed = [1150, 1210]
  expect(fitTimes(1090, squeezed, 1000, 130, 215)).toBe(130)
  expect(squeezed).toEqual([155, 215])
})

test('the clock counts whole microseconds and agrees with the calendar', () => {
  const before = Date.now()
  const time = wallMicros()
  expect(Number.isSafeInteger(time)).toBe(true)
  expect(time / 1000).toBeGreaterThan(before - 2000)
  expect(time / 1000).toBeLessThan(Date.now() + 2000)
})
