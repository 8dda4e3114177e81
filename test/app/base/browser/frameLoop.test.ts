import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hurry, onFrame } from '../../../../src/app/base/browser/frameLoop.ts'

const FRAME = 1000 / 60

beforeEach(() => {
  vi.useFakeTimers()
  // A screen that shows a frame every sixtieth of a second, whose time is that of the one before.
  vi.stubGlobal('requestAnimationFrame', (call: (now: number) => void) => {
    const next = (Math.floor(performance.now() / FRAME + 1e-6) + 1) * FRAME
    return setTimeout(() => call(next - FRAME), next - performance.now())
  })
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('the loop rests as long as all painters allow, and two frames longer at most', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 3 }), (rests) => {
      const times: number[] = []
      const ends = rests.map((rest) =>
        onFrame((_, now) => {
          if (times.at(-1) !== now) times.push(now)
          return rest
        }),
      )
      vi.advanceTimersByTime(3000)
      for (const end of ends) end()
      vi.advanceTimersByTime(1000)
      const gaps = times.slice(1).map((time, k) => time - times[k])
      const wanted = Math.max(FRAME, Math.min(...rests))
      for (const gap of gaps) {
        expect(gap).toBeGreaterThan(wanted - FRAME / 2)
        expect(gap).toBeLessThan(wanted + 2 * FRAME)
      }
      expect(times.length).toBeGreaterThan(5)
    }),
    { numRuns: 50 },
  )
})

test('a person who waits has the next frame at once, and it tells how long the loop has rested', () => {
  const frames: number[] = []
  const end = onFrame((elapsed) => {
    frames.push(elapsed)
    return 90
  })
  vi.advanceTimersByTime(FRAME + 1)
  vi.advanceTimersByTime(30)
  expect(frames).toHaveLength(1)
  hurry()
  hurry()
  vi.advanceTimersByTime(FRAME + 1)
  end()
  expect(frames).toHaveLength(2)
  expect(frames[1]).toBeGreaterThan(30 - FRAME)
  expect(frames[1]).toBeLessThan(30 + 2 * FRAME)
})

test('without painters there are no frames', () => {
  const end = onFrame(() => 0)
  vi.advanceTimersByTime(100)
  end()
  vi.advanceTimersByTime(100)
  hurry()
  expect(vi.getTimerCount()).toBe(0)
})
