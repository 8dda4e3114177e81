import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createPacedDrawers,
  drawSoon,
  type Motion,
  onFrame,
  type Pace,
} from '../../../../src/app/base/browser/frames.ts'

const FRAME = 1000 / 60

beforeEach(() => {
  vi.useFakeTimers()
  // A screen with 60 frames a second. The time of each frame is that of the frame before.
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

test('the loop rests as long as all painters allow, and at most two frames longer', () => {
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

test('a waiting person gets the next frame at once, with the time that the loop has rested', () => {
  const frames: number[] = []
  const end = onFrame((elapsed) => {
    frames.push(elapsed)
    return 90
  })
  vi.advanceTimersByTime(FRAME + 1)
  vi.advanceTimersByTime(30)
  expect(frames).toHaveLength(1)
  drawSoon()
  drawSoon()
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
  drawSoon()
  expect(vi.getTimerCount()).toBe(0)
})

/** Frames come up to two milliseconds early or late. */
const frames = (seconds: number) =>
  fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: seconds * 60, maxLength: seconds * 60 })

/** Returns how often something is drawn that changes in every frame. */
function drawsIn(lateness: readonly number[], pace: Pace, motion: Motion): number {
  const drawers = createPacedDrawers<null>()
  let draws = 0
  drawers.add(() => draws++, pace)
  lateness.forEach((late, k) => {
    drawers.renew()
    drawers.draw(null, k * FRAME + late, motion)
  })
  return draws
}

test.each<[name: string, pace: Pace, moving: number, crowded: number]>([
  ['a drawing without a pace: 60 times a second, 15 while it makes room', {}, 60, 15],
  ['texts: 10 times, 5 while they make room', { every: 100, crowded: 200 }, 10, 5],
  ['the decision: twice in any case', { every: 500 }, 2, 2],
])('%s', (_, pace, moving, crowded) => {
  fc.assert(
    fc.property(frames(4), (lateness) => {
      for (const [motion, most] of [['moving', moving] as const, ['crowded', crowded] as const]) {
        const draws = drawsIn(lateness, pace, motion)
        // The first draw does not count, and early frames do not change the pace.
        expect(draws).toBeLessThanOrEqual(4 * most + 1)
        expect(draws).toBeGreaterThanOrEqual(4 * most * 0.9 - 1)
      }
    }),
  )
})

test('in a still picture changes are drawn at once, and unchanged parts are not drawn', () => {
  const drawers = createPacedDrawers<number>()
  const drawn: number[] = []
  const end = drawers.add((scene) => drawn.push(scene), { every: 1e12 })
  for (const scene of [1, 2, 3]) {
    drawers.renew()
    drawers.draw(scene, scene, 'still')
    drawers.draw(scene, scene, 'still')
  }
  end()
  drawers.renew()
  drawers.draw(4, 4, 'still')
  expect(drawn).toEqual([1, 2, 3])
})
