import { countStaffed } from '../../pipeline/counts.ts'
import { applySeats } from '../../pipeline/journal.ts'
import { rowTime } from '../../pipeline/rows.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createFollower, follow, type RowVisitor } from '../../trace/follow.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Chart } from '../series/chart.ts'
import { addBusy } from '../series/lanes.ts'
import { markAt } from '../series/marks.ts'
import { areaWithin, greatest, type Steps } from '../series/steps.ts'
import { makespanOf } from './totals.ts'

/** How full the queues and seats of a run were, over time until its makespan. */
export interface Occupancy {
  /** Jobs in all queues together, without those outside a full first queue: the mean, and the longest that lasted. */
  readonly meanQueued: number
  readonly mostQueued: number
  /** By stage the mean number of its seats; of an elastic pool, of its workers. */
  readonly seats: readonly number[]
}

/** Returns the occupancy in one pass over the rows. */
export function occupancyOf(trace: Trace): Occupancy {
  const { scenario, topology, decisions } = trace
  const makespan = makespanOf(trace)
  const elastic = isElastic(scenario.policy)
  const follower = createFollower(trace)
  const { counts } = follower
  let { live } = counts
  const seats = new Int32Array(topology.stages)
  const seatTime = new Float64Array(topology.stages)
  let queueTime = 0
  let mostQueued = 0
  let d = 0

  /** Adds the values from the last row until `time`. */
  function pass(time: number): void {
    const lasted = Math.min(time, makespan) - counts.time
    if (lasted <= 0) return
    let queued = 0
    for (const waiting of counts.waiting) queued += waiting
    queueTime += queued * lasted
    if (queued > mostQueued) mostQueued = queued
    for (let s = 0; s < seats.length; s++) seatTime[s] += seats[s] * lasted
  }

  const before: RowVisitor = (rows, i) => {
    if (rowTime(rows, i) > counts.time) pass(rowTime(rows, i))
  }
  follow(follower, Infinity, before, (_rows, _i, _back, row) => {
    if (elastic && counts.live !== live) {
      live = counts.live
      seats.fill(0)
      countStaffed(counts, seats)
    }
    for (; d < decisions.length && decisions.row[d] === row + 1; d++) if (!elastic) applySeats(decisions, d, seats)
  })
  const mean = (sum: number) => (makespan > 0 ? sum / makespan : 0)
  return { meanQueued: mean(queueTime), mostQueued, seats: Array.from(seatTime, mean) }
}

/** How hard a stage was pressed when its queue was longest. */
export interface StagePeak {
  readonly stage: number
  readonly waiting: number
  readonly time: Micros
  /** How many workers served jobs there, on average over a twentieth of the run around `time`. */
  readonly busy: number
  /** Their share, 0 to 1, of the workers who serve the stage. */
  readonly utilisation: number
}

/** Returns the peak of every stage of a run that has ended. */
export function peaksOf(trace: Trace, chart: Pick<Chart, 'queues' | 'crews' | 'lanes'>): readonly StagePeak[] {
  const makespan = makespanOf(trace)
  const width = Math.max(1, makespan / 20)
  return chart.queues.map((queue, stage) => {
    const waiting = greatest(queue)
    const time = firstAt(queue, waiting)
    const from = Math.max(0, Math.min(time - width / 2, makespan - width))
    const busy = new Float64Array(chart.queues.length)
    for (let worker = 0; worker < chart.lanes.lanes.length; worker++)
      addBusy(chart.lanes, worker, from, from + width, busy)
    const crewTime = areaWithin(chart.crews.steps[stage], from, from + width)
    return {
      stage,
      waiting,
      time,
      busy: busy[stage] / width,
      utilisation: crewTime > 0 ? Math.min(1, busy[stage] / crewTime) : 0,
    }
  })
}

/** Returns when a value is first reached; 0 if it never is. */
function firstAt({ times, value }: Steps, wanted: number): Micros {
  const i = value.subarray(0, times.length).indexOf(wanted)
  return i < 0 ? 0 : markAt(times, i)
}
