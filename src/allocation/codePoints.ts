/**
 * Compares two texts by code points, as sorting asks for: below 0, 0, above 0. JavaScript's own < compares UTF-16 units, which
 * puts U+1F600 (stored as D83D DE00) before U+FF21; by code points it comes after.
 */
export function compareCodePoints(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = codePoint(a, i) - codePoint(b, i)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function codePoint(text: string, i: number): number {
  return text.codePointAt(i) ?? -1
}
