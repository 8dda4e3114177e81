import { contrast, hex, mix, type Rgb } from '../drawing/colour.ts'
import type { Palette } from '../drawing/palette.ts'

/** The colours of a group of jobs. Groups are pale tiles with an outline, so that nobody takes them for stages, which are plain discs. */
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
const lightness = { light: [0.86, 0.74, 0.8], dark: [0.5, 0.4, 0.45] } as const
const CHROMA = 0.095

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
  const hue = ((index * GOLDEN + 0.11) % 1) * 2 * Math.PI
  const fill = fromOklch(lightness[theme][index % 3], CHROMA, hue)
  const strong = fromOklch(theme === 'light' ? 0.52 : 0.78, 0.13, hue)
  return {
    fill,
    rim: towards(strong, ink, (rim) => Math.min(contrast(rim, panel), contrast(rim, ground)) >= 3),
    on: textOn(fill, theme === 'light' ? ink : '#ffffff'),
  }
}

function textOn(fill: string, wanted: string): string {
  return towards(wanted, contrast('#000000', fill) > contrast('#ffffff', fill) ? '#000000' : '#ffffff', (on) => contrast(on, fill) >= 4.5)
}

/** Returns the first mixture on the way from one colour to another that is good. */
function towards(from: string, to: string, good: (colour: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.05) {
    const colour = mix(from, to, share)
    if (good(colour)) return colour
  }
  return to
}

/** Returns a colour given in OKLCH (Ottosson 2020): lightness 0 to 1, chroma, hue in radians. The chroma is lowered to what sRGB can show. */
function fromOklch(light: number, chroma: number, hue: number): string {
  for (let c = chroma; c > 0; c -= 0.005) {
    const colour = linear(light, c * Math.cos(hue), c * Math.sin(hue))
    if (colour.every((value) => value >= 0 && value <= 1)) return hex(colour.map(gamma) as unknown as Rgb)
  }
  return hex(linear(light, 0, 0).map(gamma) as unknown as Rgb)
}

function linear(light: number, a: number, b: number): readonly number[] {
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function gamma(value: number): number {
  const v = Math.min(1, Math.max(0, value))
  return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)
}
