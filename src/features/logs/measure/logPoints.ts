import { bisectLeft, bisectRight } from 'd3-array'
import { countStaffed } from '../../../pipeline/counts.ts'
import { rowTime } from '../../../pipeline/rows.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { stageLabels } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import type { DecisionQuestion, ParsedQuestion } from '../../../scenario/parse/part.ts'
import { createFollower, follow } from '../../../trace/follow.ts'
import { endOf, stateAt, type Trace } from '../../../trace/trace.ts'
import { createLog, noteCounts, pushLogRow, type SystemLog, trimLog } from '../read/log.ts'

/** The points of a log: rows of one time are one point, and point p holds the rows up to ends[p]. */
export interface LogPoints {
  readonly log: SystemLog
  readonly length: number
  readonly time: Float64Array
  readonly ends: Uint32Array
  /** By stage, its rows in order: a search finds the last one before a point. */
  readonly rowsOf: readonly Uint32Array[]
  /** Whether the log has numbers of workers. */
  readonly staffed: boolean
  /** The most workers at one time; 0 where the log does not say. */
  readonly workers: number
}

export function logPointsOf(log: SystemLog): LogPoints {
  const { length, stages, stage, workers } = log
  const counts = stages.map(() => 0)
  let points = 0
  for (let i = 0; i < length; i++) {
    counts[stage[i]]++
    if (i === 0 || log.time[i] !== log.time[i - 1]) points++
  }
  const time = new Float64Array(points)
  const ends = new Uint32Array(points)
  const rowsOf = counts.map((rows) => new Uint32Array(rows))
  const present = stages.map(() => -1)
  counts.fill(0)
  let most = -1
  let sum = 0
  for (let i = 0, p = -1; i < length; i++) {
    if (i === 0 || log.time[i] !== log.time[i - 1]) time[++p] = log.time[i]
    ends[p] = i + 1
    const s = stage[i]
    rowsOf[s][counts[s]++] = i
    sum += Math.max(0, workers[i]) - Math.max(0, present[s])
    present[s] = workers[i]
    if (present[s] >= 0 && most < 0) most = 0
    if ((i + 1 === length || log.time[i + 1] !== log.time[i]) && sum > most && most >= 0) most = sum
  }
  return { log, length: points, time, ends, rowsOf, staffed: most >= 0, workers: Math.max(0, most) }
}

/** The most points of a log that is made of a run. */
const MAX_POINTS = 50_000

/**
 * Returns a run as a log: rows of the stages whose queue or workers have changed, or whose services have ended. The service time is the mean so far, before
 * the first service that of the whole run. A worker counts where it works or worked last. In a long run changes that are close together are one point.
 */
export function logOfRun(trace: Trace): SystemLog {
  const log = createLog()
  log.stages.push(...stageLabels(trace.scenario))
  log.origin = trace.startedAt * 1000
  const end = endOf(trace)
  const all = stateAt(trace, end).counts
  const width = Math.max(1, Math.ceil(end / MAX_POINTS))
  const follower = createFollower(trace)
  const { waiting, finished, serviceSum, busy } = follower.counts
  const seen = log.stages.map(() => '')
  let cell = 0
  function tell(): void {
    const staffed = new Int32Array(seen.length)
    countStaffed(follower.counts, staffed)
    for (const [s, before] of seen.entries()) {
      seen[s] = `${waiting[s]} ${staffed[s]} ${finished[s]}`
      if (seen[s] === before) continue
      const measured =
        finished[s] > 0 ? serviceSum[s] / finished[s] : all.finished[s] > 0 ? all.serviceSum[s] / all.finished[s] : 0
      pushLogRow(
        log,
        follower.counts.time,
        s,
        waiting[s],
        measured || serviceMean(trace.scenario.stages[s].service),
        staffed[s],
      )
      noteCounts(log, finished[s], Number.NaN, busy[s])
    }
  }
  follow(follower, Infinity, (rows, i) => {
    const next = Math.floor(rowTime(rows, i) / width)
    if (next > cell) tell()
    cell = next
  })
  tell()
  trimLog(log)
  return log
}

/** Returns the point in force at time t, counted from the log's beginning: the last at or before it, else the first. */
export function logPointAt({ time, length }: LogPoints, t: Micros): number {
  return Math.max(0, bisectRight(time, t, 0, length) - 1)
}

/** Returns the first point at which the most jobs wait in all queues together. */
export function fullestPoint({ log, length, ends }: LogPoints): number {
  const present = log.stages.map(() => 0)
  let [sum, most, fullest] = [0, 0, 0]
  for (let p = 0, i = 0; p < length; p++) {
    for (; i < ends[p]; i++) {
      sum += log.queue[i] - present[log.stage[i]]
      present[log.stage[i]] = log.queue[i]
    }
    if (sum > most) [most, fullest] = [sum, p]
  }
  return fullest
}

/** Returns by stage the row in force at a point, or -1 before its first. */
export function rowsAt({ ends, rowsOf }: LogPoints, p: number): number[] {
  return rowsOf.map((rows) => rows[bisectLeft(rows, ends[p]) - 1] ?? -1)
}

/** Returns the system's seats at a point, by stage; null where the log does not say. */
export function seatsAt(points: LogPoints, p: number): number[] | null {
  if (!points.staffed) return null
  return rowsAt(points, p).map((row) => (row < 0 ? 0 : Math.max(0, points.log.workers[row])))
}

/**
 * Returns a point as a question to the allocator. A stage without a row so far asks for nothing and gets no seat. `scenario` has the policy and the
 * stages, in the order of the log; `workers` are allocated where the log does not say how many there were.
 */
export function questionAt(points: LogPoints, p: number, scenario: Scenario, workers: number): DecisionQuestion {
  const { queue, service } = points.log
  const asked = rowsAt(points, p).map(
    (row): ParsedQuestion =>
      row < 0 ? { waiting: 0, mean: 1, done: true } : { waiting: queue[row], mean: service[row], done: false },
  )
  const had = seatsAt(points, p)
  return {
    scenario: { ...scenario, workers: had === null ? workers : had.reduce((sum, seats) => sum + seats, 0) },
    asked,
  }
}
