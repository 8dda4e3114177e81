import { expect, test } from 'vitest'
import { newDeviceId, threadChoice } from '../../../../src/features/room/join/ownDevice.ts'

test('a laptop lends all cores but one, a phone one thread, and each lends at least one', () => {
  expect(threadChoice(8, false)).toEqual({ most: 7, usual: 7 })
  expect(threadChoice(8, true)).toEqual({ most: 7, usual: 1 })
  for (const cores of [0, 1, 2, Number.NaN]) expect(threadChoice(cores, false)).toEqual({ most: 1, usual: 1 })
})

test('the name of a device fits into a topic and is new each time', () => {
  const names = Array.from({ length: 200 }, newDeviceId)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]{16}$/)
  expect(new Set(names).size).toBe(names.length)
})
