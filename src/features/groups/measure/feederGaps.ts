import { bisectRight } from 'd3-array'
import { type Frame, groupsIn } from '../../../measures/frame/frame.ts'
import { grown } from '../../../pipeline/column.ts'
import { beganAt, FINISHED, HIRED, JOINED, NONE, PHASE, type Rows, rowTime, STARTED } from '../../../pipeline/rows.ts'
import { setFeeders } from '../../../scenario/edit/edits.ts'
import { MAX_FEEDERS } from '../../../scenario/model/limits.ts'
import type { Micros, Scenario, Source } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { eachRow, followTrace, type Trace } from '../../../trace/trace.ts'
import { feedersOf, spreadingOf } from './spreading.ts'

/** How far apart this number of feeders keeps the jobs of one group. */
export interface FeederGaps {
  readonly jobs: number
  /** Over all jobs; null where no two jobs share a group. */
  readonly whole: Gaps | null
  /** The first job of a round with fewer groups than feeders. Before it every distance is the number of feeders. */
  readonly tail: number
}

export interface FeederRun {
  readonly makespan: Micros
  /** How long all workers together waited for groups that others had, and how much time they lost by changing groups. */
  readonly contendedTime: Micros
  readonly switchLoss: Micros
}

/** The results so far for one number of feeders. */
export interface FeederPoint {
  readonly feeders: number
  readonly gaps: FeederGaps | null
  /** With workers that wait for a taken group, and with workers that take the next free job; `skip` stays null if no stage has a resource. */
  readonly wait: FeederRun | null
  readonly skip: FeederRun | null
}

/** Returns the gaps of the scenario with this number of feeders; null for a source without groups. */
export function feederGaps(scenario: Scenario, feeders: number): FeederGaps | null {
  const spreading = spreadingOf(setFeeders(scenario, feeders).source, scenario.seed)
  if (spreading === null) return null
  const { group, jobs } = spreading
  return { jobs, whole: gapsOf(group), tail: spreading.tail ?? jobs }
}

/** Up to this number of groups every number is compared. Beyond, steps of a half or a third are enough. */
const EVERY = 16
const STEPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256]

/** Returns the numbers of feeders worth comparing: up to the number of groups with jobs, and the number that the source has now. */
export function sensibleFeeders(source: Source): readonly number[] {
  if (source.kind !== 'groups') return []
  const groups = Math.max(1, Math.min(MAX_FEEDERS, source.groups.filter((size) => size > 0).length))
  const steps =
    groups <= EVERY
      ? Array.from({ length: groups }, (_, k) => k + 1)
      : [...STEPS.filter((step) => step < groups), groups]
  return [...new Set([...steps, feedersOf(source) ?? groups])].sort((a, b) => a - b)
}

/** How far apart the jobs of one group are: the distance of each job from the one before it of the same group, in places. */
export interface Gaps {
  readonly least: number
  /** The median: at least half of the distances are at most this. */
  readonly median: number
}

/** Returns the distances, given the group of each job; null where no two jobs share a group. */
export function gapsOf(groups: Int32Array): Gaps | null {
  const last = new Int32Array(groups.reduce((most, group) => Math.max(most, group), -1) + 1).fill(-1)
  const times = new Int32Array(groups.length + 1)
  let count = 0
  for (let job = 0; job < groups.length; job++) {
    const previous = last[groups[job]]
    last[groups[job]] = job
    if (previous < 0) continue
    times[job - previous]++
    count++
  }
  if (count === 0) return null
  const ranked = (rank: number): number => {
    let seen = 0
    let gap = 0
    while (seen < rank) seen += times[++gap]
    return gap
  }
  return { least: ranked(1), median: ranked(Math.ceil(count / 2)) }
}

/**
 * Returns the time that workers lost by changing group: the `groupSwitchCost` of the phase in which
 * the job started. Unfinished jobs do not count, and a newly hired worker has no group. 0 where the source makes no groups.
 */
