import { t } from '../../language/translate.ts'
import { countStaffed } from '../../pipeline/counts.ts'
import { applySeats } from '../../pipeline/journal.ts'
import { rowTime } from '../../pipeline/rows.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
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

/** When the queue of a stage was longest, and how busy its workers were. */
export interface StagePeak {
  readonly stage: number
  readonly waiting: number
  readonly time: Micros
  /** The share, 0 to 1, of the run that the workers who serve the stage worked there. Any worker can be hired into an elastic pool. */
  readonly utilisation: number
}

type PeakSeries = Pick<Chart, 'queues' | 'crews' | 'lanes'>

/** Returns the peak of each stage of a run that has ended. */
export function peaksOf(trace: Trace, { queues, crews, lanes }: PeakSeries): readonly StagePeak[] {
  const { policy, workers } = trace.scenario
  const makespan = makespanOf(trace)
  const busy = new Float64Array(queues.length)
  for (let worker = 0; worker < lanes.lanes.length; worker++) addBusy(lanes, worker, 0, makespan, busy)
  return queues.map((queue, stage) => {
    const waiting = greatest(queue)
    const crewTime = isElastic(policy) ? workers * makespan : areaWithin(crews.steps[stage], 0, makespan)
    const utilisation = crewTime > 0 ? Math.min(1, busy[stage] / crewTime) : 0
    return { stage, waiting, time: firstAt(queue, waiting), utilisation }
  })
}

/** Returns the bottleneck of a run that has ended: the stage with the busiest workers; of equal ones, that with the longest queue. */
export function bottleneckOf(trace: Trace, chart: PeakSeries): StagePeak {
  return peaksOf(trace, chart).reduce((most, peak) =>
    (peak.utilisation - most.utilisation || peak.waiting - most.waiting) > 0 ? peak : most,
  )
}

/** Returns what holds up a run, as a sentence. */
export function heldSentence({ stages }: Scenario, { stage, waiting }: StagePeak): string {
  const { name } = stages[stage]
  return waiting > 0 ? t('{stage} holds it up.', { stage: name }) : t('{stage} is busiest.', { stage: name })
}

/** Returns when a value is first reached; 0 if it never is. */
function firstAt({ times, value }: Steps, wanted: number): Micros {
  const i = value.subarray(0, times.length).indexOf(wanted)
  return i < 0 ? 0 : markAt(times, i)
}
