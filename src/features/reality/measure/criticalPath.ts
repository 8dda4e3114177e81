import { makespanOf } from '../../../measures/figures/runTotals.ts'
import { NONE } from '../../../pipeline/rows.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import type { Trace } from '../../../trace/trace.ts'
import { createArrivals } from '../../../workload/arrivals.ts'
import { createServices } from '../../../workload/service.ts'
import { type BatchSpan, type BatchSpans, batchSpansInSteps } from './batchSpans.ts'

/**
 * What the time of a path was spent on:
 *
 *   work      services, as long as expected
 *   longer    what services took beyond that; less than 0 where they were shorter
 *   batch     expected services of other jobs of a batch, for which a finished job on the path had to wait
 *   message   between an order and the beginning of the work, between the end of a batch and its report, and until an arrival was heard
 *   network   the same two ways of a batch where workers are far away: in a room, and in the simulation of a network
 *   change    a worker's changes of stage and of group
 *   undone    batches that came back undone: a job threw, or the worker was lost
 *   clock     from time 0 until the arrival, the joining or the hiring with which the path begins
 */
export const pathLegs = ['work', 'longer', 'batch', 'message', 'network', 'change', 'undone', 'clock'] as const
export type PathLeg = (typeof pathLegs)[number]

/**
 * The critical path of a run: what its last row had been waiting for, back to time 0 without a gap.
 *
 *   time 0 ──clock──► arrival ──message──► order ──message, change──► work ─ work ─ work ──message──► report
 *                                            ▲                             └─(batch)─┘                   │
 *                                            └───────── the next order, at the same instant ◄────────────┘
 *
 * Walked from its end: a report was awaited for its worker, for one of its jobs, or for what it freed, whichever its
 * instant brought, in this order. All legs together are the makespan, to the microsecond.
 */
export interface CriticalPath {
  readonly makespan: Micros
  /** By leg and stage; the last entry is of no stage: `clock`. */
  readonly times: Readonly<Record<PathLeg, Float64Array>>
  /** By stage: how many services lie on it. */
  readonly services: Int32Array
}

export function* criticalPathInSteps(trace: Trace): Generator<void, CriticalPath> {
  const { scenario, topology } = trace
  const batchSpans = yield* batchSpansInSteps(trace)
  const expected = createServices(scenario)
  const times = Object.fromEntries(pathLegs.map((leg) => [leg, new Float64Array(topology.stages + 1)])) as Record<PathLeg, Float64Array>
  const services = new Int32Array(topology.stages)
  const path: CriticalPath = { makespan: makespanOf(trace), times, services }
  const ways = isFar(trace) ? times.network : times.message
  const { last } = batchSpans
  // A run that ends with anything but a report has no path.
  if (last?.reported !== path.makespan) {
    times.clock[topology.stages] = path.makespan
    return path
  }
  for (let at: Place | null = { batchSpan: last, job: NONE, reported: true }; at !== null; ) {
    walkBack(path, ways, batchSpans, at, expected.at)
    const { ready, cause }: BatchSpan = at.batchSpan
    if (cause.by === 'report') at = { batchSpan: cause.batchSpan, job: cause.job, reported: true }
    else if (cause.by === 'end') at = { batchSpan: cause.batchSpan, job: NONE, reported: false }
    else {
      const began = cause.by === 'clock' ? ready : arrivalOf(trace, cause.job)
      times.message[topology.first] += ready - began
      times.clock[topology.stages] += began
      at = null
    }
  }
  return path
}

/** Whether messages to the workers go over a network. */
export function isFar({ engine, scenario }: Pick<Trace, 'engine' | 'scenario'>): boolean {
  return engine === 'room' || (engine === 'simulation' && scenario.network !== null)
}

/** Where the path meets a batch: at its report or at its end, for one of its jobs or (NONE) for its worker. */
interface Place {
  readonly batchSpan: BatchSpan
  readonly job: number
  readonly reported: boolean
}

/** Adds the time of a batch, back to when it could have begun, to the legs of its stage; what its messages took to `ways`. */
function walkBack(
  { times, services }: CriticalPath,
  ways: Float64Array,
  { job: jobs, began, ended }: BatchSpans,
  { batchSpan, job, reported }: Place,
  expected: (stage: number, job: number) => Micros,
): void {
  const { stage, from, ready } = batchSpan
  if (batchSpan.undone) {
    times.undone[stage] += batchSpan.reported - ready
    return
  }
  const last = from + batchSpan.jobs - 1
  if (reported) ways[stage] += batchSpan.reported - ended[last]
  // The jobs after the one that the path needs are others of its batch.
  let others = job !== NONE
  for (let k = last; k >= from; k--) {
    if (jobs[k] === job) others = false
    const service = expected(stage, jobs[k])
    times[others ? 'batch' : 'work'][stage] += service
    times.longer[stage] += ended[k] - began[k] - service
    if (k > from) times.change[stage] += began[k] - ended[k - 1]
    services[stage]++
  }
  times.change[stage] += batchSpan.switchCost
  ways[stage] += began[from] - ready - batchSpan.switchCost
}

/** Returns when a job was to arrive, by the scenario. */
function arrivalOf({ scenario }: Trace, job: number): Micros {
  const arrivals = createArrivals(scenario)
  let time = arrivals.next()
  for (let k = 0; k < job; k++) time = arrivals.next()
  return time
}
