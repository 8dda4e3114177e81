const HUES = 10

/** The colour of the stage that is listed at `index`, for style sheets: ten hues, then the same darker, then lighter, as in the palette of the drawings. */
export function stageCss(index: number): string {
  const hue = `var(--stage-${(index % HUES) + 1})`
  const round = Math.floor(index / HUES) % 3
  if (round === 0) return hue
  return round === 1 ? `color-mix(in srgb, ${hue}, #000 var(--stage-darker, 32%))` : `color-mix(in srgb, ${hue}, #fff 38%)`
}
