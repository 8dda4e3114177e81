import {
  ARRIVED,
  DISMISSED,
  EXHAUSTED,
  FAILED,
  FINISHED,
  HIRED,
  JOINED,
  kinds,
  LOST,
  NONE,
  RELEASED,
  type Row,
  SECOND,
  STARTED,
  STOPPED,
  THREW,
} from '../pipeline/rows.ts'
import { ABSENT, BUSY, frontOf, GONE, IDLE, type Tally } from '../pipeline/tally.ts'
import { SINK, type Topology } from '../pipeline/topology.ts'
import { MAX_BATCH } from '../scenario/limits.ts'
import type { Micros, Scenario } from '../scenario/scenario.ts'

/** Which job is where, for whoever has to tell whether a row could have followed those before it. */
export interface Ledger {
  readonly topology: Topology
  readonly tally: Tally
  /** The most jobs a worker is given at once. */
  readonly batch: number
  /** By job: the stage where it is, or one of the places below; and who has it in hand. */
  readonly stage: Int16Array
  readonly holder: Int16Array
  readonly hands: readonly number[][]
  /** By job, when it was given to whoever has it or had it last; by worker, when it got its latest second batch. */
  readonly given: Float64Array
  readonly opened: Float64Array
}

/** What is wrong with a row: in which column, and in words. */
export interface Objection {
  readonly column: 'time' | 'kind' | 'stage' | 'worker' | 'job' | 'began'
  readonly message: string
}

const NOT_HERE = -1
const AT_SINK = -2
const AWAY = -3

/** For jobs below `jobs`. `tally` is how things stand; whoever counts a row there must have asked before. */
export function createLedger({ batch }: Scenario, topology: Topology, tally: Tally, jobs: number): Ledger {
  return {
    topology,
    tally,
    batch: batch.size ?? MAX_BATCH,
    stage: new Int16Array(jobs).fill(NOT_HERE),
    holder: new Int16Array(jobs).fill(NONE),
    hands: Array.from(tally.hand, () => []),
    given: new Float64Array(jobs),
    opened: new Float64Array(tally.hand.length).fill(NONE),
  }
}

/** Enters a row that has the numbers its kind needs; or says why it cannot follow those before it. */
export function enter(ledger: Ledger, row: Row): Objection | null {
  const { tally, stage: at, holder, hands, topology } = ledger
  const { kind, stage, worker, job } = row
  if (tally.stopped) return { column: 'kind', message: `nothing can be ${kinds[kind]} after the run was stopped` }
  switch (kind) {
    case ARRIVED:
      if (tally.exhausted) return { column: 'kind', message: 'no job can arrive after the source ran dry' }
      if (job !== tally.arrived) return { column: 'job', message: `job ${job} arrives; allowed: ${tally.arrived}, since jobs arrive in order of their numbers` }
      at[job] = topology.first
      return null
    case STARTED:
      return refusedStart(ledger, row) ?? begin(ledger, row)
    case FINISHED: {
      if (holder[job] !== worker || at[job] !== stage) return notInHand(row)
      const since: Micros = ledger.given[job]
      if (row.began < since) {
        return { column: 'began', message: `the work on job ${job} begins at ${row.began}, before it was given to worker ${worker} at ${since}` }
      }
      layDown(ledger, worker, hands[worker].indexOf(job), 1)
      const next = topology.next[stage]
      at[job] = next === SINK ? AT_SINK : next
      return null
    }
    case THREW:
    case LOST:
      if (tally.status[worker] === ABSENT || tally.status[worker] === GONE) return { column: 'worker', message: `worker ${worker} is not there` }
      if (kind === THREW && (tally.stage[worker] !== stage || tally.hand[worker] === 0))
        return { column: 'worker', message: `worker ${worker} has no job of stage ${stage} in hand` }
      layDown(ledger, worker, 0, kind === LOST ? hands[worker].length : frontOf(tally, worker))
      return null
    case SECOND:
      if (tally.hand[worker] > 0 && tally.ahead[worker] === 0 && tally.stage[worker] === stage) {
        ledger.opened[worker] = row.time
        return null
      }
      return { column: 'worker', message: `worker ${worker} is not at one batch of stage ${stage}, so it cannot get a second` }
    case FAILED:
      if (at[job] !== stage || holder[job] !== NONE) return { column: 'job', message: `job ${job} is not waiting at stage ${stage}` }
      at[job] = AWAY
      return null
    case RELEASED:
      if (at[job] !== AT_SINK) return { column: 'job', message: `job ${job} has not been through all stages, or has left already` }
      at[job] = AWAY
      return null
    case EXHAUSTED:
      return tally.exhausted ? { column: 'kind', message: 'the source has run dry already' } : null
    case JOINED:
    case HIRED:
      return tally.status[worker] === IDLE || tally.status[worker] === BUSY ? { column: 'worker', message: `worker ${worker} is there already` } : null
    case DISMISSED:
      if (tally.leaving[worker] === 1 || tally.stage[worker] !== stage || tally.status[worker] === ABSENT || tally.status[worker] === GONE)
        return { column: 'worker', message: `worker ${worker} is not in the pool of stage ${stage}` }
      // Who waits for a resource lays down its job.
      if (job !== NONE && holder[job] !== worker) return notInHand(row)
      if (job !== NONE) layDown(ledger, worker, 0, hands[worker].length)
      return null
    case STOPPED:
      return null
    default:
      return null
  }
}

function refusedStart({ tally, stage: at, holder, hands, batch, opened }: Ledger, { time, stage, worker, job }: Row): Objection | null {
  if (at[job] !== stage || holder[job] !== NONE) return { column: 'job', message: `job ${job} is not waiting at stage ${stage}` }
  if (tally.status[worker] === ABSENT || tally.status[worker] === GONE) return { column: 'worker', message: `worker ${worker} is not there` }
  const [first] = hands[worker]
  if (first === undefined) return null
  const second = tally.ahead[worker] === 1
  const open = second ? opened[worker] === time : tally.since[worker] === time
  if (open && tally.stage[worker] === stage && (second ? tally.second[worker] : hands[worker].length) < batch) return null
  return { column: 'worker', message: `worker ${worker} is given job ${job} while it has job ${first} in hand` }
}

function begin({ holder, hands, given }: Ledger, { time, worker, job }: Row): null {
  holder[job] = worker
  given[job] = time
  hands[worker].push(job)
  return null
}

/** So many jobs of a worker's hand, from place `from` on, are out of it. */
function layDown({ holder, hands }: Ledger, worker: number, from: number, count: number): void {
  for (const job of hands[worker].splice(from, count)) holder[job] = NONE
}

function notInHand({ stage, worker, job }: Row): Objection {
  return { column: 'job', message: `job ${job} is not in the hands of worker ${worker} at stage ${stage}` }
}
