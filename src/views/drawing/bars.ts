import { type Palette, stageColour } from './palette.ts'

/** With patterns on, a stage has none to four bars besides its colour: on seats, on marks beside names and along lanes. */
export const MOST_BARS = 4

/** Returns how many bars the stage with this colour number has; 0 when patterns are off. */
export function barsOf(palette: Palette, index: number): number {
  return palette.patterns ? ((index % (MOST_BARS + 1)) + MOST_BARS + 1) % (MOST_BARS + 1) : 0
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
  const bars = offsets(barsOf(palette, index)).map((x) => `linear-gradient(${on}, ${on}) calc(50% + ${x}px) 0 / 1px 100% no-repeat`)
  return [...bars, fill].join(', ')
}

/** Along a lane the groups of bars repeat after so many pixels of the page. */
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
