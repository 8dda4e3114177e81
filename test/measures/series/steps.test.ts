import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  appendStep,
  createSteps,
  extremes,
  greatest,
  means,
  type Steps,
  valueAt,
} from '../../../src/measures/series/steps.ts'

type Step = readonly [time: number, value: number]

function made(all: readonly Step[]): Steps {
  const steps = createSteps()
  for (const [time, value] of all) appendStep(steps, time, value)
  return steps
}

/** The plain version: the value at every whole microsecond. */
function plainValue(all: readonly Step[], time: number): number {
  let value = 0
  for (const step of all) if (step[0] <= time) value = step[1]
  return value
}

function drawn(steps: Steps, t0: number, t1: number, pixels: number) {
  const min = new Int32Array(pixels)
  const max = new Int32Array(pixels)
  const mean = new Float64Array(pixels)
  extremes(steps, t0, t1, pixels, min, max)
  means(steps, t0, t1, pixels, mean)
  return { min: [...min], max: [...max], mean: [...mean] }
}

describe('a step series', () => {
  test('equals its plain version for any steps, range and width', () => {
    const step = fc.tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 }) },
      ),
      // Sometimes more than 16 bits can hold.
      fc.oneof(
        { weight: 300, arbitrary: fc.integer({ min: 0, max: 99 }) },
        { weight: 1, arbitrary: fc.constantFrom(32_767, 32_768, 1_000_000) },
      ),
    )
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 1200, size: 'max' }),
        fc.integer({ min: -20, max: 500 }),
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 12 }),
        (gaps, from, width, pixels) => {
          let time = 0
          const all = gaps.map(([gap, value]): Step => {
            time += gap
            return [time, value]
          })
          const steps = made(all)
          const to = from + width * pixels
          const plain: number[] = []
          for (let t = from; t < to; t++) plain.push(plainValue(all, t))
          const parts = Array.from({ length: pixels }, (_, p) => plain.slice(p * width, (p + 1) * width))
          const seen = drawn(steps, from, to, pixels)
          expect(seen.min).toEqual(parts.map((part) => Math.min(...part)))
          expect(seen.max).toEqual(parts.map((part) => Math.max(...part)))
          for (let p = 0; p < pixels; p++)
            expect(seen.mean[p]).toBeCloseTo(parts[p].reduce((a, b) => a + b, 0) / width, 9)
          expect(valueAt(steps, from)).toBe(plainValue(all, from))
        },
      ),
      { numRuns: 120 },
    )
  })

  test('uses several levels of blocks', () => {
    const all = Array.from({ length: 20_000 }, (_, i): Step => [i, (i * 7919) % 10_007])
    const { min, max } = drawn(made(all), 3, 19_999, 4)
    for (let p = 0; p < 4; p++) {
      const part = all.slice(3 + p * 4999, 3 + (p + 1) * 4999).map((step) => step[1])
      expect([min[p], max[p]]).toEqual([Math.min(...part), Math.max(...part)])
    }
  })

  test('keeps no value without duration', () => {
    const steps = made([
      [5, 1],
      [9, 50],
      [9, 1],
      [12, 3],
    ])
    expect(greatest(steps)).toBe(3)
    expect(drawn(steps, 0, 16, 1)).toEqual({ min: [0], max: [3], mean: [(7 + 12) / 16] })
  })

  test('refuses times that run back, and is empty at first', () => {
    expect(() =>
      made([
        [2, 1],
        [1, 1],
      ]),
    ).toThrow(new RangeError('a step at 1 after one at 2'))
    expect(greatest(createSteps())).toBe(0)
    expect(drawn(createSteps(), 0, 10, 2)).toEqual({ min: [0, 0], max: [0, 0], mean: [0, 0] })
  })
})
