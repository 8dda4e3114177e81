import { describe, expect, test } from 'vitest'
import { barsOf, barsPath, isBar, MOST_BARS, markBackground } from '../../../src/views/drawing/bars.ts'
import { defaultPalette } from '../../../src/views/drawing/palette.ts'

const plain = defaultPalette('light')
const asked = { ...plain, patterns: true }

describe('patterns besides colour', () => {
  test('are off until somebody turns them on', () => {
    expect([0, 1, 2, 3].map((index) => barsOf(plain, index))).toEqual([0, 0, 0, 0])
    expect(markBackground(plain, 3)).toBe(plain.stages[3].fill)
  })

  test('tell neighbours apart, on a seat, on a mark and along a lane alike', () => {
    for (let index = 0; index < 12; index++) {
      const bars = barsOf(asked, index)
      expect(bars).not.toBe(barsOf(asked, index + 1))
      expect(bars).toBeLessThanOrEqual(MOST_BARS)
      expect(barsPath(bars, 10).match(/M/g) ?? []).toHaveLength(bars)
      expect(markBackground(asked, index).match(/linear-gradient/g) ?? []).toHaveLength(bars)
      expect(Array.from({ length: 18 }, (_, hair) => isBar(bars, hair)).filter(Boolean)).toHaveLength(bars)
    }
  })

  test('stay within the seat', () => {
    const ends = [...barsPath(MOST_BARS, 10).matchAll(/M(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => Math.hypot(Number(x), Number(y)))
    for (const far of ends) expect(far).toBeLessThan(10)
  })
})
