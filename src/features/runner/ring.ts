import { countRow } from '../../pipeline/countRow.ts'
import { type Counts, copyCounts, createCounts, frontOf, isOutside } from '../../pipeline/counts.ts'
import {
  applySeats,
  createJournal,
  type Failure,
  type Journal,
  pushDecision,
  pushSeats,
} from '../../pipeline/journal.ts'
import * as log from '../../pipeline/rows.ts'
import type { Topology } from '../../pipeline/topology.ts'
import { createWorkerJobs, updateWorkerJobs, type WorkerJobs } from '../../pipeline/workerJobs.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { journalBetween, type TracePlace } from '../../trace/journalBetween.ts'
import { append, chunkOf, createTrace, type Trace, timeOf } from '../../trace/trace.ts'

/** A row of the past that is kept, with its place in the run and the jobs that its worker put back. */
interface PastRow extends log.Row {
  readonly place: number
  readonly back: readonly number[]
}

/** What is kept of the rows before some place: those of the jobs that are inside, and of the last job of each worker. */
interface Past {
  readonly counts: Counts
  readonly hands: WorkerJobs
  readonly seats: Uint16Array
  readonly jobs: Map<number, PastRow[]>
  /** Jobs that are kept though they have left: the last of a worker, and parts of failed jobs in hand. */
  readonly left: Set<number>
  readonly last: number[]
  /** By worker: when it came and went. */
  readonly presence: PastRow[][]
  exhausted: PastRow | null
  /** The phases that began since the first start that is kept, and how many began before it. */
  readonly phases: PastRow[]
  phasesBefore: number
  /** The row that announces the batch being given. */
  announced: PastRow | null
}

/** Keeps the last rows of a run, at least `rows` of them (Infinity: all), and of those before what is still inside: see docs/files.md. */
export function createRing(scenario: Scenario, rows: number) {
  let recent = createTrace(scenario, 'functions', 0)
  const { topology } = recent
  const { counts } = recent.head
  const past: Past = {
    counts: copyCounts(counts),
    hands: createWorkerJobs(counts.status.length),
    seats: new Uint16Array(topology.stages),
    jobs: new Map(),
    left: new Set(),
    last: Array.from(counts.status, () => log.NONE),
    presence: Array.from(counts.status, () => []),
    exhausted: null,
    phases: [],
    phasesBefore: 0,
    announced: null,
  }
  /** The place of the first recent row. */
  let before = 0
  return {
    /** How many recent rows there are. */
    get length() {
      return recent.length
    },
    take(journal: Journal): void {
      append(recent, journal)
      if (recent.length < 2 * rows) return
      const to = cutOf(recent, rows)
      foldTo(past, topology, recent, before, to)
      tidy(past)
      const rest = createTrace(scenario, 'functions', 0)
      append(rest, journalBetween(recent, to))
      const since = timeOf(recent, to.rows)
      rest.failures.push(...recent.failures.filter(({ time }) => time >= since))
      recent = rest
      before += to.rows
    },
    failure(failure: Failure): void {
      recent.failures.push(failure)
    },
    /** Returns the trace of the last rows as a run of its own, whose jobs are numbered from 0, under the scenario as it stands now. */
    trace(now: Scenario, startedAt: number): Trace {
      const to = cutOf(recent, rows)
      const kept = structuredClone(past)
      foldTo(kept, topology, recent, before, to)
      tidy(kept)
      return before + to.rows === 0
        ? { ...recent, scenario: now, startedAt }
        : traceFrom(kept, recent, to, { ...now, workerEvents: scenario.workerEvents }, startedAt)
    },
  }
}

/** Returns where the last `rows` rows begin: at the first row of an instant. */
function cutOf(trace: Trace, rows: number): TracePlace {
  let row = Math.max(0, trace.length - rows)
  while (row > 0 && timeOf(trace, row) === timeOf(trace, row - 1)) row--
  let decisions = 0
  // A decision before this row was taken at the instant before.
  while (decisions < trace.decisions.length && trace.decisions.row[decisions] <= row) decisions++
  return { rows: row, decisions: row === 0 ? 0 : decisions }
}

