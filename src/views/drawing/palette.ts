import { color, rgb as rgbOf } from 'd3-color'
import { interpolateRgb } from 'd3-interpolate'

export type Theme = 'light' | 'dark'

/** Every colour a drawing may use. A theme change makes a new object, and drawings compare palettes by identity. */
export interface Palette {
  readonly theme: Theme
  /** The background of the page, and of the cards and panels on it. */
  readonly ground: string
  readonly panel: string
  /** Text, quieter text (still 4.5 : 1 on `panel`), hairlines, and the background of a worker's lane. */
  readonly ink: string
  readonly soft: string
  readonly rule: string
  readonly bed: string
  /** The playhead and the Run button, and text on them. */
  readonly accent: string
  readonly onAccent: string
  readonly font: string
  /** Whether stages have patterns besides their colours: see `barsOf`. */
  readonly patterns: boolean
  readonly stages: readonly StageColour[]
}

export interface StageColour {
  /** For areas: seats, discs, lanes. */
  readonly fill: string
  /** For text on `fill`, and for text in the stage's colour on `panel`: both at least 4.5 : 1. */
  readonly on: string
  readonly text: string
  readonly wash: string
}

type Ground = Omit<Palette, 'theme' | 'stages' | 'patterns'>
const font = 'Inter Variable, Inter, system-ui, sans-serif'
const grounds: Readonly<Record<Theme, Ground>> = {
  light: {
    ground: '#fcfbf8',
    panel: '#ffffff',
    ink: '#1c1b19',
    soft: '#716c64',
    rule: '#e9e5dd',
    bed: '#f5f3ee',
    accent: '#7a1c2a',
    onAccent: '#ffffff',
    font,
  },
  dark: {
    ground: '#161513',
    panel: '#1e1d1a',
    ink: '#f1eee7',
    soft: '#a39d92',
    rule: '#35322d',
    bed: '#272521',
    accent: '#e58a94',
    onAccent: '#2a0b10',
    font,
  },
}

/** Ten hues, ordered so that neighbours differ for red-green colour-blind people. Stages after the tenth get them darker, then lighter. */
const hues: Readonly<Record<Theme, readonly string[]>> = {
  //      blue       orange     green      purple     red        teal       brown      pink       ochre      slate
  light: ['#3b6fb6', '#d07e1b', '#2f8465', '#9f4a94', '#bf4438', '#126375', '#7b5133', '#d06f97', '#a08f1e', '#5d6670'],
  dark: ['#6b9be0', '#eba24a', '#4bb58c', '#cf88c6', '#e57468', '#7fd8e6', '#b98a66', '#f0a9c4', '#d3c35a', '#9aa5b1'],
}

export const STAGE_HUES = hues.light.length

/** Returns the palette of a theme for a page that sets no colours of its own. */
export function defaultPalette(theme: Theme): Palette {
  return paletteOf(theme, grounds[theme], hues[theme], false)
}

const groundNames = [
  ...(['ground', 'panel', 'ink', 'soft', 'rule', 'bed', 'accent'] as const).map((key) => [key, `--${key}`] as const),
  ['onAccent', '--on-accent'] as const,
]

/** Returns the palette of a style sheet: `--ground`, `--panel`, [...], `--stage-1` to `--stage-10`, `--patterns: 1`, each optional. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element)
  // A page sets its font on the body; the root has the browser's.
  const fontFamily =
    element === document.documentElement ? getComputedStyle(document.body).fontFamily : style.fontFamily
  const read = (name: string): string | null => {
    const colour = parseColour(style.getPropertyValue(name))
    return colour && hex(colour)
  }
  const own = parseColour(style.getPropertyValue('--ground'))
  const dark = own === null ? matchMedia('(prefers-color-scheme: dark)').matches : luminance(own) < 0.2
  const theme: Theme = dark ? 'dark' : 'light'
  const ground = { ...grounds[theme], font: fontFamily || font }
  for (const [key, name] of groundNames) ground[key] = read(name) ?? ground[key]
  return paletteOf(
    theme,
    ground,
    hues[theme].map((hue, i) => read(`--stage-${i + 1}`) ?? hue),
    style.getPropertyValue('--patterns').trim() === '1',
  )
}

/** Returns the colours of the stage with this number; after the last they begin again. */
export function stageColour(palette: Palette, index: number): StageColour {
  const { stages } = palette
  return stages[((index % stages.length) + stages.length) % stages.length]
}

