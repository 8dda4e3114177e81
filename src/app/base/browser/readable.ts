/** Marks on one letter; more of them pile up. */
const piled = /(\p{M}{4})\p{M}+/gu

/** What a file holds or is called may be anything: what cannot be seen in it, or turns the text around it, becomes a dot, and it is short. */
export function readable(text: string, most = 90): string {
  const seen = text
    .slice(0, 10 * most)
    .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, '·')
    .replace(piled, '$1')
  const points = Array.from(seen)
  return points.length > most ? `${points.slice(0, most).join('')}…` : seen
}