export function groupSwitchLoss(trace: Trace): Micros {
  const groups = groupsIn(trace)
  if (groups === null) return 0
  const costs = phasesOf(trace.scenario).map(({ groupSwitchCost }) => groupSwitchCost)
  const phaseTimes: Micros[] = []
  const last = new Int32Array(trace.head.counts.status.length).fill(NONE)
  let loss = 0
  eachRow(trace, 0, trace.length, (rows, i) => {
    const kind = rows.kind[i]
    const worker = rows.worker[i]
    if (kind === HIRED || kind === JOINED) last[worker] = NONE
    if (kind === PHASE) phaseTimes.push(rowTime(rows, i))
    if (kind !== FINISHED) return
    const group = groups[rows.job[i]]
    if (last[worker] !== NONE && last[worker] !== group)
      loss += costs[phaseTimes.filter((at) => at <= beganAt(rows, i)).length]
    last[worker] = group
  })
  return loss
}

/** Times and the jobs that were taken then, in order of time. */
const createColumn = () => ({ time: [] as Micros[], job: [] as number[] })
type Column = ReturnType<typeof createColumn>

/**
 * Returns which jobs were started and served at one stage, and how far the first stage is in the stream of jobs. The trace
 * may still grow. 8 bytes a job and 16 a start.
 */
export function createStageProgress(trace: Trace, stage: number) {
  return {
    trace,
    stage,
    rows: 0,
    /** The time of the last row read. */
    time: 0,
    /** By job: when it was finished at the stage; Infinity until it is. */
    finishedAt: new Float64Array(0),
    /** By worker: the jobs that it took there, with the times, in order of time. */
    taken: [] as Column[],
    /** At the first stage: the jobs that were further on than all before, and when they were taken. */
    furthest: createColumn(),
  }
}

type StageProgress = ReturnType<typeof createStageProgress>

/** Reads at most `maxRows` new rows of the trace. Returns whether it is up to date. */
export function extendStageProgress(progress: StageProgress, maxRows = Infinity): boolean {
  return followTrace(progress.trace, progress, maxRows, (rows, i) => readRow(progress, rows, i))
}

/** Returns one more than the furthest job that the first stage has taken by time t. */
export function reachedAt({ furthest }: StageProgress, t: Micros): number {
  const k = bisectRight(furthest.time, t)
  return k === 0 ? 0 : furthest.job[k - 1] + 1
}

export const isServed = ({ finishedAt }: StageProgress, job: number, t: Micros): boolean => finishedAt[job] <= t

/** Returns the jobs in the hands of each worker at the stage at the instant of `frame`, the first one first; none for other workers. */
export function inHandsAt({ stage, taken }: StageProgress, { time, workers }: Frame): readonly (readonly number[])[] {
  return workers.map((worker, w) => {
    const column = taken[w]
    if (worker.status !== 'busy' || worker.stage !== stage || column === undefined) return []
    const end = bisectRight(column.time, time)
    return column.job.slice(Math.max(0, end - worker.jobsInHand), end)
  })
}

function readRow(progress: StageProgress, rows: Rows, i: number): void {
  const kind = rows.kind[i]
  progress.time = rowTime(rows, i)
  if (kind !== STARTED && kind !== FINISHED) return
  const job = rows.job[i]
  const here = rows.stage[i] === progress.stage
  if (kind === FINISHED) {
    if (!here) return
    if (job >= progress.finishedAt.length) progress.finishedAt = grown(progress.finishedAt, job + 1, Infinity)
    progress.finishedAt[job] = progress.time
    return
  }
  if (here) {
    const worker = rows.worker[i]
    while (progress.taken.length <= worker) progress.taken.push(createColumn())
    push(progress.taken[worker], progress.time, job)
  }
  const { furthest, trace } = progress
  if (rows.stage[i] === trace.topology.first && job > (furthest.job.at(-1) ?? -1)) push(furthest, progress.time, job)
}

function push(column: Column, time: Micros, job: number): void {
  column.time.push(time)
  column.job.push(job)
}
