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
  STARTED,
  STOPPED,
  THREW,
} from '../pipeline/rows.ts'
import { ABSENT, BUSY, GONE, IDLE, type Tally } from '../pipeline/tally.ts'
import { SINK, type Topology } from '../pipeline/topology.ts'
import { MAX_BATCH } from '../scenario/limits.ts'
import type { Scenario } from '../scenario/scenario.ts'

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
      if (row.began < tally.since[worker]) {
        return { column: 'began', message: `the work on job ${job} begins at ${row.began}, before it was given to worker ${worker} at ${tally.since[worker]}` }
      }
      holder[job] = NONE
      hands[worker].splice(hands[worker].indexOf(job), 1)
      const next = topology.next[stage]
      at[job] = next === SINK ? AT_SINK : next
      return null
    }
    case THREW:
    case LOST:
      if (tally.status[worker] === ABSENT || tally.status[worker] === GONE) return { column: 'worker', message: `worker ${worker} is not there` }
      if (kind === THREW && (tally.stage[worker] !== stage || tally.hand[worker] === 0))
        return { column: 'worker', message: `worker ${worker} has no job of stage ${stage} in hand` }
      for (const held of hands[worker]) holder[held] = NONE
      hands[worker].length = 0
      return null
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
      if (tally.leaving[worker] === 0 && tally.stage[worker] === stage && tally.status[worker] !== ABSENT && tally.status[worker] !== GONE) return null
      return { column: 'worker', message: `worker ${worker} is not in the pool of stage ${stage}` }
    case STOPPED:
      return null
    default:
      return null
  }
}

function refusedStart({ tally, stage: at, holder, hands, batch }: Ledger, { time, stage, worker, job }: Row): Objection | null {
  if (at[job] !== stage || holder[job] !== NONE) return { column: 'job', message: `job ${job} is not waiting at stage ${stage}` }
  if (tally.status[worker] === ABSENT || tally.status[worker] === GONE) return { column: 'worker', message: `worker ${worker} is not there` }
  const [first] = hands[worker]
  if (first === undefined) return null
  if (tally.since[worker] === time && tally.stage[worker] === stage && hands[worker].length < batch) return null
  return { column: 'worker', message: `worker ${worker} is given job ${job} while it has job ${first} in hand` }
}

function begin({ holder, hands }: Ledger, { worker, job }: Row): null {
  holder[job] = worker
  hands[worker].push(job)
  return null
}

function notInHand({ stage, worker, job }: Row): Objection {
  return { column: 'job', message: `job ${job} is not in the hands of worker ${worker} at stage ${stage}` }
}
