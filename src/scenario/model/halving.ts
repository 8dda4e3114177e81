/** Returns the first whole number from `low` to below `high` for which `holds` is true, and `high` if there is none. From there on it must be true. */
export function firstWhole(low: number, high: number, holds: (k: number) => boolean): number {
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Halves the stretch from `low` to `high` `rounds` times. Returns its ends: `holds` is false at the first and true at the second. */
export function halved(
  low: number,
  high: number,
  rounds: number,
  holds: (x: number) => boolean,
): readonly [low: number, high: number] {
  for (let round = 0; round < rounds; round++) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return [low, high]
}
