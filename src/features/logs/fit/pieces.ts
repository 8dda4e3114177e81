/** A stretch of a log in which a number holds: samples `from` to `to`, of which the last is the first of the next piece. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly value: number
  /** The square of the standard error of the value. */
  readonly variance: number
}

/** Returns the bounds of so many pieces with about equally many samples. */
export function evenBounds(samples: number, pieces: number): number[] {
  return Array.from({ length: pieces + 1 }, (_, k) => Math.round((k * (samples - 1)) / pieces))
}

/**
 * Returns longer pieces: the two neighbours that differ least are taken together, as long as they differ by fewer than `errors`
 * standard errors, or by less than the share `least` of their value, or there are more than `most`.
 */
export function joined(
  pieces: readonly Stretch[],
  { errors, least, most }: { readonly errors: number; readonly least: number; readonly most: number },
): Stretch[] {
  const all = [...pieces]
  for (;;) {
    const apart = all.slice(1).map((piece, k) => apartBy(all[k], piece, least))
    const nearest = apart.reduce((best, each, k) => (each < apart[best] ? k : best), 0)
    if (apart.length === 0 || (apart[nearest] >= errors && all.length <= most)) return all
    all.splice(nearest, 2, together(all[nearest], all[nearest + 1]))
  }
}

/** Returns by how many standard errors two values differ; less than 1 where the difference is below the share `least`. */
function apartBy(a: Stretch, b: Stretch, least: number): number {
  const difference = Math.abs(a.value - b.value)
  const share = difference / Math.max(Number.MIN_VALUE, least * Math.max(a.value, b.value))
  if (share < 1) return share
  return difference / Math.sqrt(Math.max(Number.MIN_VALUE, a.variance + b.variance))
}

function together(a: Stretch, b: Stretch): Stretch {
  const whole = b.to - a.from
  const [one, other] = [(a.to - a.from) / whole, (b.to - b.from) / whole]
  return {
    from: a.from,
    to: b.to,
    value: one * a.value + other * b.value,
    variance: one * one * a.variance + other * other * b.variance,
  }
}
