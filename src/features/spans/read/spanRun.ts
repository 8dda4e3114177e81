import { t } from '../../../language/translate.ts'
import { createJournal } from '../../../pipeline/journal.ts'
import * as log from '../../../pipeline/rows.ts'
import { NONE } from '../../../pipeline/rows.ts'
import { MAX_ITEMS, MAX_JOBS, MAX_SERVICES } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { checkRow, createRowChecker } from '../../../trace/formats/rowChecker.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { append, createTrace, type Trace } from '../../../trace/trace.ts'
import { choices, type SpanChoice, type SpanJobs, spanJobsOf } from './spanJobs.ts'
import type { SpanTable } from './spanTable.ts'
import { spanWords } from './spanWords.ts'
import { createParts, spanWorkersOf, type Workers } from './spanWorkers.ts'
import { flowOf, type SpanFlow } from './stageGraph.ts'

/** The run that spans tell, and what was decided on the way. */
export interface SpanRun {
  readonly trace: Trace
  readonly spans: number
  readonly chosen: { readonly job: string; readonly stage: string; readonly worker: string | null }
  /** Names that could be chosen instead. */
  readonly choices: readonly string[]
  readonly notes: readonly string[]
}

/** A clock that counts from 1970 is past this, in microseconds. */
const SINCE_1970 = 1e14

/** Returns the run of spans as a record. Throws a Refusal where they tell none. */
export function spanRunOf(table: SpanTable, choice: SpanChoice, title: string): SpanRun {
  if (table.start.length === 0) throw new Refusal('', t('the file has no span with a beginning and an end'))
  const jobs = spanJobsOf(table, choice)
  let base = Number.POSITIVE_INFINITY
  for (const time of jobs.came) base = Math.min(base, time)
  for (const span of jobs.services.span) base = Math.min(base, table.start[span])
  base = Math.floor(base)
  const flow = flowOf(table, jobs, base)
  const isKept = (i: number) => flow.kept[jobs.services.job[i]] === 1
  const workers = spanWorkersOf(table, jobs.services.span, isKept, flow, choice.worker, jobs.notes)
  const run = writeRun(table, jobs, flow, workers, base, title)
  // Without names the workers are only as many as there had to be.
  jobs.notes.push(...spanWords(flow, jobs.services.job, workers.worker, isKept, workers.name !== null))
  return {
    trace: run,
    spans: table.start.length,
    chosen: { ...jobs.chosen, worker: workers.name },
    choices: choices(table),
    notes: jobs.notes,
  }
}

/** Of events at one instant: ends come first, then arrivals, then services without length, then beginnings. */
const END = 0
const ARRIVAL = 1
const WHOLE = 2
const BEGIN = 3

