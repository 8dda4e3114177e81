import type { Micros } from '../scenario/model/scenario.ts'
import { ABSENT, BUSY, type Counts, frontOf, GONE, IDLE } from './counts.ts'
import * as log from './rows.ts'
import { SINK, type Topology } from './topology.ts'

/** Counts a job that arrives from the source: into the first queues, or outside if they are full. */
export function countArrived(topology: Topology, counts: Counts): void {
  counts.arrived++
  countSent(topology, counts)
}

function countSent(topology: Topology, counts: Counts): void {
  if (hasRoom(topology, counts)) admit(topology, counts)
  else counts.outside++
}

/** Counts the jobs that a worker is given. It is one job, or no job waits outside. */
export function countStarted(
  topology: Topology,
  counts: Counts,
  time: Micros,
  stage: number,
  worker: number,
  jobs = 1,
): void {
  const inHand = counts.jobsInHand[worker]
  leaveQueue(topology, counts, stage, jobs)
  counts.inHands[stage] += jobs
  counts.jobsInHand[worker] = inHand + jobs
  if (inHand > 0) {
    counts.prefetched[worker] += counts.prefetching[worker] * jobs
    return
  }
  counts.busy[stage]++
  counts.status[worker] = BUSY
  counts.since[worker] = time
  if (counts.stage[worker] === stage) return
  counts.movedFrom[worker] = counts.stage[worker]
  counts.movedAt[worker] = time
  counts.stage[worker] = stage
}

/** Counts the jobs that a worker has finished after `lasted`. It is one job, or all go to one stage or to the sink. */
export function countFinished(
  topology: Topology,
  counts: Counts,
  time: Micros,
  stage: number,
  worker: number,
  lasted: Micros,
  jobs = 1,
): void {
  const next = topology.next[stage]
  counts.inHands[stage] -= jobs
  counts.finished[stage] += jobs
  counts.serviceSum[stage] += lasted
  if (next >= 0) counts.waiting[next] += jobs
  else if (next === SINK) counts.parked += jobs
  else if (topology.routes[stage] === 0) for (const way of topology.ways[stage]) countArrivedPart(topology, counts, way)
  counts.jobsInHand[worker] -= jobs
  if (counts.jobsInHand[worker] > 0) {
    if (counts.jobsInHand[worker] === counts.prefetched[worker]) startPrefetched(counts, worker, time)
    return
  }
  counts.busy[stage]--
  freeWorker(counts, worker, time)
}

export function countReleased(counts: Counts): void {
  counts.parked--
  counts.released++
}

/** Folds one row into the counts. A plain switch over columns is fast: every row of every trace passes here. */
export function countRow(topology: Topology, counts: Counts, rows: log.Rows, i: number): void {
  const kind = rows.kind[i]
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  const time = log.rowTime(rows, i)
  counts.time = time
  switch (kind) {
    case log.ARRIVED:
      countArrived(topology, counts)
      return
    case log.STARTED:
      countStarted(topology, counts, time, stage, worker)
      return
    case log.FINISHED:
      countFinished(topology, counts, time, stage, worker, rows.lasted[i])
      return
    case log.RELEASED:
      countReleased(counts)
      return
    default:
      countRare(topology, counts, time, kind, stage, worker, rows.job[i])
  }
}

