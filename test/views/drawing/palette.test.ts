import { describe, expect, test } from 'vitest'
import {
  barsOf,
  barsPath,
  contrast,
  defaultPalette,
  isBar,
  MAX_BARS,
  markBackground,
  mix,
  rgb,
  STAGE_HUES,
  stageColour,
} from '../../../src/views/drawing/palette.ts'

/** How a colour looks to an eye without green cones, or without red ones (Machado, Oliveira and Fernandes 2009, severity 1, on linear light). */
const blind = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
}

/** The perceived distance, in CIE Lab (1976); about 2.3 is just noticeable. */
function distance(a: string, b: string, eye: number[][]): number {
  const [x, y] = [a, b].map((colour) => {
    const linear = rgb(colour).map((byte) =>
      byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
    )
    const [red, green, blue] = eye.map((row) =>
      Math.max(0, row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2]),
    )
    const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
    const fx = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    const fy = f(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    const fz = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]
  })
  return Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2])
}

describe.each(['light', 'dark'] as const)('the %s palette', (theme) => {
  const palette = defaultPalette(theme)

  test('keeps every text at 4.5 to 1 or better', () => {
    for (const ground of [palette.ground, palette.panel]) {
      expect(contrast(palette.ink, ground)).toBeGreaterThan(7)
      expect(contrast(palette.soft, ground)).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(palette.accent, palette.onAccent)).toBeGreaterThanOrEqual(4.5)
    for (const { fill, on, text } of palette.stages) {
      expect(contrast(fill, on)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(text, palette.panel)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(text, palette.ground)).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('keeps the hues of seats and lanes at 3 to 1 against the panel', () => {
    for (const { fill } of palette.stages.slice(0, STAGE_HUES))
      expect(contrast(fill, palette.panel)).toBeGreaterThanOrEqual(3)
  })

  test.each(Object.entries(blind))('keeps the first six stages apart for %s, and any neighbours', (_, eye) => {
    const fills = palette.stages.map((stage) => stage.fill)
    for (let i = 0; i < STAGE_HUES - 1; i++) expect(distance(fills[i], fills[i + 1], eye)).toBeGreaterThan(25)
    for (let i = 0; i < 6; i++)
      for (let j = 0; j < i; j++) expect(distance(fills[i], fills[j], eye), `${i} ${j}`).toBeGreaterThan(9)
  })

  test('gives thirty stages thirty colours and repeats them after that', () => {
    const fills = Array.from({ length: 30 }, (_, i) => stageColour(palette, i).fill)
    expect(new Set(fills).size).toBe(30)
    expect(stageColour(palette, 30)).toBe(stageColour(palette, 0))
    expect(stageColour(palette, 255).fill).toMatch(/^#/)
  })
})

test('colours mix, and are read in every notation', () => {
  expect(mix('#000', 'rgb(255, 255, 255)', 0.5)).toBe('#808080')
  expect(rgb('rgb(1 2 3)')).toEqual([1, 2, 3])
  expect(() => rgb('burgundy')).toThrow(RangeError)
})

const plain = defaultPalette('light')
const asked = { ...plain, patterns: true }

describe('patterns in addition to colours', () => {
  test('are off until a person turns them on', () => {
    expect([0, 1, 2, 3].map((index) => barsOf(plain, index))).toEqual([0, 0, 0, 0])
    expect(markBackground(plain, 3)).toBe(plain.stages[3].fill)
  })

  test('distinguish neighbours, on a seat, on a mark and along a lane alike', () => {
    for (let index = 0; index < 12; index++) {
      const bars = barsOf(asked, index)
      expect(bars).not.toBe(barsOf(asked, index + 1))
      expect(bars).toBeLessThanOrEqual(MAX_BARS)
      expect(barsPath(bars, 10).match(/M/g) ?? []).toHaveLength(bars)
      expect(markBackground(asked, index).match(/linear-gradient/g) ?? []).toHaveLength(bars)
      expect(Array.from({ length: 18 }, (_, hair) => isBar(bars, hair)).filter(Boolean)).toHaveLength(bars)
    }
  })

  test('stay within the seat', () => {
    const ends = [...barsPath(MAX_BARS, 10).matchAll(/M(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) =>
      Math.hypot(Number(x), Number(y)),
    )
    for (const far of ends) expect(far).toBeLessThan(10)
  })
})
