import type { Micros } from '../scenario/model/scenario.ts'

const LEAST: Micros = 2_000_000
const FACTOR = 10

/**
 * Returns how long a worker may be silent over a batch before it is given up: ten times the expected time of the batch or
 * the longest time of a batch so far, and at least two seconds.
 */
export function silenceLimit(expected: Micros, longest: Micros): Micros {
  return Math.max(LEAST, FACTOR * expected, FACTOR * longest)
}
