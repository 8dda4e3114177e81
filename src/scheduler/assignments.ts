import { beats, type Divisors, quotient } from '../allocation/apportion.ts'
import { NONE } from '../pipeline/rows.ts'
import type { Shards } from '../pipeline/shards.ts'
import type { State } from '../pipeline/state.ts'
import { jobsForBatches, type Sizing, sizeAt } from './batches.ts'
import type { PrefetchTakers, Roster } from './roster.ts'

/** Lower than any shortage of workers. */
const MIN_SHORTAGE = -1_000_000

export type Assignments = ReturnType<typeof createAssignments>

/** Returns working memory with an entry a place in tie order or an assignment. `runnable`: counts of jobs that may start; each assignment subtracts its jobs. */
export function createAssignments(stages: number, workers: number, runnable: Int32Array = new Int32Array(stages)) {
  return {
    /** Jobs that may start at each place and are not assigned yet. */
    runnable,
    /** Workers at each place: busy there, or assigned there. */
    staffed: new Int32Array(stages),
    idle: 0,
    held: 0,
    /** The maximum number of workers at each place; null: any number. */
    limits: null as Int32Array | null,
    /** How many workers are assigned; the place and the worker of each assignment. */
    count: 0,
    place: new Int32Array(workers),
    worker: new Int32Array(workers),
    /** The maximum number of jobs of each assignment; with shards, its first ticket. */
    size: new Int32Array(workers),
    ticket: new Int32Array(workers),
  }
}

/** Whether a job may start for which there is a worker: an idle one, or a busy one for a second batch. Otherwise nothing is decided. */
export function canGive(
  { runnable, idle }: Assignments,
  state: Pick<State, 'counts' | 'topology'>,
  stageOf: Int16Array,
  takers: PrefetchTakers | null,
): boolean {
  for (let k = 0; k < runnable.length; k++)
    if (runnable[k] > 0 && (idle > 0 || prefetchTaker(takers, state, stageOf[k]) !== NONE)) return true
  return false
}

/** Returns the worker of a stage that gets a second batch next, or NONE. Jobs that need a resource are never prefetched: others may wait for it. */
export function prefetchTaker(
  takers: PrefetchTakers | null,
  { counts, topology }: Pick<State, 'counts' | 'topology'>,
  stage: number,
): number {
  return takers === null || topology.exclusive[stage] === 1 ? NONE : takers.first(counts, stage)
}

export interface AssignmentInputs extends Sizing {
  readonly state: { readonly counts: { readonly waiting: Int32Array }; readonly shards: Shards | null }
  readonly roster: Roster
  readonly weights: Float64Array
  readonly divisors: Divisors
  readonly seats: Int32Array
}

/** Returns the runnable place with the greatest seats - staffed, then higher quotient, then least id. Below one only if the policy lends; else NONE. */
export function mostWanted(assignments: Assignments, table: AssignmentInputs): number {
  const { runnable, staffed, limits } = assignments
  const { seats } = table
  const { lend } = table.scenario.policy
  let best = NONE
  let lacking = lend ? MIN_SHORTAGE : 0
  for (let k = 0; k < runnable.length; k++) {
    const short = seats[k] - staffed[k]
    if (runnable[k] <= 0 || short < lacking || (short === 0 && !lend) || (limits !== null && staffed[k] >= limits[k]))
      continue
    if (best !== NONE && short === lacking && !claimsMore(assignments, table, k, best)) continue
    best = k
    lacking = short
  }
  return best
}

/** Chooses a place for each idle worker that is not held back, while a place needs one. */
export function choosePlaces(assignments: Assignments, table: AssignmentInputs): void {
  const { runnable, staffed, place, size } = assignments
  const { seats, state, stageOf } = table
  assignments.count = 0
  while (assignments.count < assignments.idle - assignments.held) {
    const best = mostWanted(assignments, table)
    if (best === NONE) return
    staffed[best]++
    // Lent workers count too: then there are more workers than seats.
    const jobs = sizeAt(
      table,
      best,
      jobsForBatches(state, stageOf[best], runnable[best]),
      Math.max(seats[best], staffed[best]),
    )
    size[assignments.count] = jobs
    place[assignments.count++] = best
    // The first job of a shard represents all jobs of its batch.
    runnable[best] -= state.shards === null ? jobs : 1
  }
}

