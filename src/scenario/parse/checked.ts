import * as v from 'valibot'
import { MAX_PROBLEMS } from '../model/limits.ts'
import type { Problem } from '../model/scenario.ts'
import { pathOf } from '../model/words.ts'
import { type Check, checkRecord, type Entries } from './shape.ts'

type Checked<T> = { readonly value: T } | { readonly problems: readonly Problem[] }

/** Returns what a check makes of a value from outside, or at most 50 problems, each at its path. */
export function checked<T>(check: Check<T>, input: unknown): Checked<T> {
  const { success, output, issues } = v.safeParse(check, input)
  return success ? { value: output } : { problems: issues.slice(0, MAX_PROBLEMS).map(problemOfIssue) }
}

/** An object that the page itself has stored, maybe in another version. Nobody reads its problems. */
export function checkStored<E extends Entries>(entries: E): ReturnType<typeof checkRecord<E>> {
  return checkRecord(() => '', entries, 'left out')
}

/** Returns what was stored as JSON. Returns null if nothing was, or if it does not pass the check. */
export function checkedText<T>(check: Check<T>, text: string | null): T | null {
  try {
    const read = checked(check, JSON.parse(text ?? 'null'))
    return 'value' in read ? read.value : null
  } catch {
    return null
  }
}

/** Returns the problem of an issue, its path as people read it. */
export function problemOfIssue({ path, message }: { readonly path?: readonly { readonly key: unknown }[] | undefined; readonly message: string }): Problem {
  return { path: pathOf((path ?? []).map(({ key }) => key)), message }
}
