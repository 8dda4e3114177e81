import { type Ballot, createBallot } from '../../src/allocation/ballot.ts'

/** Returns the input of the scheduler from waiting jobs and mean service times; every stage may have seats by default. */
export function ballotOf(
  waiting: readonly number[],
  means: readonly number[],
  workers: number,
  eligible = waiting.map(() => 1),
): Ballot {
  const ballot = createBallot(waiting.length)
  ballot.workers = workers
  ballot.waiting.set(waiting)
  ballot.means.set(means)
  ballot.eligible.set(eligible)
  waiting.forEach((jobs, k) => {
    ballot.votes[k] = jobs * means[k]
  })
  return ballot
}
