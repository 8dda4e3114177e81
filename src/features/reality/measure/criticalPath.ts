import { makespanOf } from '../../../measures/figures/totals.ts'
import { type Batches, createBatches, extendBatches, type ServedBatch } from '../../../measures/jobs/batches.ts'
import { ARRIVED, NONE, rowTime } from '../../../pipeline/rows.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { eachRow, type Trace } from '../../../trace/trace.ts'
import { createArrivals } from '../../../workload/arrivals.ts'
import { createServices } from '../../../workload/service.ts'

/**
 * The parts of the time of a path. `longer`: service time beyond the expected time, less than 0 where it was shorter. `batch`: expected
 * services of other jobs of a batch, for which a finished job had to wait. `message`: orders, reports and arrivals on their way between threads;
 * `network`: where workers are far away. `undone`: batches that were returned undone. `clock`: until the arrival, joining or hiring that begins the path.
 */
export const pathLegs = ['work', 'longer', 'batch', 'message', 'network', 'change', 'undone', 'clock'] as const
export type PathLeg = (typeof pathLegs)[number]

/**
 * The critical path of a run: what its last row had been waiting for, back to time 0 without a gap, so all legs together are the makespan. A report was
 * awaited for its worker, for one of its jobs, or for what it freed, whichever its instant brought, in this order.
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
  const { batches, causes, last } = yield* awaitedBatchesInSteps(trace)
  const expected = createServices(scenario)
  const times = Object.fromEntries(pathLegs.map((leg) => [leg, new Float64Array(topology.stages + 1)])) as Record<
    PathLeg,
    Float64Array
  >
  const services = new Int32Array(topology.stages)
  const path: CriticalPath = { makespan: makespanOf(trace), times, services }
  const ways = isFar(trace) ? times.network : times.message
  // A run that ends with anything but a report has no path.
  if (last?.reported !== path.makespan) {
    times.clock[topology.stages] = path.makespan
    return path
  }
  for (let at: Place | null = { batch: last, job: NONE, reported: true }; at !== null; ) {
    walkBack(path, ways, batches, at, expected.at)
    const cause: WaitCause = causes[at.batch.index]
    if (cause.by === 'report') at = { batch: cause.batch, job: cause.job, reported: true }
    else if (cause.by === 'end') at = { batch: cause.batch, job: NONE, reported: false }
    else {
      const began = cause.by === 'clock' ? at.batch.ready : arrivalOf(trace, cause.job)
      times.message[topology.first] += at.batch.ready - began
      times.clock[topology.stages] += began
      at = null
    }
  }
  return path
}

/**
 * Why a batch could not begin before its `ready`. `report`: another batch's report brought `job`, or (NONE) the worker, a resource, room, an order.
 * `end`: its worker had prefetched it and was at another batch. `clock`: only time, such as a worker that joined or a phase that began.
 */
export type WaitCause =
  | { readonly by: 'report'; readonly batch: ServedBatch; readonly job: number }
  | { readonly by: 'end'; readonly batch: ServedBatch }
  | { readonly by: 'arrival'; readonly job: number }
  | { readonly by: 'clock' }

/** Rows between two pauses: a few milliseconds of work. */
const ROWS_A_STEP = 16_384

/** Returns all batches of a run, by the index of the batch what each waited for, and the batch that was reported last. */
export function* awaitedBatchesInSteps(
  trace: Trace,
): Generator<
  void,
  { readonly batches: Batches; readonly causes: readonly WaitCause[]; readonly last: ServedBatch | null }
> {
  const { ways, stages } = trace.topology
  const causes: WaitCause[] = []
  /** By stage and job: the batch that brought it to where it waits. */
  const broughtBy = Array.from({ length: stages }, (): (ServedBatch | undefined)[] => [])
  const arrivedAt: number[] = []
  let last: ServedBatch | null = null
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === ARRIVED) arrivedAt[rows.job[i]] = rowTime(rows, i)
  })

  /** Returns which fact of this instant the order was waiting for: first the worker, then the job, then any other. */
  function causeOf({ stage, worker, ordered, prefetched }: ServedBatch, job: number): WaitCause {
    const own = batches.before[worker]
    if (!prefetched && own?.reported === ordered) return { by: 'report', batch: own, job: NONE }
    const brought = broughtBy[stage][job]
    if (brought?.reported === ordered) return { by: 'report', batch: brought, job }
    if (arrivedAt[job] === ordered) return { by: 'arrival', job }
    if (last?.reported === ordered) return { by: 'report', batch: last, job: NONE }
    const latest = batches.counts.arrived - 1
    return arrivedAt[latest] === ordered ? { by: 'arrival', job: latest } : { by: 'clock' }
  }

  const batches: Batches = createBatches(trace, {
    ordered: (batch, job) => causes.push(causeOf(batch, job)),
    awaited(batch, other, reported) {
      causes[batch.index] = reported ? { by: 'report', batch: other, job: NONE } : { by: 'end', batch: other }
    },
    closed(batch) {
      const { stage, from, jobs, undone } = batch
      for (let k = from; k < from + jobs; k++)
        for (const to of undone ? [stage] : ways[stage]) broughtBy[to][batches.job[k]] = batch
      last = batch
    },
  })
  while (!extendBatches(batches, ROWS_A_STEP)) yield
  return { batches, causes, last }
}

/** Whether messages to the workers go over a network. */
export function isFar({ engine, scenario }: Pick<Trace, 'engine' | 'scenario'>): boolean {
  return engine === 'room' || (engine === 'simulation' && scenario.network !== null)
}

/** Where the path meets a batch: at its report or at its end, for one of its jobs or (NONE) for its worker. */
type Place = { readonly batch: ServedBatch; readonly job: number; readonly reported: boolean }

/** Adds the time of a batch, back to when it could have begun, to the legs of its stage, and the time of its messages to `ways`. */
function walkBack(
  { times, services }: CriticalPath,
  ways: Float64Array,
  { job: jobs, began, ended }: Batches,
  { batch, job, reported }: Place,
  expected: (stage: number, job: number) => Micros,
): void {
  const { stage, from, ready } = batch
  if (batch.undone) {
    times.undone[stage] += batch.reported - ready
    return
  }
  const last = from + batch.jobs - 1
  if (reported) ways[stage] += batch.reported - ended[last]
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
  times.change[stage] += batch.switchCost
  ways[stage] += began[from] - ready - batch.switchCost
}

/** Returns when a job was to arrive, by the scenario. */
function arrivalOf({ scenario }: Trace, job: number): Micros {
  const arrivals = createArrivals(scenario)
  for (let k = 0; k < job; k++) arrivals.next()
  return arrivals.next()
}
