/** What a decision would have done for a worker and a stage if another number of jobs had waited there. */
export interface Otherwise {
  /** The target of the stage. */
  readonly target: number
  /** Where the worker would have gone: -1 if it would have stayed idle, null if the record does not tell. */
  readonly post: number | null
}

/** Numbers of waiting jobs with one outcome, both ends included. */
export interface OtherwiseRange {
  readonly from: number
  readonly to: number
  readonly outcome: Otherwise
}

/** So many numbers are tried on either side. */
const MOST_TRIED = 400

/**
 * Returns the numbers around `waiting`, from 0 to `most`, with the same outcome: all of them with the same post, or the same target where
 * no post is known.
 */
export function rangeAround(outcomeOf: (waiting: number) => Otherwise, waiting: number, most: number): OtherwiseRange {
  const outcome = outcomeOf(waiting)
  const same = (n: number) => {
    const other = outcomeOf(n)
    return other.post === outcome.post && (outcome.post !== null || other.target === outcome.target)
  }
  let from = waiting
  let to = waiting
  while (from > 0 && waiting - from < MOST_TRIED && same(from - 1)) from--
  while (to < most && to - waiting < MOST_TRIED && same(to + 1)) to++
  return { from, to, outcome }
}