function paletteOf(theme: Theme, ground: Ground, fills: readonly string[], patterns: boolean): Palette {
  const darker = fills.map((fill) => mix(fill, '#000000', theme === 'light' ? 0.32 : 0.25))
  const lighter = fills.map((fill) => mix(fill, '#ffffff', 0.38))
  const stages = [...fills, ...darker, ...lighter].map(
    (fill): StageColour => ({
      fill,
      on: onFill(fill),
      text: legible(fill, ground),
      wash: mix(ground.panel, fill, 0.2),
    }),
  )
  return { theme, ...ground, stages, patterns }
}

/** Returns white where it can be read on `fill`, else a near-black. */
function onFill(fill: string): string {
  if (contrast('#ffffff', fill) >= 4.5) return '#ffffff'
  const dark = mix(fill, '#000000', 0.86)
  return contrast(dark, fill) >= 4.5 ? dark : '#000000'
}

/** Returns `fill`, mixed with ink until it can be read on the panel. */
function legible(fill: string, { ink, panel, ground }: Ground): string {
  return towards(fill, ink, (text) => Math.min(contrast(text, panel), contrast(text, ground)) >= 4.5)
}

/** With patterns on, a stage has none to four bars besides its colour: on seats, on marks beside names and along lanes. */
export const MAX_BARS = 4

/** Returns how many bars the stage with this colour number has; 0 when patterns are off. */
export function barsOf(palette: Palette, index: number): number {
  return palette.patterns ? ((index % (MAX_BARS + 1)) + MAX_BARS + 1) % (MAX_BARS + 1) : 0
}

/** Returns the bars on a disc around the origin as an SVG path; empty for none. */
export function barsPath(bars: number, radius: number): string {
  return offsets(bars)
    .map((offset) => {
      const x = offset * radius * 0.22
      const half = 0.78 * Math.sqrt(radius * radius - x * x)
      return `M${x.toFixed(2)},${(-half).toFixed(2)}V${half.toFixed(2)}`
    })
    .join('')
}

/** Returns the CSS background of a mark beside a name: the colour and its bars, one pixel each. */
export function markBackground(palette: Palette, index: number): string {
  const { fill, on } = stageColour(palette, index)
  const bars = offsets(barsOf(palette, index)).map(
    (x) => `linear-gradient(${on}, ${on}) calc(50% + ${x}px) 0 / 1px 100% no-repeat`,
  )
  return [...bars, fill].join(', ')
}

/** Along a lane the groups of bars repeat after this many pixels of the page. */
const GROUP = 18

/** Whether this pixel of a lane belongs to a bar. */
export function isBar(bars: number, pixel: number): boolean {
  const within = pixel % GROUP
  return within < 3 * bars && within % 3 === 0
}

/** Returns the offsets of the bars from the middle: -1 and 1 for two, -2, 0 and 2 for three. */
function offsets(bars: number): number[] {
  return Array.from({ length: bars }, (_, i) => 2 * i - (bars - 1))
}

/** A colour as three numbers from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Returns the colour that a text names as style sheets do; null for anything else. */
function parseColour(text: string): Rgb | null {
  // A style sheet may put spaces between the numbers, d3 reads commas.
  const named = color(text.trim().replace(/(\d)\s+(?=\d)/g, '$1, '))?.rgb()
  return named ? [named.r, named.g, named.b] : null
}

/** Returns the colour a text names. Throws RangeError if it names none. */
export function rgb(text: string): Rgb {
  const colour = parseColour(text)
  if (colour === null) throw new RangeError(`${text} is not a colour`)
  return colour
}

export function hex(colour: Rgb): string {
  return rgbOf(...colour).formatHex()
}

/** Returns a mixture of two colours: `share` 0 is all `a`, 1 is all `b`. */
export function mix(a: string, b: string, share: number): string {
  return rgbOf(interpolateRgb(a, b)(share)).formatHex()
}

/** Returns the first mixture on the way from one colour to another that `good` accepts. */
export function towards(from: string, to: string, good: (colour: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.05) {
    const colour = mix(from, to, share)
    if (good(colour)) return colour
  }
  return to
}

/** Returns the contrast of two colours, 1 to 21 (WCAG 2.2); text needs 4.5. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(rgb(a)), luminance(rgb(b))]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Returns the relative luminance of a colour, 0 to 1 (WCAG 2.2). */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((byte) => {
    const c = byte / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
