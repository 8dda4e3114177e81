import { beats, quotient } from '../allocation/apportion.ts'
import { batchSizeAt } from '../pipeline/batchSize.ts'
import { NONE } from '../pipeline/rows.ts'
import type { State } from '../pipeline/state.ts'
import { IDLE } from '../pipeline/tally.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** Room to work in for drawing posts, one entry a place in tie order or a post drawn; made once, reused at every decision. */
export interface Posting {
  /** Jobs that may start at each place, less those already spoken for. */
  readonly runnable: Int32Array
  /** Workers busy at each place or drawn to it. */
  readonly manned: Int32Array
  idle: number
  /** The posts drawn: the place of each, and the worker matched to it. */
  posts: number
  readonly place: Int32Array
  readonly worker: Int32Array
}

/** Below any shortage of workers. */
const LEAST = -1_000_000

export function createPosting(stages: number, workers: number): Posting {
  return {
    runnable: new Int32Array(stages),
    manned: new Int32Array(stages),
    idle: 0,
    posts: 0,
    place: new Int32Array(workers),
    worker: new Int32Array(workers),
  }
}

interface Table {
  readonly scenario: Scenario
  readonly state: State
  readonly weights: Float64Array
  readonly divisors: Float64Array
  readonly stageOf: Int16Array
  readonly seats: Int32Array
}

/**
 * Draws one post per idle worker: the place with work that may start and the greatest (seats - busy - drawn), ties to the
 * higher quotient, then to the least id. Below one only if the policy lends: then no worker idles while work waits.
 */
export function drawPosts(posting: Posting, table: Table): void {
  const { runnable, manned, place } = posting
  const { seats, weights, divisors, scenario, stageOf } = table
  const { lend } = scenario.policy
  posting.posts = 0
  while (posting.posts < posting.idle) {
    let best = NONE
    let lacking = lend ? LEAST : 0
    let claim = 0
    for (let k = 0; k < runnable.length; k++) {
      const short = seats[k] - manned[k]
      if (runnable[k] <= 0 || short < lacking || (short === 0 && !lend)) continue
      const q = quotient(weights[k], divisors[manned[k]])
      if (best !== NONE && short === lacking && !beats(weights, k, q, best, claim)) continue
      best = k
      lacking = short
      claim = q
    }
    if (best === NONE) return
    place[posting.posts++] = best
    manned[best]++
    runnable[best] -= batchSizeAt(scenario, stageOf[best])
  }
}

/** Matches the posts drawn to idle workers: those already there first, then the lowest number. */
export function matchPosts(posting: Posting, { state, stageOf, scenario }: Table): void {
  const { status, stage } = state.tally
  const { posts, place, worker } = posting
  // Under `single` it is one worker who runs a job to its end, not one at a time.
  if (posts === 1 && (posting.idle === 1 || scenario.policy.kind === 'single')) {
    let only = 0
    while (status[only] !== IDLE) only++
    worker[0] = only
    return
  }
  for (let p = 0; p < posts; p++) worker[p] = NONE
  for (let p = 0; p < posts; p++) worker[p] = lowestAt(posting, status, stage, stageOf[place[p]])
  // Where posts are pinned nobody should be sent round: whoever has no post yet goes before those who have one elsewhere.
  if (!scenario.policy.lend) for (let p = 0; p < posts; p++) if (worker[p] === NONE) worker[p] = lowestAt(posting, status, stage, NONE)
  let w = 0
  for (let p = 0; p < posts; p++) {
    if (worker[p] !== NONE) continue
    while (status[w] !== IDLE || isMatched(posting, w)) w++
    worker[p] = w
  }
}

/** The idle worker of least number that stands at this stage and is not matched yet, or NONE. */
function lowestAt(posting: Posting, status: Uint8Array, stage: Int16Array, at: number): number {
  for (let w = 0; w < status.length; w++) if (stage[w] === at && status[w] === IDLE && !isMatched(posting, w)) return w
  return NONE
}

function isMatched({ posts, worker }: Posting, w: number): boolean {
  for (let p = 0; p < posts; p++) if (worker[p] === w) return true
  return false
}
