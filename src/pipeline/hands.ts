import { type Counts, frontOf } from './counts.ts'
import { DISMISSED, FINISHED, LOST, NONE, type Rows, STARTED, THREW } from './rows.ts'

/** By worker: the jobs that it was given and has not finished, in the order of the orders. Prefetched jobs stand last. */
export type Hands = readonly number[][]

const nothing: readonly number[] = Object.freeze([])

export function createHands(workers: number): Hands {
  return Array.from({ length: workers }, () => [])
}

/**
 * Follows one row into the hands. Returns the jobs that the worker lays back into the queue of its stage, mostly none. Call it before `countRow`,
 * which forgets the size of the batch in front.
 */
export function followHands(hands: Hands, counts: Counts, { kind, worker, job }: Rows, i: number): readonly number[] {
  switch (kind[i]) {
    case STARTED:
      hands[worker[i]].push(job[i])
      return nothing
    case FINISHED: {
      const hand = hands[worker[i]]
      if (hand.length === 1) hand.pop()
      else hand.splice(hand.indexOf(job[i]), 1)
      return nothing
    }
    case THREW:
      return hands[worker[i]].splice(0, frontOf(counts, worker[i]))
    case LOST:
      return hands[worker[i]].splice(0)
    case DISMISSED:
      // A worker that waits for a resource lays its job back, and the row names the job. Other workers finish first.
      return job[i] === NONE ? nothing : hands[worker[i]].splice(0)
    default:
      return nothing
  }
}

/** Whether the next job that a worker is given begins a batch: the one it works at, or a prefetched one. */
export function beginsBatch({ hand, prefetched, prefetching }: Counts, worker: number): boolean {
  return hand[worker] === 0 || (prefetching[worker] === 1 && prefetched[worker] === 0)
}
