const surrogate = /[\ud800-\udfff]/

/**
 * Returns a copy in ascending order of code points. JavaScript sorts by UTF-16 units and puts U+1F600 (stored as D83D DE00) before
 * U+FF21. Texts without such pairs sort alike both ways, and the native sort is faster.
 */
export function sortedByCodePoints(texts: readonly string[]): string[] {
  return texts.some((text) => surrogate.test(text)) ? [...texts].sort(compareCodePoints) : [...texts].sort()
}

function compareCodePoints(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = codePoint(a, i) - codePoint(b, i)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function codePoint(text: string, i: number): number {
  return text.codePointAt(i) ?? -1
}
