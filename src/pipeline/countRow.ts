import type { Micros } from '../scenario/model/scenario.ts'
import { ABSENT, BUSY, frontOf, GONE, IDLE, type Tally } from './counts.ts'
import {
  ARRIVED,
  DISCARDED,
  DISMISSED,
  EXHAUSTED,
  FAILED,
  FINISHED,
  GATHERED,
  HIRED,
  JOINED,
  LOST,
  NONE,
  RELEASED,
  ROUTED,
  type Rows,
  SECOND,
  STARTED,
  STOPPED,
  serviceAt,
  THREW,
  TURNED,
  timeAt,
  WITHDRAWN,
} from './rows.ts'
import { SINK, type Topology } from './topology.ts'

/** Folds one row into the counts. A plain switch over columns: every row of every run passes here, twice. */
export function countRow(topology: Topology, tally: Tally, rows: Rows, i: number): void {
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  const time = timeAt(rows, i)
  tally.time = time
  switch (rows.kind[i]) {
    case ARRIVED:
      tally.arrived++
      if (hasRoom(topology, tally)) admit(topology, tally)
      else tally.outside++
      return
    case STARTED:
      leaveQueue(topology, tally, stage)
      tally.inHands[stage]++
      if (tally.hand[worker]++ > 0) {
        tally.second[worker] += tally.ahead[worker]
        return
      }
      tally.busy[stage]++
      tally.status[worker] = BUSY
      tally.since[worker] = time
      if (tally.stage[worker] === stage) return
      tally.movedFrom[worker] = tally.stage[worker]
      tally.movedAt[worker] = time
      tally.stage[worker] = stage
      return
    case FINISHED: {
      const next = topology.next[stage]
      tally.inHands[stage]--
      tally.finished[stage]++
      tally.serviceSum[stage] += serviceAt(rows, i)
      if (next >= 0) tally.waiting[next]++
      else if (next === SINK) tally.parked++
      else if (topology.routes[stage] === 0) for (const way of topology.ways[stage]) come(topology, tally, way)
      if (--tally.hand[worker] > 0) {
        if (tally.hand[worker] === tally.second[worker]) goOn(tally, worker, time)
        return
      }
      tally.busy[stage]--
      setFree(tally, worker, time)
      return
    }
    case RELEASED:
      tally.parked--
      tally.released++
      return
    case FAILED:
      leaveQueue(topology, tally, stage)
      tally.failed++
      return
    case THREW:
      takeBack(tally, worker, frontOf(tally, worker))
      if (tally.hand[worker] > 0) goOn(tally, worker, time)
      else setFree(tally, worker, time)
      return
    case LOST:
      takeBack(tally, worker, tally.hand[worker])
      tally.second[worker] = 0
      tally.ahead[worker] = 0
      tally.leaving[worker] = 0
      tally.status[worker] = GONE
      tally.since[worker] = time
      tally.live--
      return
    case SECOND:
      tally.ahead[worker] = 1
      return
    case JOINED:
      tally.status[worker] = IDLE
      tally.since[worker] = time
      tally.live++
      return
    case HIRED:
      tally.status[worker] = IDLE
      tally.stage[worker] = stage
      tally.since[worker] = time
      tally.movedFrom[worker] = NONE
      tally.movedAt[worker] = time
      tally.live++
      return
    case DISMISSED:
      tally.leaving[worker] = 1
      // One who waits for a resource lays its job back, and the row names the job.
      if (rows.job[i] !== NONE) takeBack(tally, worker, tally.hand[worker])
      if (tally.hand[worker] === 0) setFree(tally, worker, time)
      return
    case EXHAUSTED:
      tally.exhausted = true
      return
    case STOPPED:
      tally.stopped = true
      return
    case ROUTED:
      come(topology, tally, stage)
      return
    case GATHERED:
      if (stage === NONE) tally.parked++
      else {
        tally.gathering[stage] -= topology.joins[stage]
        tally.waiting[stage]++
      }
      return
    case WITHDRAWN:
      leaveQueue(topology, tally, stage)
      return
    case DISCARDED:
      tally.gathering[stage]--
      return
    case TURNED:
      tally.turns++
  }
}

/** A part comes to a stage. */
function come({ joins }: Topology, tally: Tally, stage: number): void {
  if (joins[stage] > 0) tally.gathering[stage]++
  else tally.waiting[stage]++
}

/** Whether a job that arrives finds a place in every queue that takes arrivals. */
function hasRoom({ firsts, capacity }: Topology, { waiting }: Tally): boolean {
  for (let i = 0; i < firsts.length; i++) if (capacity[firsts[i]] > 0 && waiting[firsts[i]] >= capacity[firsts[i]]) return false
  return true
}

function admit({ firsts }: Topology, { waiting }: Tally): void {
  for (let i = 0; i < firsts.length; i++) waiting[firsts[i]]++
}

function leaveQueue(topology: Topology, tally: Tally, stage: number): void {
  tally.waiting[stage]--
  if (tally.outside > 0 && hasRoom(topology, tally)) {
    tally.outside--
    admit(topology, tally)
  }
}

/** The first of a worker's batches is through: it is at the second, as if it had been given it now. */
function goOn(tally: Tally, worker: number, time: Micros): void {
  tally.second[worker] = 0
  tally.ahead[worker] = 0
  tally.since[worker] = time
}

/** A worker has nothing in its hands: it stays and is idle, or goes if it is dismissed. Its number may be hired again. */
function setFree(tally: Tally, worker: number, time: Micros): void {
  tally.status[worker] = IDLE
  tally.since[worker] = time
  if (tally.leaving[worker] === 0) return
  tally.leaving[worker] = 0
  tally.status[worker] = ABSENT
  tally.stage[worker] = NONE
  tally.live--
}

/** So many jobs of a worker's hand go back to the queue. */
function takeBack(tally: Tally, worker: number, jobs: number): void {
  const stage = tally.stage[worker]
  if (jobs === 0) return
  tally.waiting[stage] += jobs
  tally.inHands[stage] -= jobs
  tally.hand[worker] -= jobs
  if (tally.hand[worker] === 0) tally.busy[stage]--
}
