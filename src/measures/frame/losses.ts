import { t, tStored } from '../../language/translate.ts'
import type { Failure } from '../../pipeline/journal.ts'

/** Characters of a browser's message. */
const MOST_CHARACTERS = 90

/** Returns what happened to a worker, in words without a full stop. People count workers from 1. */
export function lossOf({ worker, reason }: Failure): string {
  const why = tStored(reason).slice(0, MOST_CHARACTERS)
  return worker === undefined ? why : t('worker {n} {why}', { n: worker + 1, why })
}

/** Returns how many workers were lost, and why the last; null: none. */
export function lossesOf(failures: readonly Failure[]): string | null {
  const lost = failures.filter(({ kind }) => kind === 'worker')
  const last = lost.at(-1)
  return last === undefined ? null : t('{n, plural, one {# worker} other {# workers}} lost ({why})', { n: lost.length, why: lossOf(last) })
}
