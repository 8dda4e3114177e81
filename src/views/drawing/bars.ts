import { type Palette, stageColour } from './palette.ts'

/**
 * Patterns besides colour: whoever asks for them sees a stage wear bars, none to four, as the number of its colour has it; on seats, on
 * the marks beside names and along the lanes of workers.
 */
export const MOST_BARS = 4

/** How many; 0 for everybody where nobody has asked. */
export function barsOf(palette: Palette, index: number): number {
  return palette.patterns ? ((index % (MOST_BARS + 1)) + MOST_BARS + 1) % (MOST_BARS + 1) : 0
}

/** The bars on a disc about the origin, as the path of an SVG; empty for none. */
export function barsPath(bars: number, radius: number): string {
  return places(bars)
    .map((place) => {
      const x = place * radius * 0.22
      const half = 0.78 * Math.sqrt(radius * radius - x * x)
      return `M${x.toFixed(2)},${(-half).toFixed(2)}V${half.toFixed(2)}`
    })
    .join('')
}

/** A mark beside a name, as a background: the colour with its bars, a pixel each. */
export function markBackground(palette: Palette, index: number): string {
  const { fill, on } = stageColour(palette, index)
  const bars = places(barsOf(palette, index)).map((x) => `linear-gradient(${on}, ${on}) calc(50% + ${x}px) 0 / 1px 100% no-repeat`)
  return [...bars, fill].join(', ')
}

/** Along a lane the bars stand in groups, so many of its hairs apart. */
const GROUP = 18

/** Whether the hair at this place of a lane is one of the bars. */
export function isBar(bars: number, hair: number): boolean {
  const within = hair % GROUP
  return within < 3 * bars && within % 3 === 0
}

/** -1 and 1 for two, -2, 0 and 2 for three. */
function places(bars: number): number[] {
  return Array.from({ length: bars }, (_, i) => 2 * i - (bars - 1))
}
