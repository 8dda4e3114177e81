import { checked } from '../../scenario/parse/checked.ts'
import type { Check } from '../../scenario/parse/shape.ts'

/** Thrown by readers of files: the place and the reason of an error. It becomes a Problem. */
export class Refusal extends Error {
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** Returns the checked value. Throws a Refusal where it does not pass. */
export function required<T>(check: Check<T>, input: unknown, path: string): T {
  const read = checked(check, input)
  if ('value' in read) return read.value
  throw new Refusal(path, read.problems[0].message)
}