function foldTo(past: Past, topology: Topology, trace: Trace, before: number, to: TracePlace): void {
  for (let row = 0; row < to.rows; row++) {
    const { chunk, at } = chunkOf(trace.chunks, row)
    fold(past, topology, chunk, at, before + row)
  }
  for (let d = 0; d < to.decisions; d++) applySeats(trace.decisions, d, past.seats)
}

function fold(past: Past, topology: Topology, rows: log.Rows, i: number, place: number): void {
  const { counts, hands, jobs, left, last, presence } = past
  const back = updateWorkerJobs(hands, counts, rows, i)
  countRow(topology, counts, rows, i)
  const one: PastRow = { ...log.rowAt(rows, i), place, back }
  const { kind, worker, job } = one
  if (kind !== log.STARTED || past.announced?.worker !== worker) past.announced = kind === log.PREFETCH ? one : null
  switch (kind) {
    case log.ARRIVED:
      jobs.set(job, [one])
      return
    case log.STARTED: {
      if (past.announced !== null) jobs.get(job)?.push(past.announced)
      jobs.get(job)?.push(one)
      const earlier = last[worker]
      last[worker] = job
      forget(past, topology, earlier)
      return
    }
    case log.THREW:
    case log.LOST:
      for (const each of back) jobs.get(each)?.push(one)
      if (kind === log.LOST) presence[worker].push(one)
      return
    case log.JOINED:
    case log.HIRED:
    case log.DISMISSED:
      presence[worker].push(one)
      return
    case log.EXHAUSTED:
      past.exhausted = one
      return
    case log.PHASE:
      past.phases.push(one)
      return
  }
  if (job === log.NONE) return
  jobs.get(job)?.push(one)
  if (kind === log.RELEASED || kind === log.FAILED) left.add(job)
  forget(past, topology, job)
}

/** Forgets a job that has left, unless a worker served it last or still has a part of it. */
function forget({ jobs, left, last, hands }: Past, { copies }: Topology, job: number): void {
  if (!left.has(job) || last.includes(job) || (copies && hands.some((hand) => hand.includes(job)))) return
  jobs.delete(job)
  left.delete(job)
}

/** Between two rows that are kept of a worker, only its last coming and going matter; of phases, those since the first start. */
function tidy(past: Past): void {
  const { jobs, presence, phases } = past
  const kept = presence.map((): number[] => [])
  for (const rows of jobs.values())
    for (const { kind, worker, place } of rows) if (kind === log.STARTED || kind === log.LOST) kept[worker].push(place)
  const first = Math.min(...kept.map((places) => Math.min(...places)))
  while (phases.length > 0 && phases[0].place < first) {
    phases.shift()
    past.phasesBefore++
  }
  for (const [worker, rows] of presence.entries()) {
    const places = kept[worker].sort((a, b) => a - b)
    const between = (place: number) => places.filter((each) => each <= place).length
    const gaps = new Map<number, PastRow[]>()
    for (const row of rows) gaps.set(between(row.place), [...(gaps.get(between(row.place)) ?? []), row])
    // A worker that leaves in a gap leaves from its stage before the gap, even if it was at others in between.
    const goes = ({ kind }: PastRow) => kind === log.DISMISSED || kind === log.LOST
    presence[worker] = [...gaps.values()].flatMap((gap) => {
      if (goes(gap[0])) return gap.length % 2 === 1 ? gap.slice(0, 1) : [gap[0], gap[gap.length - 1]]
      return gap.slice(gap.length % 2 === 1 ? -1 : -2)
    })
  }
}

