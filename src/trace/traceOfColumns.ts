import { t } from '../language/translate.ts'
import { countRow } from '../pipeline/countRow.ts'
import { createCounts } from '../pipeline/counts.ts'
import { createDecisions, createJournal, type Ending, type Failure, type Journal, pushDecision, pushSeats } from '../pipeline/journal.ts'
import { createRows, FINISHED, kinds, pushFinished, pushRow, type Row, type RowKind } from '../pipeline/rows.ts'
import { workersEver } from '../pipeline/topology.ts'
import { engineNames } from '../scenario/model/engines.ts'
import { CLOCK_END, MAX_JOBS } from '../scenario/model/limits.ts'
import type { Scenario } from '../scenario/model/scenario.ts'
import type { TraceFile } from './fileColumns.ts'
import type { NumberColumn } from './jsonNumbers.ts'
import { createLedger, enter } from './ledger.ts'
import { Refusal, requireList, requireOneOf, requireRecord, requireWhole, shownValue } from './refusal.ts'
import { append, createTrace, type Trace } from './trace.ts'
import { columnNames } from './traceJson.ts'

/** Of one failure. */
const MAX_REASON = 10_000

/** The trace that a file holds. No row is taken that could not have followed those before it: refused, with its place. */
export function traceOf({ found, columns, entries, ends, hashes }: TraceFile, scenario: Scenario, progress: (share: number) => void): Trace {
  const engine = requireOneOf(found.engine, engineNames, 'engine')
  const trace = createTrace(scenario, engine, requireWhole(found.startedAt, 0, CLOCK_END, 'startedAt'))
  requireWhole(found.threads, 0, workersEver(scenario), 'threads')
  trace.ending = found.ending === null ? null : requireOneOf<Ending>(found.ending, ['drained', 'stopped', 'stuck'], 'ending')
  const journal = createJournal()
  readRows(columns, kindsOf(found.kinds), trace, journal, progress)
  readDecisions(entries, ends, hashes, scenario, journal)
  append(trace, journal)
  requireList(found.failures, 'failures').forEach((failure, i) => {
    trace.failures.push(failureOf(requireRecord(failure, `failures[${i}]`), `failures[${i}]`))
  })
  return trace
}

/** Our number of each of the file's kinds. */
function kindsOf(value: unknown): number[] {
  return requireList(value, 'kinds').map((name, k) => kinds.indexOf(requireOneOf<RowKind>(name, kinds, `kinds[${k}]`)))
}

/** Which numbers a row of a kind has; it has none of the others, but that `lost` and the like stand without a stage. */
const needsOf: Readonly<Record<RowKind, readonly ('stage' | 'worker' | 'job')[]>> = {
  finished: ['stage', 'worker', 'job'],
  threw: ['stage', 'worker'],
  lost: ['worker'],
  joined: ['worker'],
  arrived: ['job'],
  exhausted: [],
  tick: [],
  stopped: [],
  started: ['stage', 'worker', 'job'],
  hired: ['stage', 'worker'],
  dismissed: ['stage', 'worker'],
  released: ['job'],
  failed: ['stage', 'job'],
  second: ['stage', 'worker'],
  routed: ['stage', 'job'],
  gathered: ['job'],
  withdrawn: ['stage', 'job'],
  discarded: ['stage', 'job'],
  turned: ['job'],
}

const needs = kinds.map((kind) => needsOf[kind])