export function countRare(
  topology: Topology,
  counts: Counts,
  time: Micros,
  kind: number,
  stage: number,
  worker: number,
  job: number,
): void {
  switch (kind) {
    case log.FAILED:
      leaveQueue(topology, counts, stage)
      counts.failed++
      return
    case log.THREW:
      countReturned(counts, worker, frontOf(counts, worker))
      if (counts.jobsInHand[worker] > 0) startPrefetched(counts, worker, time)
      else freeWorker(counts, worker, time)
      return
    case log.LOST:
      countReturned(counts, worker, counts.jobsInHand[worker])
      counts.prefetched[worker] = 0
      counts.prefetching[worker] = 0
      counts.leaving[worker] = 0
      counts.status[worker] = GONE
      counts.since[worker] = time
      counts.live--
      return
    case log.PREFETCH:
      counts.prefetching[worker] = 1
      return
    case log.JOINED:
      counts.status[worker] = IDLE
      // Another worker may have had the number before.
      counts.stage[worker] = log.NONE
      counts.movedFrom[worker] = log.NONE
      counts.since[worker] = time
      counts.live++
      return
    case log.HIRED:
      counts.status[worker] = IDLE
      counts.stage[worker] = stage
      counts.since[worker] = time
      counts.movedFrom[worker] = log.NONE
      counts.movedAt[worker] = time
      counts.live++
      return
    case log.DISMISSED:
      counts.leaving[worker] = 1
      // A worker that waits for a resource returns its job, and the row names the job.
      if (job !== log.NONE) countReturned(counts, worker, counts.jobsInHand[worker])
      if (counts.jobsInHand[worker] === 0) freeWorker(counts, worker, time)
      return
    case log.EXHAUSTED:
      counts.exhausted = true
      return
    case log.STOPPED:
      counts.stopped = true
      return
    // No job is routed to a stage that waits for other parts: nothing has gathered there.
    case log.ROUTED:
    case log.GATHERED:
      if (stage === log.NONE) counts.parked++
      else {
        counts.gathering[stage] -= topology.joins[stage]
        counts.waiting[stage]++
      }
      return
    case log.WITHDRAWN:
      leaveQueue(topology, counts, stage)
      return
    case log.DISCARDED:
      counts.gathering[stage]--
      return
    case log.PHASE:
      counts.phase++
      return
    case log.RENEGED:
    case log.GAVE_UP:
      if (kind === log.RENEGED) counts.away++
      else counts.gaveUp++
      if (stage === log.NONE) counts.outside--
      else leaveQueue(topology, counts, stage)
      return
    case log.RETRIED:
      counts.away--
      countSent(topology, counts)
  }
}

function countArrivedPart({ joins }: Topology, counts: Counts, stage: number): void {
  if (joins[stage] > 0) counts.gathering[stage]++
  else counts.waiting[stage]++
}

function hasRoom({ firsts, capacity }: Topology, { waiting }: Counts): boolean {
  for (const first of firsts) if (capacity[first] > 0 && waiting[first] >= capacity[first]) return false
  return true
}

function admit({ firsts }: Topology, { waiting }: Counts): void {
  for (const first of firsts) waiting[first]++
}

function leaveQueue(topology: Topology, counts: Counts, stage: number, jobs = 1): void {
  counts.waiting[stage] -= jobs
  if (counts.outside > 0 && hasRoom(topology, counts)) {
    counts.outside--
    admit(topology, counts)
  }
}

/** Starts the prefetched batch of a worker, as if the worker had got it now. */
function startPrefetched(counts: Counts, worker: number, time: Micros): void {
  counts.prefetched[worker] = 0
  counts.prefetching[worker] = 0
  counts.since[worker] = time
}

/** Frees a worker without jobs: it becomes idle, or leaves if it was dismissed. Its number may then be hired again. */
function freeWorker(counts: Counts, worker: number, time: Micros): void {
  counts.status[worker] = IDLE
  counts.since[worker] = time
  if (counts.leaving[worker] === 0) return
  counts.leaving[worker] = 0
  counts.status[worker] = ABSENT
  counts.stage[worker] = log.NONE
  counts.live--
}

function countReturned(counts: Counts, worker: number, jobs: number): void {
  const stage = counts.stage[worker]
  if (jobs === 0) return
  counts.waiting[stage] += jobs
  counts.inHands[stage] -= jobs
  counts.jobsInHand[worker] -= jobs
  if (counts.jobsInHand[worker] === 0) counts.busy[stage]--
}