function claimsMore({ staffed }: Assignments, { weights, divisors }: AssignmentInputs, a: number, b: number): boolean {
  return beats(weights, a, quotient(weights[a], divisors, staffed[a]), b, quotient(weights[b], divisors, staffed[b]))
}

/** Chooses the idle worker for each place: one that is already there first, then the lowest number. */
export function matchWorkers(assignments: Assignments, { state, stageOf, scenario, roster }: AssignmentInputs): void {
  const { count, place, worker } = assignments
  if (state.shards !== null) chooseTickets(assignments, state.shards, stageOf)
  const { kind, lend } = scenario.policy
  if (count === 1 && (state.shards === null || assignments.idle === 1 || kind === 'single')) {
    // Under `single` one worker runs each job to its end.
    worker[0] = assignments.idle === 1 || kind === 'single' ? roster.first() : bestIdle(roster, stageOf[place[0]], lend)
    return
  }
  for (let p = 0; p < count; p++) worker[p] = NONE
  if (state.shards !== null) keepShards(assignments, state.shards, roster, stageOf, lend)
  for (let p = 0; p < count; p++) if (worker[p] === NONE) worker[p] = taken(roster, roster.firstAt(stageOf[place[p]]))
  // Without `lend` workers should not move: one without a stage goes first.
  if (!lend) for (let p = 0; p < count; p++) if (worker[p] === NONE) worker[p] = taken(roster, roster.firstAt(NONE))
  for (let p = 0; p < count; p++) if (worker[p] === NONE) worker[p] = taken(roster, roster.first())
  // A worker that is given nothing after all stays idle.
  for (let p = 0; p < count; p++) roster.putBack(worker[p])
}

/** Returns the idle worker for the only assignment: the first that is there; without `lend`, the first without a stage; else the first. */
function bestIdle(roster: Roster, at: number, lend: boolean): number {
  const here = roster.firstAt(at)
  if (here !== NONE) return here
  const unassigned = lend ? NONE : roster.firstAt(NONE)
  return unassigned === NONE ? roster.first() : unassigned
}

function taken(roster: Roster, worker: number): number {
  if (worker !== NONE) roster.take(worker)
  return worker
}

/** Gives the assignments of a stage the tickets that may start there, in ascending order. */
function chooseTickets({ count, place, ticket }: Assignments, { queues }: Shards, stageOf: Int16Array): void {
  for (let p = 0; p < count; p++) {
    if (place.indexOf(place[p]) < p) continue
    const tickets = queues[stageOf[place[p]]].startable()
    for (let q = p, k = 0; q < count; q++) if (place[q] === place[p]) ticket[q] = tickets[k++]
  }
}

/** A worker that is still there keeps its shard. A new shard goes to a worker without one; without `lend`, that may be a worker without a stage. */
function keepShards(
  { count, place, worker, ticket }: Assignments,
  { queues }: Shards,
  roster: Roster,
  stageOf: Int16Array,
  lend: boolean,
): void {
  for (let p = 0; p < count; p++) {
    const at = stageOf[place[p]]
    const owner = queues[at].ownerOf(ticket[p])
    if (owner !== NONE && roster.isIdleAt(owner, at)) worker[p] = taken(roster, owner)
  }
  for (const here of lend ? [true] : [true, false])
    for (let p = 0; p < count; p++) {
      if (worker[p] !== NONE) continue
      const at = stageOf[place[p]]
      const from = here ? at : NONE
      let free = roster.firstAt(from)
      while (free !== NONE && queues[at].isOwner(free)) free = roster.firstAt(from, free + 1)
      worker[p] = taken(roster, free)
    }
}
