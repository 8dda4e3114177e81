import { beats, quotient } from '../allocation/apportion.ts'
import { type Counts, IDLE } from '../pipeline/counts.ts'
import { NONE } from '../pipeline/rows.ts'
import type { Shards } from '../pipeline/shards.ts'
import type { State } from '../pipeline/state.ts'
import { jobsForBatches, prefetchTaker, type Sizing, sizeAt } from './batches.ts'

/** Working memory for drawing posts, made once. One entry for each place in tie order, or for each post. */
export interface Posting {
  /** Jobs that may start at each place and are not assigned yet. */
  readonly runnable: Int32Array
  /** Workers at each place: busy there, or with a post drawn there. */
  readonly staffed: Int32Array
  idle: number
  /** How many idle workers stay idle. */
  held: number
  /** The posts drawn: their places, and the workers matched to them. */
  posts: number
  readonly place: Int32Array
  readonly worker: Int32Array
  /** How many jobs each post takes at most; with shards, at which ticket it begins. */
  readonly size: Int32Array
  readonly ticket: Int32Array
}

/** Below any shortage of workers. */
const LEAST = -1_000_000

/** `runnable`: where the jobs that may start are counted already; drawing a post takes one off. */
export function createPosting(stages: number, workers: number, runnable: Int32Array = new Int32Array(stages)): Posting {
  return {
    runnable,
    staffed: new Int32Array(stages),
    idle: 0,
    held: 0,
    posts: 0,
    place: new Int32Array(workers),
    worker: new Int32Array(workers),
    size: new Int32Array(workers),
    ticket: new Int32Array(workers),
  }
}

/** Whether a job may start for which there is a worker: an idle one, or a busy one for a second batch. Otherwise nothing is decided. */
export function canGive({ runnable, idle }: Posting, state: Pick<State, 'counts' | 'topology'>, stageOf: Int16Array, prefetches: boolean): boolean {
  for (let k = 0; k < runnable.length; k++) if (runnable[k] > 0 && (idle > 0 || (prefetches && prefetchTaker(state, stageOf[k]) !== NONE))) return true
  return false
}

/** What posts are drawn from. */
export interface PostTable extends Sizing {
  readonly state: { readonly counts: Pick<Counts, 'status' | 'stage'> & { readonly waiting: Int32Array }; readonly shards: Shards | null }
  readonly weights: Float64Array
  readonly divisors: Float64Array
  readonly seats: Int32Array
}

/**
 * Returns where one more worker is wanted most: the place with runnable work and the greatest (seats - busy - drawn), ties to the higher
 * quotient, then to the least id. Below one only if the policy lends: then no worker idles while work waits. NONE if nobody is wanted.
 */
export function mostWanted(posting: Posting, table: PostTable): number {
  const { runnable, staffed } = posting
  const { seats } = table
  const { lend } = table.scenario.policy
  let best = NONE
  let lacking = lend ? LEAST : 0
  for (let k = 0; k < runnable.length; k++) {
    const short = seats[k] - staffed[k]
    if (runnable[k] <= 0 || short < lacking || (short === 0 && !lend)) continue
    if (best !== NONE && short === lacking && !claimsMore(posting, table, k, best)) continue
    best = k
    lacking = short
  }
  return best
}

/** Draws one post for each idle worker that is not held back, where one is wanted. */
export function drawPosts(posting: Posting, table: PostTable): void {
  const { runnable, staffed, place, size } = posting
  const { seats, state, stageOf } = table
  posting.posts = 0
  while (posting.posts < posting.idle - posting.held) {
    const best = mostWanted(posting, table)
    if (best === NONE) return
    staffed[best]++
    // Lent workers count too: then there are more workers than seats.
    const jobs = sizeAt(table, best, jobsForBatches(state, stageOf[best], runnable[best]), Math.max(seats[best], staffed[best]))
    size[posting.posts] = jobs
    place[posting.posts++] = best
    // The first job of a shard stands for all that go with it.
    runnable[best] -= state.shards === null ? jobs : 1
  }
}

