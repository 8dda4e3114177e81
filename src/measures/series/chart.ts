import type { Counts } from '../../pipeline/counts.ts'
import { eachSeat } from '../../pipeline/journal.ts'
import {
  ARRIVED,
  beganAt,
  endedAt,
  FAILED,
  FINISHED,
  GAVE_UP,
  NONE,
  RELEASED,
  rowTime,
  STARTED,
} from '../../pipeline/rows.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createFollower, follow, type RowVisitor } from '../../trace/follow.ts'
import type { Trace } from '../../trace/trace.ts'
import { createCrews, extendCrews } from './crews.ts'
import { appendSpan, createLanes, type Lanes } from './lanes.ts'
import { appendMark, createMarks } from './marks.ts'
import { appendStep, createSteps, type Steps } from './steps.ts'

/** Returns queues, seats, lanes, arrivals and departures of a run over time. The trace may still grow. */
export function createChart(trace: Trace) {
  const { stages } = trace.topology
  const follower = createFollower(trace)
  const crews = createCrews(trace, follower.counts)
  return {
    ...follower,
    crews,
    queues: Array.from({ length: stages }, createSteps),
    /** The seats of an elastic pool are its workers, which change between decisions. */
    seats: isElastic(trace.scenario.policy) ? crews.steps : Array.from({ length: stages }, createSteps),
    lanes: createLanes(stages),
    arrivals: createMarks(),
    /** Jobs that left: released, failed or given up. */
    departures: createMarks(),
    decisions: createMarks(),
    /** When workers began at another stage than before. */
    moves: createMarks(),
    /** By stage and change of its service time: what holds since its first job started, once it has. */
    changed: trace.scenario.stages.map(({ changes }) => changes.map((): Changed | null => null)),
    /** The services of the last reported batch, until it is complete: its rows may be in another order. */
    batch: { worker: -1, time: -1, services: [] as { stage: number; began: Micros; ended: Micros }[] },
  }
}

export type Chart = ReturnType<typeof createChart>

/** When the first job with a changed service time started, and the totals of the stage's services until then. */
type Changed = { readonly since: Micros; readonly services: number; readonly sum: Micros }

/** Reads at most `maxRows` new rows of the trace. Returns whether the chart is up to date. */
export function extendChart(chart: Chart, maxRows = Infinity): boolean {
  const { trace, queues, seats, crews, lanes, arrivals, departures, moves, changed, batch, counts } = chart
  const { decisions, scenario } = trace
  const elastic = isElastic(scenario.policy)
  /** The stage of the worker before the row. */
  let stood = NONE
  const before: RowVisitor = (rows, i, _, row) => {
    if (rowTime(rows, i) !== counts.time && row > 0) stepQueues(queues, counts)
    if (rows.kind[i] === STARTED) stood = counts.stage[rows.worker[i]]
  }
  const upToDate = follow(chart, maxRows, before, (rows, i, _, row) => {
    const time = rowTime(rows, i)
    extendCrews(crews, trace, counts, rows, i)
    const kind = rows.kind[i]
    if (kind === ARRIVED) appendMark(arrivals, time)
    else if (kind === STARTED) {
      const stage = rows.stage[i]
      if (stood !== NONE && stood !== stage) appendMark(moves, time)
      changed[stage].forEach((known, k) => {
        if (known !== null || rows.job[i] < scenario.stages[stage].changes[k].from) return
        changed[stage][k] = { since: time, services: counts.finished[stage], sum: counts.serviceSum[stage] }
      })
    } else if (kind === RELEASED || kind === FAILED || kind === GAVE_UP) appendMark(departures, time)
    else if (kind === FINISHED) {
      const worker = rows.worker[i]
      if (worker !== batch.worker || time !== batch.time) {
        settle(lanes, batch)
        batch.worker = worker
        batch.time = time
      }
      batch.services.push({ stage: rows.stage[i], began: beganAt(rows, i), ended: endedAt(rows, i) })
    }
    while (chart.decisions.length < decisions.length && decisions.row[chart.decisions.length] === row + 1) {
      const d = chart.decisions.length
      appendMark(chart.decisions, time)
      if (!elastic) eachSeat(decisions, d, (stage, given) => appendStep(seats[stage], time, given))
    }
  })
  if (chart.rows > 0) stepQueues(queues, counts)
  // A worker reports a batch at once, so all of its rows have been read by now.
  if (upToDate) settle(lanes, batch)
  return upToDate
}

function settle(lanes: Lanes, { worker, services }: Chart['batch']): void {
  if (services.length > 1) services.sort((a, b) => a.began - b.began)
  for (const { stage, began, ended } of services) appendSpan(lanes, worker, stage, began, ended)
  services.length = 0
}

function stepQueues(queues: readonly Steps[], counts: Counts): void {
  for (let s = 0; s < queues.length; s++) {
    const { times, value } = queues[s]
    if (times.length === 0 || value[times.length - 1] !== counts.waiting[s])
      appendStep(queues[s], counts.time, counts.waiting[s])
  }
}
