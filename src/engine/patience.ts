import type { Micros } from '../scenario/model/scenario.ts'

const LEAST: Micros = 2_000_000
const TIMES = 10

/**
 * How long a worker may be silent over a batch before it is given up: ten times what the batch was foretold to take, or
 * what the longest one took so far, and never less than two seconds.
 */
export function patience(foretold: Micros, longest: Micros): Micros {
  return Math.max(LEAST, TIMES * foretold, TIMES * longest)
}
