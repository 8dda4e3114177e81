import { BUSY, type Counts, countStaffed, markDone } from '../../pipeline/counts.ts'
import { NONE } from '../../pipeline/rows.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import { serviceMean } from '../../scenario/model/distributions.ts'
import type { Micros, Service } from '../../scenario/model/scenario.ts'
import { ordersInHand } from '../../trace/follow.ts'
import { rowsUntil, stateAt, type Trace, traceRow } from '../../trace/trace.ts'
import { groupsOf } from '../../workload/groups.ts'
import type { Chart } from '../series/chart.ts'

/** Everything that a picture of one instant needs. */
export interface Frame {
  readonly time: Micros
  /** Jobs that have arrived, left through the sink, failed for good. */
  readonly arrived: number
  readonly released: number
  readonly failed: number
  /** Jobs that clients took back to send again, and that they gave up for good. */
  readonly away: number
  readonly gaveUp: number
  /** Jobs that wait outside because the first queue is full. */
  readonly outside: number
  /** Jobs that were served everywhere and wait at the sink for an earlier ticket. */
  readonly parked: number
  readonly stages: readonly StageFrame[]
  readonly workers: readonly WorkerFrame[]
  /** The latest decision at or before t; -1 before the first. */
  readonly decision: number
  /** How many phases of the scenario have begun. */
  readonly phase: number
}

export interface StageFrame {
  readonly waiting: number
  readonly inHands: number
  /** Parts of jobs that wait here for the other parts, before the queue. */
  readonly gathering: number
  readonly busy: number
  /** Workers at the stage, busy or idle. */
  readonly staffed: number
  /** Its seats by the latest decision; of an elastic pool, its workers. */
  readonly seats: number
  readonly finished: number
  /** No more jobs can arrive. */
  readonly done: boolean
  /** The mean of the service times measured so far; NaN before the first. */
  readonly meanService: Micros
}

export type WorkerStatus = 'absent' | 'idle' | 'busy' | 'lost'
const statuses: readonly WorkerStatus[] = ['absent', 'idle', 'busy', 'lost']

export interface WorkerFrame {
  readonly status: WorkerStatus
  /** The stage where it works, or worked last; -1 before its first. */
  readonly stage: number
  /** Since when it has this status, or this batch. */
  readonly since: Micros
  /** Unfinished jobs that it has, and those of its prefetched batch. */
  readonly jobsInHand: number
  readonly prefetched: number
  /** The stage before, and when it changed; -1 before its first move. */
  readonly movedFrom: number
  readonly movedAt: Micros
  /** The group of the first job in its hands; -1: no job, or the source makes no groups. */
  readonly group: number
  /** Since when it waits at `stage` for a resource that another has; -1: it does not. */
  readonly contendedSince: Micros
}

/** Whether a worker takes part in the run at that time. */
export function isPresent({ status }: Pick<WorkerFrame, 'status'>): boolean {
  return status === 'idle' || status === 'busy'
}

/** Returns the frame at time t, in a few thousand rows of any trace. */
export function frameAt(trace: Trace, t: Micros): Frame {
  const { counts, seats, decisions } = stateAt(trace, t)
  const done = new Uint8Array(seats.length)
  const staffed = new Int32Array(seats.length)
  countStaffed(counts, staffed)
  const elastic = isElastic(trace.scenario.policy)
  const contention = contentionIn(trace, counts)
  markDone(trace.topology, counts, done)
  const workers = Array.from(
    counts.status,
    (status, w): WorkerFrame => ({
      status: statuses[status],
      stage: counts.stage[w],
      since: counts.since[w],
      jobsInHand: status === BUSY ? counts.jobsInHand[w] : 0,
      prefetched: counts.prefetched[w],
      movedFrom: counts.movedFrom[w],
      movedAt: counts.movedAt[w],
      group: contention === null ? NONE : contention.group[w],
      contendedSince: contention === null || contention.waits[w] === 0 ? -1 : counts.since[w],
    }),
  )
  const stages = Array.from(
    seats,
    (seat, s): StageFrame => ({
      waiting: counts.waiting[s],
      inHands: counts.inHands[s],
      gathering: counts.gathering[s],
      busy: counts.busy[s],
      staffed: staffed[s],
      seats: elastic ? staffed[s] : seat,
      finished: counts.finished[s],
      done: done[s] === 1,
      meanService: counts.serviceSum[s] / counts.finished[s],
    }),
  )
  const { arrived, released, failed, away, gaveUp, outside, parked, phase } = counts
  return {
    time: t,
    arrived,
    released,
    failed,
    away,
    gaveUp,
    outside,
    parked,
    stages,
    workers,
    decision: decisions - 1,
    phase,
  }
}

/** Returns each worker's group, and whether it waits for it; null without groups. */
export function contentionIn(trace: Trace, counts: Counts) {
  const groups = groupsIn(trace)
  if (groups === null) return null
  const { stages } = trace.scenario
  /** By worker: the group of its first job, and 1 while it waits for a resource. */
  const group = new Int32Array(counts.status.length).fill(NONE)
  const waits = new Uint8Array(counts.status.length)
  const first = new Map<number, { readonly worker: number; readonly row: number }>()
  for (let w = 0; w < group.length; w++) {
    if (counts.status[w] !== BUSY) continue
    const [row] = ordersInHand(trace, counts, w, rowsUntil(trace, counts.time))
    group[w] = groups[traceRow(trace, row).job]
    const { resource, whenTaken } = stages[counts.stage[w]]
    if (resource === null || whenTaken === 'skip') continue
    const key = group[w] * 256 + counts.stage[w]
    const other = first.get(key)
    if (other !== undefined) waits[row < other.row ? other.worker : w] = 1
    if (other === undefined || row < other.row) first.set(key, { worker: w, row })
  }
  return { group, waits }
}

const groupsByTrace = new WeakMap<Trace, Int32Array | null>()

/** Returns the group of each job of a run, computed once; null without groups. */
export function groupsIn(trace: Trace): Int32Array | null {
  const found = groupsByTrace.get(trace)
  if (found !== undefined) return found
  const { source, seed } = trace.scenario
  const groups = groupsOf(source, seed)
  groupsByTrace.set(trace, groups)
  return groups
}

/** Returns the group of a job as a function: 0 without groups. */
export function groupingIn(trace: Trace): (job: number) => number {
  const groups = groupsIn(trace)
  return groups === null ? () => 0 : (job) => groups[job]
}

/** The service time of a stage at one instant. */
export interface ServiceNow {
  readonly service: Service
  /** The declared means: at the start of the run, and now. */
  readonly before: Micros
  readonly now: Micros
  /** The mean of the services that ended since the last change, and how many there are. */
  readonly measured: Micros
  readonly services: number
}

/** Returns the service time of a stage at the time of a frame. */
export function serviceIn({ trace, changed }: Chart, { time, stages: now }: Frame, stage: number): ServiceNow {
  const { service, changes } = trace.scenario.stages[stage]
  const last = changed[stage].reduce((latest, change, k) => (change !== null && change.since <= time ? k : latest), -1)
  const { services, sum } = changed[stage][last] ?? { services: 0, sum: 0 }
  const { finished, meanService } = now[stage]
  const present = changes[last]?.service ?? service
  const measured = (finished * meanService - sum) / (finished - services)
  return {
    service: present,
    before: serviceMean(service),
    now: serviceMean(present),
    measured,
    services: finished - services,
  }
}