/** Returns the trace that begins with what is kept of the past. */
function traceFrom(past: Past, recent: Trace, to: TracePlace, now: Scenario, startedAt: number): Trace {
  const { counts, jobs, seats } = past
  const numbers = new Map([...jobs.keys()].sort((a, b) => a - b).map((job, number) => [job, number]))
  const numberOf = (job: number): number => (job < 0 ? job : (numbers.get(job) ?? numbers.size + job - counts.arrived))
  const begins = timeOf(recent, to.rows)
  const toCome = now.later.slice(past.phasesBefore)
  // A phase begins no earlier than 1, and each later than the one before.
  const shift: Micros = Math.min(begins, ...[...jobs.values()].map(([{ time }]) => time)) - toCome.length
  const later = toCome.map((each, k) => ({ ...each, at: Math.max(k + 1, each.at - shift) }))
  const scenario: Scenario = { ...scenarioAtPhase(now, past.phasesBefore), later }
  const trace = createTrace(scenario, 'functions', startedAt + Math.round(shift / 1000))
  const journal = createJournal()
  pushPast(past, numbers, shift, journal.rows, scenario, trace.topology)
  const { length } = journal.rows
  // The seats in force: what this decision saw is not known.
  if (seats.some((given) => given > 0)) pushDecision(journal.decisions, Math.max(1, length), 0)
  for (const [stage, given] of seats.entries()) if (given > 0) pushSeats(journal.decisions, stage, given)
  append(trace, journal)
  const rest = journalBetween(recent, to)
  const { rows } = createJournal()
  for (let i = 0; i < rest.rows.length; i++) {
    const row = log.rowAt(rest.rows, i)
    pushShifted(rows, row, shift, row.kind === log.PHASE ? row.job - past.phasesBefore : numberOf(row.job))
  }
  append(trace, { rows, decisions: rest.decisions })
  const { arrived, released, failed } = counts
  trace.begins = { row: length, time: begins - shift, arrived, released, failed }
  trace.failures.push(
    ...recent.failures
      .filter(({ time }) => time >= begins)
      .map((failure) => ({
        ...failure,
        time: failure.time - shift,
        ...(failure.job !== undefined && { job: numberOf(failure.job) }),
      })),
  )
  return trace
}

/** Appends the kept rows of the past that together lead to the state at its end. Jobs get their new numbers. */
function pushPast(
  past: Past,
  numbers: ReadonlyMap<number, number>,
  shift: Micros,
  rows: log.Rows,
  scenario: Scenario,
  topology: Topology,
): void {
  const counts = createCounts(scenario)
  const hands = createWorkerJobs(counts.status.length)
  const all = new Map<number, PastRow>()
  for (const list of [
    ...past.jobs.values(),
    ...past.presence,
    past.phases,
    past.exhausted === null ? [] : [past.exhausted],
  ])
    for (const row of list) all.set(row.place, row)
  for (const row of [...all.values()].sort((a, b) => a.place - b.place)) {
    if (!follows(row, counts, numbers)) continue
    pushShifted(
      rows,
      row,
      shift,
      row.kind === log.PHASE ? row.job - past.phasesBefore : (numbers.get(row.job) ?? log.NONE),
    )
    updateWorkerJobs(hands, counts, rows, rows.length - 1)
    countRow(topology, counts, rows, rows.length - 1)
  }
}

/** Appends a row, earlier by `shift`. Who came long before is there from the beginning. */
function pushShifted(rows: log.Rows, row: log.Row, shift: Micros, job: number): void {
  const { kind, stage, worker } = row
  const time = Math.max(0, row.time - shift)
  if (kind === log.FINISHED) log.pushFinished(rows, time, stage, worker, job, row.began - shift, row.ended - shift)
  else log.pushRow(rows, time, kind, stage, worker, job)
}

/** Whether a row of the past still has a meaning without the rows that are left out. */
function follows(
  { kind, stage, worker, back }: PastRow,
  counts: Counts,
  numbers: ReadonlyMap<number, number>,
): boolean {
  switch (kind) {
    case log.LOST:
      return !isOutside(counts.status[worker])
    case log.JOINED:
    case log.HIRED:
      return isOutside(counts.status[worker])
    case log.DISMISSED:
      return !isOutside(counts.status[worker]) && counts.leaving[worker] === 0 && counts.stage[worker] === stage
    case log.PREFETCH:
      return counts.jobsInHand[worker] > 0 && counts.prefetching[worker] === 0 && counts.stage[worker] === stage
    case log.THREW:
      return frontOf(counts, worker) > 0 && back.some((job) => numbers.has(job))
    default:
      return true
  }
}
