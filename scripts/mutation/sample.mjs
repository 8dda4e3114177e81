import { createHash } from 'node:crypto'

/** Returns this many of the mutants, in order. Which they are depends on each mutant alone, so an edit elsewhere changes none of them. */
export function chosen(mutants, count) {
  if (mutants.length <= count) return mutants
  const rank = (key) => createHash('sha256').update(key).digest('hex')
  const taken = new Set(
    [...mutants]
      .map(({ key }) => [rank(key), key])
      .sort()
      .slice(0, count)
      .map(([, key]) => key),
  )
  return mutants.filter(({ key }) => taken.has(key))
}

/** Returns the 95% interval of a share (Wilson 1927). */
export function intervalOf(hits, of) {
  const z = 1.96
  const share = hits / of
  const middle = share + (z * z) / (2 * of)
  const reach = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  const scale = 1 + (z * z) / of
  return [(middle - reach) / scale, (middle + reach) / scale]
}
