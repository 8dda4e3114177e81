/** The least width of what a pointer must hit, in pixels of the page. */
const TARGET = 24

/**
 * Returns the left sides of the handles at both ends of a window from `a` to `b`, each `TARGET` wide: around the ends of a wide window,
 * beside a small one, always inside the strip and never on top of each other.
 */
export function edgePlaces(a: number, b: number, width: number): { readonly left: number; readonly right: number; readonly each: number } {
  const inside = Math.min(TARGET / 2, Math.max(0, (b - a - TARGET) / 2))
  const left = Math.max(0, Math.min(a + inside - TARGET, width - 2 * TARGET))
  const right = Math.max(left + TARGET, Math.min(b - inside, width - TARGET))
  return { left, right, each: TARGET }
}
