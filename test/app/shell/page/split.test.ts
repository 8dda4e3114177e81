import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSession } from '../../../../src/app/session/session.ts'
import {
  allowedShare,
  chooseShare,
  readShare,
  shareAfterKey,
  shareBounds,
  splitStore,
} from '../../../../src/app/shell/page/Divider.tsx'
import { madeUpStorage } from '../../../fixtures/madeUpStorage.ts'

beforeEach(madeUpStorage)
afterEach(() => void vi.unstubAllGlobals())

test('wherever the divider is put, the canvas keeps 240 pixels and the record 190', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 500, max: 3000 }),
      fc.double({ min: -50, max: 200, noNaN: true }),
      (height, asked) => {
        const share = allowedShare(asked, height)
        expect(Number.isInteger(share)).toBe(true)
        expect((share * height) / 100).toBeGreaterThanOrEqual(240)
        expect(((100 - share) * height) / 100).toBeGreaterThanOrEqual(190)
      },
    ),
  )
})

test('on a desk that is too low for both, the canvas gets its minimum height', () => {
  const { min, max } = shareBounds(300)
  expect([min, max, allowedShare(10, 300), allowedShare(90, 300)]).toEqual([80, 80, 80, 80])
})

test('keys move the divider by two or ten percent, or to its ends, and other keys do not', () => {
  const keys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'Enter']
  expect(keys.map((key) => shareAfterKey(key, 41, 850))).toEqual([39, 43, 31, 51, 29, 77, null])
  expect(shareAfterKey('ArrowDown', 77, 850)).toBe(77)
})

test('the chosen height is restored at the next visit, and a reset restores the usual height', () => {
  chooseShare(createSession(), 60)
  const next = createSession()
  expect(splitStore(next).getState().share).toBe(60)
  chooseShare(next, null)
  expect(splitStore(createSession()).getState().share).toBeNull()
})

test('a stored value that is not a share is ignored', () => {
  expect(['', 'x', '0', '100', '-5', '40.5', null].map(readShare)).toEqual([null, null, null, null, null, null, null])
  expect(readShare('40')).toBe(40)
})
