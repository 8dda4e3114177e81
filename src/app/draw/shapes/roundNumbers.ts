/** Returns the greatest power of ten that is not above a number. */
export function powerBelow(value: number): number {
  let power = 1
  while (power * 10 <= value) power *= 10
  while (power > value) power /= 10
  return power
}

/** Returns the next of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 times a power of ten. */
export function roundAbove(value: number): number {
  const power = powerBelow(value)
  return ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((step) => step * power >= value) ?? 10) * power
}
