/** A broken rule. The message says which rule, and for which worker or job. */
export class Violation extends Error {}

export function claim(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new Violation(message())
}