/** Whether the next worker is worth more at place a than at place b. */
function claimsMore({ staffed }: Posting, { weights, divisors }: PostTable, a: number, b: number): boolean {
  return beats(weights, a, quotient(weights[a], divisors[staffed[a]]), b, quotient(weights[b], divisors[staffed[b]]))
}

/** Matches posts to idle workers: those already there first, then the lowest number. */
export function matchPosts(posting: Posting, { state, stageOf, scenario }: PostTable): void {
  const { status, stage } = state.counts
  const { posts, place, worker } = posting
  if (state.shards !== null) chooseTickets(posting, state.shards, stageOf)
  const { kind, lend } = scenario.policy
  if (posts === 1 && (state.shards === null || posting.idle === 1 || kind === 'single')) {
    // Under `single` one worker runs each job to its end.
    worker[0] = kind === 'single' ? status.indexOf(IDLE) : bestIdle(status, stage, stageOf[place[0]], lend)
    return
  }
  for (let p = 0; p < posts; p++) worker[p] = NONE
  if (state.shards !== null) keepShards(posting, state.shards, state.counts, stageOf, lend)
  for (let p = 0; p < posts; p++) if (worker[p] === NONE) worker[p] = lowestAt(posting, status, stage, stageOf[place[p]])
  // With pinned posts workers should not move: one without a stage goes first.
  if (!lend) for (let p = 0; p < posts; p++) if (worker[p] === NONE) worker[p] = lowestAt(posting, status, stage, NONE)
  let w = 0
  for (let p = 0; p < posts; p++) {
    if (worker[p] !== NONE) continue
    while (status[w] !== IDLE || isMatched(posting, w)) w++
    worker[p] = w
  }
}

/** Returns the idle worker for the only post: the first that is there, else the first without a stage if posts are pinned, else the first. */
function bestIdle(status: Uint8Array, stage: Int16Array, at: number, lend: boolean): number {
  let first = NONE
  let homeless = NONE
  for (let w = 0; w < status.length; w++) {
    if (status[w] !== IDLE) continue
    if (stage[w] === at) return w
    if (first === NONE) first = w
    if (homeless === NONE && stage[w] === NONE) homeless = w
  }
  return lend || homeless === NONE ? first : homeless
}

/** Gives the posts of a stage the tickets that may start there, in ascending order. */
function chooseTickets({ posts, place, ticket }: Posting, { queues }: Shards, stageOf: Int16Array): void {
  for (let p = 0; p < posts; p++) {
    if (place.indexOf(place[p]) < p) continue
    const tickets = queues[stageOf[place[p]]].startable()
    for (let q = p, k = 0; q < posts; q++) if (place[q] === place[p]) ticket[q] = tickets[k++]
  }
}

/** A worker that is still there keeps its shard. A new shard goes to a worker without one, who need not be there yet if posts are pinned. */
function keepShards(posting: Posting, { queues }: Shards, { status, stage }: Pick<Counts, 'status' | 'stage'>, stageOf: Int16Array, lend: boolean): void {
  const { posts, place, worker, ticket } = posting
  for (let p = 0; p < posts; p++) {
    const at = stageOf[place[p]]
    const owner = queues[at].ownerOf(ticket[p])
    if (owner !== NONE && status[owner] === IDLE && stage[owner] === at && !isMatched(posting, owner)) worker[p] = owner
  }
  const free = (w: number, at: number) => status[w] === IDLE && !queues[at].isOwner(w) && !isMatched(posting, w)
  for (const here of lend ? [true] : [true, false])
    for (let p = 0; p < posts; p++) {
      const at = stageOf[place[p]]
      for (let w = 0; worker[p] === NONE && w < status.length; w++) if (stage[w] === (here ? at : NONE) && free(w, at)) worker[p] = w
    }
}

/** Returns the idle worker with the lowest number at this stage that is not matched yet, or NONE. */
function lowestAt(posting: Posting, status: Uint8Array, stage: Int16Array, at: number): number {
  for (let w = 0; w < status.length; w++) if (stage[w] === at && status[w] === IDLE && !isMatched(posting, w)) return w
  return NONE
}

function isMatched({ posts, worker }: Posting, w: number): boolean {
  for (let p = 0; p < posts; p++) if (worker[p] === w) return true
  return false
}