function readRows(
  columns: Readonly<Record<string, NumberColumn>>,
  kindOf: readonly number[],
  trace: Trace,
  journal: Journal,
  progress: (share: number) => void,
): void {
  const { scenario, topology } = trace
  const [time, kind, stage, worker, job, began, ended] = columnNames.map((name) => columns[name].values)
  const { length } = columns.time
  for (const name of columnNames) {
    if (columns[name].length === length) continue
    throw new Refusal(
      `events.${name}`,
      t('has {length} rows where events.time has {length2}; allowed: columns of one length', { length: columns[name].length, length2: length }),
    )
  }
  const rows = createRows(length)
  journal.rows = rows
  const counts = createCounts(scenario)
  const ledger = createLedger(scenario, topology, counts, 1 + greatest(job, length))
  const stages = scenario.stages.length
  const row: { -readonly [K in keyof Row]: Row[K] } = { time: 0, kind: 0, stage: 0, worker: 0, job: 0, began: 0, ended: 0 }
  let now = 0
  for (let i = 0; i < length; i++) {
    if ((i & 0x3ffff) === 0x3ffff) progress(i / length)
    row.kind = kindOf[within(kind[i], 0, kindOf.length - 1, 'kind', i)]
    row.stage = within(stage[i], -1, stages - 1, 'stage', i)
    row.worker = within(worker[i], -1, counts.status.length - 1, 'worker', i)
    row.job = job[i]
    // Time never runs back.
    row.time = now = within(time[i], now, CLOCK_END, 'time', i)
    for (const need of needs[row.kind])
      if (row[need] < 0) throw new Refusal(`events.${need}[${i}]`, t('a row of the kind {kinds} needs one', { kinds: kinds[row.kind] }))
    const worked = row.kind === FINISHED
    row.ended = worked ? within(ended[i], 0, now, 'ended', i) : within(ended[i], -1, -1, 'ended', i)
    row.began = worked ? within(began[i], 0, row.ended, 'began', i) : within(began[i], -1, -1, 'began', i)
    const objection = enter(ledger, row)
    if (objection !== null) throw new Refusal(`events.${objection.column}[${i}]`, t('{message} (after the rows before it)', { message: objection.message }))
    if (worked) pushFinished(rows, now, row.stage, row.worker, row.job, row.began, row.ended)
    else pushRow(rows, now, row.kind, row.stage, row.worker, row.job)
    countRow(topology, counts, rows, i)
  }
}

function greatest(values: NumberColumn['values'], length: number): number {
  let most = -1
  for (let i = 0; i < length; i++) if (values[i] > most) most = values[i]
  return most
}

function within(value: number, least: number, most: number, name: string, i: number): number {
  if (value >= least && value <= most) return value
  return requireWhole(value, least, most, `events.${name}[${i}]`)
}

function readDecisions(entries: NumberColumn, ends: NumberColumn, hashes: NumberColumn, scenario: Scenario, journal: Journal): void {
  if (hashes.length !== ends.length)
    throw new Refusal('hashes', t('has {length} where there are {length2} decisions', { length: hashes.length, length2: ends.length }))
  const stages = scenario.stages.length
  const workers = workersEver(scenario)
  const numbers = entries.values
  journal.decisions = createDecisions(Math.max(1, ends.length))
  let row = 0
  for (let d = 0; d < ends.length; d++) {
    const from = d === 0 ? 0 : ends.values[d - 1]
    const to = ends.values[d]
    if ((to - from) % 2 === 0) throw new Refusal(`decisions[${d}]`, t('allowed: [row, stage, seats, stage, seats, ...]'))
    const number = (c: number, least: number, most: number) => {
      const value = numbers[from + c]
      return value >= least && value <= most ? value : requireWhole(value, least, most, `decisions[${d}][${c}]`)
    }
    row = number(0, row, journal.rows.length)
    pushDecision(journal.decisions, row, hashes.values[d])
    for (let c = 1; from + c < to; c += 2) pushSeats(journal.decisions, number(c, 0, stages - 1), number(c + 1, 0, workers))
  }
}

function failureOf(entry: Record<string, unknown>, path: string): Failure {
  const { time, kind, reason, ...rest } = entry
  if (typeof reason !== 'string' || reason.length > MAX_REASON)
    throw new Refusal(`${path}.reason`, t('found {reason}; allowed: a text', { reason: shownValue(reason) }))
  const where: { -readonly [K in 'job' | 'stage' | 'worker']?: number } = {}
  for (const [key, value] of Object.entries(rest))
    where[requireOneOf(key, ['job', 'stage', 'worker'] as const, path)] = requireWhole(value, -1, MAX_JOBS, `${path}.${key}`)
  const named = requireOneOf(kind, ['job', 'worker'] as const, `${path}.kind`)
  const of = named === 'worker' && where.worker === undefined ? 'run' : named
  return { time: requireWhole(time, 0, CLOCK_END, `${path}.time`), kind: of, ...where, reason }
}
