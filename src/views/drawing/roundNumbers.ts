import { bisectLeft, bisectRight, range } from 'd3-array'

// Written out, since a power of ten that is calculated may differ in its last digit.
const powers = range(-9, 30).map((power) => Number(`1e${power}`))
const rounds = powers.flatMap((power) => [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map((digit) => digit * power))

/** Returns the greatest power of ten that is not above a number. */
export function powerBelow(value: number): number {
  return powers[Math.max(0, bisectRight(powers, value) - 1)]
}

/** Returns the next of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 times a power of ten. */
export function roundAbove(value: number): number {
  return rounds[bisectLeft(rounds, value)]
}
