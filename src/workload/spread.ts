import { refuse } from '../scenario/model/optionChecks.ts'

/** Yields jobs, one of each of `feeders` open groups in turn, lazily (Taavi Burns's job spreader, 2010). Throws RangeError if `feeders` is not whole, or 0. */
export function* spread<Job>(groups: Iterable<Iterable<Job>>, feeders: number): Generator<Job, void, undefined> {
  if (typeof groups !== 'object' || groups === null || !(Symbol.iterator in groups))
    refuse('spread', groups, 'groups, each a list of jobs, such as [[1, 2], [3]]')
  if (!(Number.isInteger(feeders) && feeders >= 1))
    throw new RangeError(`feeders must be a whole number of at least 1, not ${feeders}`)
  const pool = groups[Symbol.iterator]()
  let drained = false

  /** One feeder: yields the jobs of one group after another. */
  function* feed(): Generator<Job, void, undefined> {
    while (!drained) {
      const next = pool.next()
      if (next.done === true) drained = true
      else yield* next.value
    }
  }

  let feeding: Generator<Job, void, undefined>[] = []
  try {
    while (true) {
      const round: Job[] = []
      const takesFrom = (feeder: Generator<Job, void, undefined>): boolean => {
        const next = feeder.next()
        if (next.done !== true) round.push(next.value)
        return next.done !== true
      }
      feeding = feeding.filter(takesFrom)
      while (!drained && feeding.length < feeders) {
        const feeder = feed()
        if (takesFrom(feeder)) feeding.push(feeder)
      }
      if (round.length === 0) return
      yield* round
    }
  } finally {
    for (const feeder of feeding) feeder.return()
    if (!drained) pool.return?.()
  }
}
