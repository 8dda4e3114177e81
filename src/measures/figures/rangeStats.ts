import { resized } from '../../pipeline/column.ts'
import { FAILED, GAVE_UP, RELEASED, rowTime, STARTED, WITHDRAWN } from '../../pipeline/rows.ts'
import type { Micros, PerSecond } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { follow } from '../../trace/follow.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Chart } from '../series/chart.ts'
import { addBusy } from '../series/lanes.ts'
import { appendMark, createMarks, type Marks, marksBefore } from '../series/marks.ts'
import { appendStep, areaWithin, createSteps, means, type Steps } from '../series/steps.ts'
import { addAfter, addBefore, createRunTotals } from './runTotals.ts'

/** Marks with a running total each. */
type Account = { readonly marks: Marks; total: Float64Array }

/** Statistics of [from, to). The end of a run belongs to its last stretch. Times in microseconds; a mean of nothing is NaN. */
export interface RangeStats {
  readonly from: Micros
  readonly to: Micros
  readonly arrivals: number
  /** Jobs that left: released, failed for good, and given up by their clients. */
  readonly completed: number
  readonly failed: number
  readonly gaveUp: number
  readonly decisions: number
  /** Starts of a worker at another stage than its last. */
  readonly moves: number
  readonly throughput: PerSecond
  /** Share of the live workers' time spent serving, as the lanes show it. */
  readonly utilisation: number
  /** All waits, and the time from arrival to leaving, of the jobs that left in the stretch. */
  readonly meanWait: Micros
  readonly meanFlowTime: Micros
  readonly stages: readonly RangeStageStats[]
}

export interface RangeStageStats {
  /** How many workers serve the stage, as in the metrics of the run, and the share of their time spent serving. */
  readonly workers: number
  readonly ownUtilisation: number
  /** Means over time. */
  readonly meanQueue: number
  readonly meanSeats: number
  readonly starts: number
  /** Of the services that began in the stretch. */
  readonly meanWait: Micros
}

/** Returns running totals at every start, departure and move: a stretch is the difference of two places. 16 bytes a service and 60 a job. */
export function createRangeIndex(trace: Trace) {
  const { scenario, topology } = trace
  const totals = createRunTotals(trace, countJobs(scenario.source))
  const live = createSteps()
  appendStep(live, 0, totals.counts.live)
  return {
    totals,
    /** By stage: the starts, and the total of all waits until then. */
    waits: Array.from({ length: topology.stages }, createAccount),
    failures: createMarks(),
    gaveUp: createMarks(),
    /** Departures, with the total waits and flow times until then. */
    waited: createAccount(),
    flow: createAccount(),
    moves: createMarks(),
    live,
  }
}

export type RangeIndex = ReturnType<typeof createRangeIndex>

/** Reads at most `maxRows` new rows of the trace. Returns whether the index is up to date. */
export function extendRangeIndex(
  { totals, waits, failures, gaveUp, waited, flow, moves, live }: RangeIndex,
  maxRows = Infinity,
): boolean {
  let switches = 0
  let present = 0
  /** How long the job of the row has waited before it. */
  let before = 0
  return follow(
    totals,
    maxRows,
    (rows, i, back) => {
      switches = totals.switches
      present = totals.counts.live
      before = totals.waited[rows.job[i]]
      addBefore(totals, rows, i, back)
    },
    (rows, i) => {
      addAfter(totals, rows, i)
      const kind = rows.kind[i]
      const time = rowTime(rows, i)
      const stage = rows.stage[i]
      const job = rows.job[i]
      if (totals.counts.live !== present) appendStep(live, time, totals.counts.live)
      if (kind === STARTED) enter(waits[stage], time, totals.waits[stage])
      else if (kind === FAILED) appendMark(failures, time)
      else if (kind === GAVE_UP) appendMark(gaveUp, time)
      if (totals.switches !== switches) appendMark(moves, time)
      // The job failed in the same instant, elsewhere.
      if (kind === WITHDRAWN) waited.total[waited.marks.length - 1] += totals.waited[job] - before
      if (kind !== RELEASED && kind !== FAILED && kind !== GAVE_UP) return
      enter(waited, time, totalOf(waited) + totals.waited[job])
      enter(flow, time, totalOf(flow) + totals.flow[job])
    },
  )
}

/** Returns the statistics of [from, to) of a run until `end`, with a few searches per worker and stage. Chart and index must be up to date. */
export function statsWithin(rangeIndex: RangeIndex, chart: Chart, from: Micros, to: Micros, end: Micros): RangeStats {
  const a = Math.max(0, from)
  const b = Math.min(to, end)
  const length = Math.max(0, b - a)
  /** Returns how many marks lie before an instant, or all from the end on. */
  const until = (marks: Marks, t: Micros): number => (t >= end ? marks.length : marksBefore(marks, t))
  const within = (marks: Marks): number => (to > from ? until(marks, b) - until(marks, a) : 0)
  const sumWithin = ({ marks, total }: Account): number => {
    const [i, j] = [until(marks, a), until(marks, b)]
    return j > i ? total[j - 1] - (i > 0 ? total[i - 1] : 0) : 0
  }
  const mean = new Float64Array(1)
  const meanOf = (steps: Steps): number => {
    if (length > 0) means(steps, a, b, 1, mean)
    return length > 0 ? mean[0] : Number.NaN
  }
  const busy = new Float64Array(chart.queues.length)
  for (let worker = 0; worker < chart.lanes.lanes.length; worker++) addBusy(chart.lanes, worker, a, b, busy)
  const workerTime = meanOf(rangeIndex.live) * length
  const failed = within(rangeIndex.failures)
  const gaveUp = within(rangeIndex.gaveUp)
  const left = within(rangeIndex.flow.marks)
  return {
    from: a,
    to: b,
    arrivals: within(chart.arrivals),
    completed: left - failed - gaveUp,
    failed,
    gaveUp,
    decisions: within(chart.decisions),
    moves: within(rangeIndex.moves),
    throughput: ((left - failed - gaveUp) * 1e6) / length,
    utilisation: busy.reduce((sum, time) => sum + time, 0) / workerTime,
    meanWait: sumWithin(rangeIndex.waited) / left,
    meanFlowTime: sumWithin(rangeIndex.flow) / left,
    stages: chart.queues.map((queue, s) => {
      const starts = within(rangeIndex.waits[s].marks)
      const crewTime = areaWithin(chart.crews.steps[s], a, b)
      return {
        workers: crewTime / length,
        ownUtilisation: busy[s] / crewTime,
        meanQueue: meanOf(queue),
        meanSeats: meanOf(chart.seats[s]),
        starts,
        meanWait: sumWithin(rangeIndex.waits[s]) / starts,
      }
    }),
  }
}

function createAccount(): Account {
  return { marks: createMarks(), total: new Float64Array(16) }
}

function enter(account: Account, time: Micros, total: number): void {
  const i = account.marks.length
  appendMark(account.marks, time)
  if (i === account.total.length) account.total = resized(account.total, account.marks.after.length)
  account.total[i] = total
}

function totalOf({ marks, total }: Account): number {
  return marks.length === 0 ? 0 : total[marks.length - 1]
}
