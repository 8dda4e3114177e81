import { describe, expect, test } from 'vitest'
import { groupColour } from '../../../../src/features/groups/draw/spreadDrawing.ts'
import { contrast, defaultPalette, rgb } from '../../../../src/views/drawing/palette.ts'

const distance = (a: string, b: string) => Math.hypot(...rgb(a).map((byte, k) => byte - rgb(b)[k]))

describe.each(['light', 'dark'] as const)('the colours of groups, %s', (theme) => {
  const palette = defaultPalette(theme)
  const groups = Array.from({ length: 400 }, (_, g) => groupColour(palette, g))

  test('can be read: letters on them, rims on the page', () => {
    for (const { fill, rim, on } of groups) {
      expect(contrast(on, fill)).toBeGreaterThanOrEqual(4.5)
      expect(Math.min(contrast(rim, palette.panel), contrast(rim, palette.ground))).toBeGreaterThanOrEqual(3)
    }
  })

  test('stay apart from the next three groups, and from every stage', () => {
    groups.forEach(({ fill }, g) => {
      for (const other of groups.slice(g + 1, g + 4)) expect(distance(fill, other.fill)).toBeGreaterThan(24)
      for (const stage of palette.stages.slice(0, 10)) expect(distance(fill, stage.fill)).toBeGreaterThan(20)
    })
  })

  test('are the same at every call', () => {
    expect(groupColour(palette, 7)).toBe(groups[7])
    expect(groupColour(defaultPalette(theme), 7)).toEqual(groups[7])
  })
})
