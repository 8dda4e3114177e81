import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { inSlices, rest, stepFor, stepInSlices } from '../../../src/runs/remote/inSlices.ts'

/** A clock that advances by a millisecond with every step and records when the page was free for other work. */
let now = 0
let rested: number[] = []
beforeEach(() => {
  now = 0
  rested = []
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const later = setTimeout
  vi.stubGlobal('setTimeout', (done: () => void, milliseconds?: number, ...rest: unknown[]) => {
    if (milliseconds === undefined) rested.push(now)
    return later(done, milliseconds, ...rest)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A step that reports its end at the n-th call. */
const stepsUntil = (last: number) => {
  let k = 0
  return () => {
    now++
    return ++k === last
  }
}
function* work(steps: number) {
  for (let k = 0; k < steps; k++) {
    now++
    yield
  }
  return 'the result'
}

describe('work on the page', () => {
  test('takes steps until the last one or until the time is over, but at least one', () => {
    expect([stepFor(10, stepsUntil(4)), now]).toEqual([true, 4])
    expect([stepFor(10, stepsUntil(99)), now]).toEqual([false, 14])
    expect([stepFor(0, stepsUntil(99)), now]).toEqual([false, 15])
    expect([stepFor(0, stepsUntil(1)), now]).toEqual([true, 16])
  })

  test('yields to the page first, and after every ten milliseconds', async () => {
    await stepInSlices(stepsUntil(25))
    expect([rested, now]).toEqual([[0, 10, 20], 25])
  })

  test('returns its result after several slices', async () => {
    expect(await inSlices(work(25), () => true)).toBe('the result')
    expect(rested).toEqual([10, 20])
    const nothing = (function* (): Generator<void, undefined> {})()
    expect(await inSlices(nothing, () => true)).toBe(undefined)
  })

  test('returns nothing if it is cancelled', async () => {
    expect(await inSlices(work(25), () => now < 15)).toBe(null)
    expect([rested, now]).toEqual([[10, 20], 20])
    expect(await inSlices(work(1), () => false)).toBe(null)
    expect(now).toBe(20)
  })

  test('pauses by a timer', async () => {
    await rest()
    expect(rested).toEqual([0])
  })
})
