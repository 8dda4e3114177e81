import { hcl } from 'd3-color'
import { contrast, towards } from '../../../views/drawing/colour.ts'
import type { Palette } from '../../../views/drawing/palette.ts'

/** The colours of a group of jobs. Groups are pale tiles with an outline, and stages are plain discs, so the two look different. */
export interface GroupColour {
  readonly fill: string
  /** At least 3 : 1 on the panel. */
  readonly rim: string
  /** For text on `fill`: at least 4.5 : 1. */
  readonly on: string
}

/** Consecutive groups are a golden section of the colour circle apart, so that any number of them has evenly spread hues. */
const GOLDEN = 0.6180339887498949
/** Consecutive groups also differ in lightness. */
const lightness = { light: [84, 70, 77], dark: [43, 32, 38] } as const
const CHROMA = 34

const cache = new WeakMap<Palette, Map<number, GroupColour>>()

/** Returns the colours of group `index`. Numbers are shown beside them wherever there is room: nobody can tell hundreds of hues apart. */
export function groupColour(palette: Palette, index: number): GroupColour {
  const colours = cache.get(palette) ?? new Map<number, GroupColour>()
  cache.set(palette, colours)
  const colour = colours.get(index) ?? makeColour(palette, index)
  colours.set(index, colour)
  return colour
}

function makeColour(palette: Palette, index: number): GroupColour {
  const { theme, ink, panel, ground } = palette
  const hue = ((index * GOLDEN + 0.11) % 1) * 360
  const fill = displayable(lightness[theme][index % 3], CHROMA, hue)
  const strong = displayable(theme === 'light' ? 46 : 73, 46, hue)
  return {
    fill,
    rim: towards(strong, ink, (rim) => Math.min(contrast(rim, panel), contrast(rim, ground)) >= 3),
    on: textOn(fill, theme === 'light' ? ink : '#ffffff'),
  }
}

function textOn(fill: string, wanted: string): string {
  return towards(wanted, contrast('#000000', fill) > contrast('#ffffff', fill) ? '#000000' : '#ffffff', (on) => contrast(on, fill) >= 4.5)
}

/** Returns a colour of this lightness, 0 to 100, chroma, and hue in degrees. The chroma is lowered to what a screen can show. */
function displayable(light: number, chroma: number, hue: number): string {
  let colour = hcl(hue, chroma, light)
  while (!colour.displayable() && colour.c > 0) colour = hcl(hue, colour.c - 1, light)
  return colour.formatHex()
}
