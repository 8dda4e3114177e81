import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPacedDrawers, type Motion, type Pace } from '../../../../src/app/base/browser/pacedDrawers.ts'

const FRAME = 1000 / 60
/** Frames come up to two milliseconds early or late. */
const frames = (seconds: number) => fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: seconds * 60, maxLength: seconds * 60 })

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
        // The first draw is free, and a pace is kept in spite of frames that come early.
        expect(draws).toBeLessThanOrEqual(4 * most + 1)
        expect(draws).toBeGreaterThanOrEqual(4 * most * 0.9 - 1)
      }
    }),
  )
})

test('what has changed is drawn at once while the picture stands still, and what has not is not drawn', () => {
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
