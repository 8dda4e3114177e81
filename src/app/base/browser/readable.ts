/** More than four combining marks on one letter. */
const piled = /(\p{M}{4})\p{M}+/gu

/** Returns text from a file made safe to show: short, with dots for characters that are invisible or turn the text direction. */
export function readable(text: string, most = 90): string {
  const seen = text
    .slice(0, 10 * most)
    .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, '·')
    .replace(piled, '$1')
  const points = Array.from(seen)
  return points.length > most ? `${points.slice(0, most).join('')}…` : seen
}
