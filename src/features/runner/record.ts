import type { ConductedRun } from '../../engine/conductor/conductedRun.ts'
import type { Counts } from '../../pipeline/counts.ts'
import type { Ending, Failure, Journal } from '../../pipeline/journal.ts'
import { ARRIVED, FAILED, FINISHED, JOINED, rowTime } from '../../pipeline/rows.ts'
import { MAX_ITEMS, MAX_JOBS, MAX_PHASES, MAX_SERVICES } from '../../scenario/model/limits.ts'
import { type Kind, paramsIn } from '../../scenario/model/params.ts'
import { policies } from '../../scenario/model/policies.ts'
import type { Micros, Policy, Scenario, Source, WorkerEvent } from '../../scenario/model/scenario.ts'
import { writeTraceJson } from '../../trace/formats/traceJson.ts'
import { eachRow, endOf, type Trace } from '../../trace/trace.ts'
import { createRing } from './ring.ts'

/** Rows of a record: the page opens no more. */
const MAX_ROWS = 30_000_000
const MAX_REASON = 10_000

export interface RunRecord {
  take(journal: Journal, run: ConductedRun): void
  failure(failure: Failure): void
  ended(ending: Ending): void
  /** Returns the trace as a file. Its scenario says what was measured. */
  blob(): Blob
}

/**
 * Records a run until the file format has no room for more: then it stops and calls `full`. With `rows` it keeps only the last ones, so that only
 * changes in mid-run can fill it.
 */
export function createRecord(scenario: Scenario, rows: number | null, full: () => void): RunRecord {
  const ring = createRing(scenario, rows ?? Infinity)
  const startedAt = Date.now()
  let isFull = false
  let last: Scenario = scenario
  let end: Ending | null = null

  function hasRoomFor({ rows: { length } }: Journal, { arrived }: Counts): boolean {
    if (rows !== null) return true
    return arrived <= MAX_JOBS && arrived * scenario.stages.length <= MAX_SERVICES && ring.length + length <= MAX_ROWS
  }

  return {
    take(journal, run) {
      if (isFull) return
      if (run.scenario.later.length > MAX_PHASES || !hasRoomFor(journal, run.core.state.counts)) {
        isFull = true
        full()
        return
      }
      last = run.scenario
      ring.take(journal)
    },
    failure(failure) {
      if (!isFull) ring.failure({ ...failure, reason: failure.reason.slice(0, MAX_REASON) })
    },
    ended(ending) {
      if (!isFull) end = ending
    },
    blob() {
      const trace = { ...ring.trace(last, startedAt), ending: end }
      return new Blob([...writeTraceJson({ ...trace, scenario: measuredScenario(trace) })], {
        type: 'application/json',
      })
    },
  }
}

/** Returns the scenario of what happened: arrivals and mean service times as measured, and the workers that joined. */
function measuredScenario(trace: Trace): Scenario {
  const { scenario } = trace
  const arrivals: Micros[] = []
  const joined = new Map<number, Micros>()
  const sums = scenario.stages.map(() => ({ count: 0, sum: 0 }))
  const failed = scenario.stages.map((): number[] => [])
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === ARRIVED) arrivals.push(rowTime(rows, i))
    else if (rows.kind[i] === FINISHED) {
      const served = sums[rows.stage[i]]
      served.count++
      served.sum += rows.lasted[i]
    } else if (rows.kind[i] === FAILED) failed[rows.stage[i]].push(rows.job[i])
    else if (rows.kind[i] === JOINED && rows.worker[i] >= scenario.workers && !joined.has(rows.worker[i]))
      joined.set(rows.worker[i], rowTime(rows, i))
  })
  return {
    ...scenario,
    policy: withinJobs(scenario.policy, arrivals.length),
    later: scenario.later.map((phase) =>
      phase.policy === undefined ? phase : { ...phase, policy: withinJobs(phase.policy, arrivals.length) },
    ),
    source: sourceOf(arrivals, endOf(trace)),
    stages: scenario.stages.map((stage, s) => ({
      ...stage,
      service: { kind: 'constant', mean: Math.max(1, Math.round(sums[s].sum / Math.max(1, sums[s].count))) },
      fails: failsOf(failed[s], stage.fails?.tries ?? 1, (MAX_SERVICES - arrivals.length * sums.length) / sums.length),
    })),
    workerEvents: joinsOf(scenario.workers, joined),
  }
}

/** A scenario names the jobs that failed, unless with their retries a stage had more than `maxServices`. */
function failsOf(jobs: readonly number[], tries: number, maxServices: number) {
  return {
    jobs: jobs.length > MAX_ITEMS || jobs.length * tries > maxServices ? [] : [...jobs].sort((a, b) => a - b),
    tries,
  }
}

/** A policy names no more jobs than have come, and such a number is never reached either way. */
function withinJobs(policy: Policy, jobs: number): Policy {
  const kind: Kind = policies[policy.kind]
  const values: Readonly<Record<string, unknown>> = { ...policy }
  const over = paramsIn(kind).filter(
    ([key, param]) => 'max' in param && param.max === 'jobs' && (values[key] as number) > jobs,
  )
  return over.length === 0 ? policy : ({ ...policy, ...Object.fromEntries(over.map(([key]) => [key, jobs])) } as Policy)
}

function sourceOf(arrivals: readonly Micros[], end: Micros): Source {
  const jobs = arrivals.length
  if (jobs === 0 || arrivals.every((time) => time === 0)) return { kind: 'batch', jobs }
  if (jobs <= MAX_ITEMS) return { kind: 'times', at: arrivals }
  return { kind: 'regular', rate: Math.min(1_000_000, (jobs * 1e6) / Math.max(1, end)), jobs }
}

/** In a scenario workers join in the order of their numbers. */
function joinsOf(workers: number, joined: ReadonlyMap<number, Micros>): WorkerEvent[] {
  const events: WorkerEvent[] = []
  let at = Infinity
  for (let worker = Math.max(workers - 1, ...joined.keys()); worker >= workers; worker--) {
    at = Math.min(at, joined.get(worker) ?? at)
    events.unshift({ at, kind: 'join', worker })
  }
  return events
}
