import { expect, test } from 'vitest'
import { pressureOf } from '../../src/allocation/ballot.ts'

test('pressure is the difference of two queues a microsecond of service', () => {
  expect(pressureOf(7, 3, 2)).toBe(2)
  expect(pressureOf(3, 7, 2)).toBe(-2)
})

test('a service that a clock read as none presses like one of a microsecond: nothing through nothing would be no number', () => {
  expect(pressureOf(3, 3, 0)).toBe(0)
  expect(pressureOf(4, 3, 0)).toBe(1)
})