function writeRun(
  table: SpanTable,
  jobs: SpanJobs,
  flow: SpanFlow,
  workers: Workers,
  base: number,
  title: string,
): Trace {
  const { services, came, left, failed, notes } = jobs
  const { began, ended, stage, threw, kept, graph } = flow
  const arrivals = numberJobs(services.job, kept, came, base)
  if (arrivals.at.length > MAX_JOBS || arrivals.at.length * graph.stages.length > MAX_SERVICES)
    throw new Refusal(
      '',
      t('has {jobs} jobs at {stages} stages; allowed: {most} jobs, and {services} services', {
        jobs: arrivals.at.length,
        stages: graph.stages.length,
        most: MAX_JOBS,
        services: MAX_SERVICES,
      }),
    )
  const { number } = arrivals
  const isIn = (i: number) => kept[services.job[i]] === 1
  const journal = createJournal()
  const { rows } = journal
  const failures: Trace['failures'] = []
  const parts = createParts(flow, services.job, arrivals.at.length)
  const events = eventsOf(services.job, flow, arrivals)
  const lastOf = lastServices(services.job, flow)

  const order = Int32Array.from(events.time.keys())
  const { time: times, kind: kindOf, of } = events
  order.sort(
    (a, b) =>
      times[a] - times[b] ||
      kindOf[a] - kindOf[b] ||
      (kindOf[a] === WHOLE ? stage[of[a]] - stage[of[b]] : 0) ||
      of[a] - of[b],
  )
  let gaveUp = 0

  function fail(time: number, job: number, at: number, reason: string): void {
    log.pushRow(rows, time, log.FAILED, at, NONE, job)
    failures.push({ time, kind: 'job', job, stage: at, reason })
    parts.fail(job, at, (kind, where) => log.pushRow(rows, time, kind, where, NONE, job))
  }

  function end(i: number): void {
    const of = services.job[i]
    const job = number[of]
    const time = ended[i]
    const isLast = lastOf[of] === i
    if (threw[i] === 1) {
      log.pushRow(rows, time, log.THREW, stage[i], workers.worker[i], job)
      parts.putBack(job, stage[i])
      const text = table.error[services.span[i]]
      if (parts.isLost(job)) log.pushRow(rows, time, log.WITHDRAWN, stage[i], NONE, job)
      else if (!parts.comesAgain(i)) fail(time, job, stage[i], table.texts[text] || t('The span has an error.'))
      return
    }
    log.pushFinished(rows, time, stage[i], workers.worker[i], job, began[i], time)
    const next = parts.moveOn(job, i, isLast, (kind, where) => log.pushRow(rows, time, kind, where, NONE, job))
    if (next === 'out') log.pushRow(rows, time, log.RELEASED, NONE, NONE, job)
    else if (isLast && !parts.isLost(job) && next !== 'parts' && !Number.isNaN(left[of])) {
      gaveUp++
      fail(
        time,
        job,
        next,
        failed[of] === NONE ? t('The job left early.') : table.texts[failed[of]] || t('The span has an error.'),
      )
    }
  }

  for (const event of order) {
    const i = of[event]
    if (kindOf[event] === ARRIVAL) {
      log.pushRow(rows, times[event], log.ARRIVED, NONE, NONE, i)
      parts.enter(i)
      continue
    }
    if (kindOf[event] !== END)
      log.pushRow(rows, began[i], log.STARTED, stage[i], workers.worker[i], number[services.job[i]])
    if (kindOf[event] !== END) parts.take(number[services.job[i]], stage[i])
    if (kindOf[event] !== BEGIN) end(i)
    if (rows.length > 30_000_000) throw new Refusal('', t('the run has more rows than a record may have'))
  }
  const last = rows.length === 0 ? 0 : log.rowTime(rows, rows.length - 1)
  log.pushRow(rows, last, log.EXHAUSTED, NONE, NONE, NONE)
  if (gaveUp > 0) notes.push(t('Jobs that left before the last stage count as failed: {gaveUp}.', { gaveUp }))
  const scenario = scenarioOfRun(flow, isIn, workers, { at: arrivals.at, failures, title, last })
  const trace = createTrace(scenario, 'functions', base > SINCE_1970 ? Math.floor(base / 1000) : 0)
  append(trace, journal)
  trace.failures.push(...failures)
  const counts = checked(trace, rows, arrivals.at.length)
  const inside = counts.arrived - counts.released - counts.failed
  trace.ending = inside === 0 ? 'drained' : 'stopped'
  if (inside > 0) notes.push(t('Jobs still inside at the end: {inside}.', { inside }))
  return trace
}

/** Numbers the jobs in the order in which they came. */
function numberJobs(job: Int32Array, kept: Uint8Array, came: Float64Array, base: number) {
  const served = new Uint8Array(kept.length)
  for (const of of job) served[of] = kept[of]
  const order = Int32Array.from(served.keys()).filter((of) => served[of] === 1)
  order.sort((a, b) => came[a] - came[b] || a - b)
  const number = new Int32Array(kept.length).fill(NONE)
  const at = Float64Array.from(order, (of, k) => {
    number[of] = k
    return Math.max(0, Math.floor(came[of] - base))
  })
  return { number, at }
}

function eventsOf(job: Int32Array, { began, ended, kept }: SpanFlow, { at }: { readonly at: Float64Array }) {
  const services = Int32Array.from(job.keys()).filter((i) => kept[job[i]] === 1)
  const length = at.length + 2 * services.length
  const time = new Float64Array(length)
  const kind = new Uint8Array(length)
  const of = new Int32Array(length)
  let n = 0
  const push = (when: number, what: number, which: number) => {
    time[n] = when
    kind[n] = what
    of[n++] = which
  }
  for (const [k, when] of at.entries()) push(when, ARRIVAL, k)
  for (const i of services) {
    if (began[i] === ended[i]) push(began[i], WHOLE, i)
    else {
      push(began[i], BEGIN, i)
      push(ended[i], END, i)
    }
  }
  return { time: time.subarray(0, n), kind: kind.subarray(0, n), of: of.subarray(0, n) }
}

/** By job: the service that ends last. */
function lastServices(job: Int32Array, { ended, stage, kept }: SpanFlow): Int32Array {
  const last = new Int32Array(kept.length).fill(NONE)
  for (let i = 0; i < job.length; i++) {
    const before = last[job[i]]
    if (before === NONE || ended[i] > ended[before] || (ended[i] === ended[before] && stage[i] >= stage[before]))
      last[job[i]] = i
  }
  return last
}

