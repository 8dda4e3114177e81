import { expect, test } from 'vitest'
import { clockOffset, fitTimes, wallMicros } from '../../../src/engine/threads/wallClock.ts'

test('a clock that reads between asking and hearing needs no setting; another is set as little as can be', () => {
  expect(clockOffset(100, 150, 200)).toBe(0)
  expect(clockOffset(100, 90, 200)).toBe(10)
  expect(clockOffset(100, 230, 200)).toBe(-30)
})

test('times of a batch are set into the window in which it was away', () => {
  const began = [95, 150]
  const ended = [150, 210]
  fitTimes(began, ended, 100, 205)
  expect([began, ended]).toEqual([
    [100, 145],
    [145, 205],
  ])
  fitTimes(began, ended, 100, 300)
  expect([began, ended]).toEqual([
    [100, 145],
    [145, 205],
  ])
})

test('the clock counts whole microseconds and agrees with the calendar', () => {
  const time = wallMicros()
  expect(Number.isSafeInteger(time)).toBe(true)
  expect(Math.abs(time / 1000 - Date.now())).toBeLessThan(2000)
})
