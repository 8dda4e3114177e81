import { describe, expect, test } from 'vitest'
import { groupColour } from '../../../../src/features/groups/draw/spreadDrawing.ts'
import { contrast, defaultPalette, rgb } from '../../../../src/views/drawing/palette.ts'

const distance = (a: string, b: string) => Math.hypot(...rgb(a).map((byte, k) => byte - rgb(b)[k]))

describe.each(['light', 'dark'] as const)('the colours of groups, %s', (theme) => {
  const palette = defaultPalette(theme)
  const groups = Array.from({ length: 200 }, (_, g) => groupColour(palette, g))

  test('have readable letters on them, and visible rims on the page', () => {
    expect(groups.filter(({ fill, on }) => contrast(on, fill) < 4.5)).toEqual([])
    expect(
      groups.filter(({ rim }) => Math.min(contrast(rim, palette.panel), contrast(rim, palette.ground)) < 3),
    ).toEqual([])
  })

  test('differ from the next three groups, and from every stage', () => {
    groups.forEach(({ fill }, g) => {
      expect(Math.min(...groups.slice(g + 1, g + 4).map((other) => distance(fill, other.fill)))).toBeGreaterThan(24)
      expect(Math.min(...palette.stages.slice(0, 10).map((stage) => distance(fill, stage.fill)))).toBeGreaterThan(20)
    })
  })

  test('are the same at every call', () => {
    expect(groupColour(palette, 7)).toBe(groups[7])
    expect(groupColour(defaultPalette(theme), 7)).toEqual(groups[7])
  })
})