/** Checks the rows as those of any file, and returns the counts after the last. */
function checked(trace: Trace, rows: log.Rows, jobs: number) {
  const checker = createRowChecker(trace, jobs)
  for (let i = 0; i < rows.length; i++) {
    const objection = checkRow(checker, log.rowAt(rows, i), rows, i)
    if (objection !== null)
      throw new Refusal('', t('no run can be made of the spans: {message}', { message: objection.message }))
  }
  return checker.counts
}

/** The most measured times that a stage keeps: as many as a scenario of 256 stages has room for, and enough for its tail. */
const SAMPLES = 1000

interface Measured {
  /** When each job came, in order. */
  readonly at: Float64Array
  readonly failures: Trace['failures']
  readonly title: string
  readonly last: number
}

/** Returns the scenario of a run: service times as measured, arrivals as they came, workers as they were. */
function scenarioOfRun(
  flow: SpanFlow,
  isIn: (i: number) => boolean,
  workers: Workers,
  { at, failures, title, last }: Measured,
): Scenario {
  const { graph, stage, began, ended, threw } = flow
  const { stages } = graph
  const times: number[][] = stages.map(() => [])
  /** By worker: its only stage; null: several. */
  const only = new Map<number, number | null>()
  for (let i = 0; i < stage.length; i++) {
    if (!isIn(i)) continue
    if (threw[i] === 0) times[stage[i]].push(ended[i] - began[i])
    const before = only.get(workers.worker[i])
    only.set(workers.worker[i], before === undefined || before === stage[i] ? stage[i] : null)
  }
  const failed = stages.map((): number[] => [])
  for (const failure of failures)
    if (failure.stage !== undefined && failure.job !== undefined) failed[failure.stage].push(failure.job)
  const room = (MAX_SERVICES - at.length * stages.length) / stages.length
  const allocation = Object.fromEntries(
    stages.map(({ id }, s) => [id, [...only.values()].filter((each) => each === s).length]),
  )
  const parsed = parse({
    version: 1,
    title: [...title].slice(0, 80).join(''),
    source: sourceOf(at, last),
    stages: stages.map(({ id, name }, s) => ({
      id,
      name,
      service: serviceOf(times[s]),
      ...(failed[s].length > 0 &&
        failed[s].length < Math.min(MAX_ITEMS, room) && { fails: { jobs: failed[s].sort((a, b) => a - b), tries: 1 } }),
      ...(graph.joins[s] > 1 && { join: 'all' }),
      ...(graph.routes &&
        graph.next[s].length > 1 && {
          fanOut: { route: Object.fromEntries(graph.next[s].map((to, k) => [stages[to].id, graph.weights[s][k]])) },
        }),
    })),
    links: graph.links,
    workers: Math.max(1, workers.count),
    // Each worker stays where it was seen.
    ...([...only.values()].every((each) => each !== null) &&
      only.size > 0 && { policy: { kind: 'fixed', allocation } }),
  })
  if ('scenario' in parsed) return parsed.scenario
  const [{ path, message }] = parsed.problems
  throw new Refusal('', t('no run can be made of the spans: {message}', { message: `${path}: ${message}` }))
}

function sourceOf(at: Float64Array, last: number): object {
  const jobs = at.length
  if (at.every((time) => time === 0)) return { kind: 'batch', jobs }
  if (jobs <= MAX_ITEMS) return { kind: 'times', at: [...at] }
  return { kind: 'regular', rate: Math.min(1_000_000, (jobs * 1e6) / Math.max(1, at[jobs - 1] ?? last)), jobs }
}

/** Returns the distribution of these times, with at most `SAMPLES` of them, of the same mean. */
function serviceOf(times: readonly number[]): object {
  if (times.length === 0) return { kind: 'constant', mean: 1 }
  const sorted = Float64Array.from(times).sort()
  const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length
  if (sorted[0] === sorted[sorted.length - 1]) return { kind: 'constant', mean: Math.max(1, mean) }
  const count = Math.min(SAMPLES, sorted.length)
  const chosen = Array.from({ length: count }, (_, k) => sorted[Math.floor(((k + 0.5) * sorted.length) / count)])
  const scale =
    (mean * count) /
    Math.max(
      1,
      chosen.reduce((sum, time) => sum + time, 0),
    )
  return { kind: 'empirical', values: chosen.map((time) => Math.max(1, Math.round(time * scale))) }
}
