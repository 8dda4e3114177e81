import { say, sayKept } from '../language/say.ts'
import type { Failure } from '../pipeline/journal.ts'

/** Of what a browser says. */
const MOST_CHARACTERS = 90

/** What became of a worker, in words without a full stop; people count workers from 1. Whoever notes it does so in English, as it stands in traces. */
export function lossOf({ worker, reason }: Failure): string {
  if (worker === undefined) return sayKept(reason)
  const [what, ...rest] = reason.split(': ')
  const n = worker + 1
  const why = rest.join(': ').slice(0, MOST_CHARACTERS)
  switch (what) {
    case 'crashed':
      return say('worker {n} crashed', { n })
    case 'has ended of its own accord':
      return say('worker {n} has ended of its own accord', { n })
    case 'has not answered and is given up':
      return say('worker {n} has not answered and is given up', { n })
    case 'has not answered since its start and is given up':
      return say('worker {n} has not answered since its start and is given up', { n })
    case 'could not be loaded':
      return why === '' ? say('the script of worker {n} could not be loaded', { n }) : say('the script of worker {n} could not be loaded: {why}', { n, why })
    case 'could not be started':
      return say('worker {n} could not be started: {why}', { n, why })
    default:
      return say('worker {n}: {why}', { n, why: sayKept(reason).slice(0, MOST_CHARACTERS) })
  }
}

/** How many workers were lost, and what became of the last; null: none. */
export function lossesOf(failures: readonly Failure[]): string | null {
  const lost = failures.filter(({ kind }) => kind === 'worker')
  const last = lost.at(-1)
  return last === undefined ? null : say('{n, plural, one {# worker} other {# workers}} lost ({why})', { n: lost.length, why: lossOf(last) })
}
