/** Returns the least of 1, 2, 5, 10, 20, 50, ... that is `value` or more. */
export function roundUp(value: number): number {
  let power = 1
  while (power * 10 <= value) power *= 10
  return ([1, 2, 5].find((digit) => digit * power >= value) ?? 10) * power
}
