/** A rule was broken: the message says which, and for whom. */
export class Violation extends Error {}

export function claim(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new Violation(message())
}
