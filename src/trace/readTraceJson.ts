import { createDecisions, createJournal, type Ending, type Failure, type Journal, pushDecision, pushSeats } from '../pipeline/journal.ts'
import { createRows, FINISHED, kinds, pushFinished, pushRow, type Row, type RowKind } from '../pipeline/rows.ts'
import { countRow, createTally } from '../pipeline/tally.ts'
import { workersEver } from '../pipeline/topology.ts'
import { toUtf8 } from '../scenario/bytes.ts'
import { CLOCK_END, MAX_JOBS, MAX_STAGES } from '../scenario/limits.ts'
import { parse } from '../scenario/parse.ts'
import type { Problem, Scenario } from '../scenario/scenario.ts'
import {
  type Column,
  createJsonBytes,
  feed,
  isSpent,
  type JsonBytes,
  place,
  type Reading,
  Refusal,
  shown,
  takeKey,
  takeLists,
  takeNumbers,
  takeObjectStart,
  takeValue,
  whole,
} from './jsonBytes.ts'
import { createLedger, enter } from './ledger.ts'
import { append, createTrace, type EngineName, type Trace } from './trace.ts'
import { columnNames, TRACE_FORMAT, TRACE_VERSION } from './traceJson.ts'

export type TraceRead = { readonly trace: Trace } | { readonly problems: readonly Problem[] }

/** Rows that a trace may have: the longest run that there can be has fewer. */
const MAX_ROWS = 30_000_000
/** Of one failure. */
const MAX_REASON = 10_000

/** Takes the bytes of a trace, UTF-8, in parts. */
export interface TraceReader {
  /** False when nothing more is wanted, because there is a problem already. */
  push(part: Uint8Array): boolean
  /** The trace, or what is wrong with it. `progress` is told the share of the rows that are checked, now and then. */
  end(progress?: (share: number) => void): TraceRead
}

/**
 * Reads what `writeTraceJson` writes, in parts as they come: the same trace, digit for digit, or what is wrong with it and
 * where. Strict, and no row is taken that could not have followed those before it. Its columns are read into columns, so
 * that a file of a hundred megabytes never becomes a tree of objects. Never throws.
 */
export function createTraceReader(): TraceReader {
  const json = createJsonBytes()
  const reading = takeFile(json)
  let file: TraceFile | null = null
  let problems: readonly Problem[] | null = null

  function go(): void {
    try {
      if (file === null) {
        const step = reading.next()
        if (step.done) file = step.value
      }
      if (file !== null && !isSpent(json)) throw new Refusal('', `more stands behind the trace, at ${place(json)}`)
    } catch (error) {
      problems = problemsOf(error)
    }
  }

  return {
    push(part) {
      if (problems !== null) return false
      feed(json, part)
      go()
      return problems === null
    },
    end(progress = () => {}) {
      json.over = true
      while (problems === null && file === null) go()
      if (problems !== null) return { problems }
      try {
        if (file === null) throw new Refusal('', 'the trace is empty')
        const parsed = parse(file.found.scenario)
        if ('problems' in parsed)
          return { problems: parsed.problems.map(({ path, message }) => ({ path: path === '' ? 'scenario' : `scenario.${path}`, message })) }
        return { trace: traceOf(file, parsed.scenario, progress) }
      } catch (error) {
        return { problems: problemsOf(error) }
      }
    },
  }
}

/** The same of a text that is there in whole. */
export function readTraceJson(text: string): TraceRead {
  const reader = createTraceReader()
  reader.push(toUtf8(text))
  return reader.end()
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof Refusal) return [{ path: error.path, message: error.message }]
  return [{ path: '', message: 'the trace cannot be read; allowed: plain JSON as Download trace writes it' }]
}

const keys = ['format', 'version', 'engine', 'scenario', 'startedAt', 'threads', 'ending', 'kinds', 'events', 'decisions', 'hashes', 'failures']

/** What stands in a file, its long parts in columns. */
interface TraceFile {
  readonly found: Readonly<Record<string, unknown>>
  readonly columns: Readonly<Record<string, Column>>
  /** The numbers of all decisions one after the other, and where each ends. */
  readonly entries: Column
  readonly ends: Column
  readonly hashes: Column
}

function column(name: string, least: number, most: number, values: Column['values'], room = MAX_ROWS): Column {
  return { name, room, least, most, length: 0, values }
}

/** Bounds that hold in every trace; what this one allows is seen when all of it is there. */
function createColumns(): Readonly<Record<string, Column>> {
  return {
    time: column('events.time', -CLOCK_END, CLOCK_END, new Float64Array(0)),
    kind: column('events.kind', -1, 0x7fff, new Int16Array(0)),
    stage: column('events.stage', -1, 0x7fff, new Int16Array(0)),
    worker: column('events.worker', -1, 0x7fff, new Int16Array(0)),
    job: column('events.job', -1, MAX_JOBS - 1, new Int32Array(0)),
    began: column('events.began', -1, CLOCK_END, new Float64Array(0)),
    ended: column('events.ended', -1, CLOCK_END, new Float64Array(0)),
  }
}

function* takeFile(json: JsonBytes): Reading<TraceFile> {
  yield* takeObjectStart(json, '')
  const found: Record<string, unknown> = {}
  const columns = createColumns()
  const entries = column('decisions', 0, MAX_ROWS, new Int32Array(0), 5 * MAX_ROWS)
  const ends = column('decisions', 0, 0x7fffffff, new Int32Array(0))
  const hashes = column('hashes', 0, 0xffffffff, new Uint32Array(0))
  for (let key = yield* takeKey(json, '', true); key !== null; key = yield* takeKey(json, '', false)) {
    if (!keys.includes(key)) throw new Refusal(key.slice(0, 40), foreign(found, key))
    if (Object.hasOwn(found, key)) throw new Refusal(key, 'stands here a second time')
    if (key === 'events') found[key] = yield* takeEvents(json, columns)
    else if (key === 'decisions') found[key] = yield* takeLists(json, entries, ends, 1 + 2 * MAX_STAGES)
    else if (key === 'hashes') found[key] = yield* takeNumbers(json, hashes)
    else found[key] = yield* takeValue(json, key)
    if (key === 'format' || key === 'version') checkFormat(found, key)
  }
  checkFormat(found, 'format')
  checkFormat(found, 'version')
  for (const key of keys) if (!Object.hasOwn(found, key)) throw new Refusal(key, 'is missing')
  return { found, columns, entries, ends, hashes }
}

function* takeEvents(json: JsonBytes, columns: Readonly<Record<string, Column>>): Reading<void> {
  yield* takeObjectStart(json, 'events')
  const seen = new Set<string>()
  for (let key = yield* takeKey(json, 'events', true); key !== null; key = yield* takeKey(json, 'events', false)) {
    if (!columnNames.includes(key)) throw new Refusal(`events.${key.slice(0, 40)}`, 'is no column of a trace')
    if (seen.has(key)) throw new Refusal(`events.${key}`, 'stands here a second time')
    seen.add(key)
    yield* takeNumbers(json, columns[key])
  }
  for (const name of columnNames) if (!seen.has(name)) throw new Refusal(`events.${name}`, 'found nothing; allowed: a list')
}

/** Known as soon as it is read: what is newer may well look otherwise further down. */
function checkFormat({ format, version }: Readonly<Record<string, unknown>>, key: 'format' | 'version'): void {
  if (key === 'format' && format !== TRACE_FORMAT) throw new Refusal('format', `found ${shown(format)}; allowed: "${TRACE_FORMAT}"`)
  if (key === 'format' || version === TRACE_VERSION) return
  if (typeof version === 'number' && version > TRACE_VERSION)
    throw new Refusal('version', `made by a newer version, ${version}; this one reads ${TRACE_VERSION}`)
  throw new Refusal('version', `found ${shown(version)}; allowed: ${TRACE_VERSION}`)
}

function foreign({ format }: Readonly<Record<string, unknown>>, key: string): string {
  if (format === TRACE_FORMAT) return 'is no part of a trace'
  if (key === 'traceEvents' || key === 'displayTimeUnit')
    return 'this is a Trace Event file, as Perfetto opens it; allowed: a file that Download trace has made'
  return 'is no part of a trace; allowed: a file that Download trace has made'
}

function traceOf({ found, columns, entries, ends, hashes }: TraceFile, scenario: Scenario, progress: (share: number) => void): Trace {
  const engine = oneOf<EngineName>(found.engine, ['simulation', 'threads'], 'engine')
  const trace = createTrace(scenario, engine, whole(found.startedAt, 0, CLOCK_END, 'startedAt'))
  whole(found.threads, 0, workersEver(scenario), 'threads')
  trace.ending = found.ending === null ? null : oneOf<Ending>(found.ending, ['drained', 'stopped', 'stuck'], 'ending')
  const journal = createJournal()
  readRows(columns, kindsOf(found.kinds), trace, journal, progress)
  readDecisions(entries, ends, hashes, scenario, journal)
  append(trace, journal)
  list(found.failures, 'failures').forEach((failure, i) => {
    trace.failures.push(failureOf(record(failure, `failures[${i}]`), `failures[${i}]`))
  })
  return trace
}

/** Our number of each of the file's kinds. */
function kindsOf(value: unknown): number[] {
  return list(value, 'kinds').map((name, k) => kinds.indexOf(oneOf<RowKind>(name, kinds, `kinds[${k}]`)))
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
}

const needs = kinds.map((kind) => needsOf[kind])

function readRows(
  columns: Readonly<Record<string, Column>>,
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
    throw new Refusal(`events.${name}`, `has ${columns[name].length} rows where events.time has ${length}; allowed: columns of one length`)
  }
  const rows = createRows(length)
  journal.rows = rows
  const tally = createTally(scenario)
  const ledger = createLedger(scenario, topology, tally, 1 + greatest(job, length))
  const stages = scenario.stages.length
  const row: { -readonly [K in keyof Row]: Row[K] } = { time: 0, kind: 0, stage: 0, worker: 0, job: 0, began: 0, ended: 0 }
  let now = 0
  for (let i = 0; i < length; i++) {
    if ((i & 0x3ffff) === 0x3ffff) progress(i / length)
    row.kind = kindOf[within(kind[i], 0, kindOf.length - 1, 'kind', i)]
    row.stage = within(stage[i], -1, stages - 1, 'stage', i)
    row.worker = within(worker[i], -1, tally.status.length - 1, 'worker', i)
    row.job = job[i]
    // Time never runs back.
    row.time = now = within(time[i], now, CLOCK_END, 'time', i)
    for (const need of needs[row.kind]) if (row[need] < 0) throw new Refusal(`events.${need}[${i}]`, `a row of the kind ${kinds[row.kind]} needs one`)
    const worked = row.kind === FINISHED
    row.ended = worked ? within(ended[i], 0, now, 'ended', i) : within(ended[i], -1, -1, 'ended', i)
    row.began = worked ? within(began[i], 0, row.ended, 'began', i) : within(began[i], -1, -1, 'began', i)
    const objection = enter(ledger, row)
    if (objection !== null) throw new Refusal(`events.${objection.column}[${i}]`, `${objection.message} (after the rows before it)`)
    if (worked) pushFinished(rows, now, row.stage, row.worker, row.job, row.began, row.ended)
    else pushRow(rows, now, row.kind, row.stage, row.worker, row.job)
    countRow(topology, tally, rows, i)
  }
}

function greatest(values: Column['values'], length: number): number {
  let most = -1
  for (let i = 0; i < length; i++) if (values[i] > most) most = values[i]
  return most
}

function within(value: number, least: number, most: number, name: string, i: number): number {
  if (value >= least && value <= most) return value
  return whole(value, least, most, `events.${name}[${i}]`)
}

function readDecisions(entries: Column, ends: Column, hashes: Column, scenario: Scenario, journal: Journal): void {
  if (hashes.length !== ends.length) throw new Refusal('hashes', `has ${hashes.length} where there are ${ends.length} decisions`)
  const stages = scenario.stages.length
  const numbers = entries.values
  journal.decisions = createDecisions(Math.max(1, ends.length))
  let row = 0
  for (let d = 0; d < ends.length; d++) {
    const from = d === 0 ? 0 : ends.values[d - 1]
    const to = ends.values[d]
    if ((to - from) % 2 === 0) throw new Refusal(`decisions[${d}]`, 'allowed: [row, stage, seats, stage, seats, ...]')
    const number = (c: number, least: number, most: number) => {
      const value = numbers[from + c]
      return value >= least && value <= most ? value : whole(value, least, most, `decisions[${d}][${c}]`)
    }
    row = number(0, row, journal.rows.length)
    pushDecision(journal.decisions, row, hashes.values[d])
    for (let c = 1; from + c < to; c += 2) pushSeats(journal.decisions, number(c, 0, stages - 1), number(c + 1, 0, 0xffff))
  }
}

function failureOf(entry: Record<string, unknown>, path: string): Failure {
  const { time, kind, reason, ...rest } = entry
  if (typeof reason !== 'string' || reason.length > MAX_REASON) throw new Refusal(`${path}.reason`, `found ${shown(reason)}; allowed: a text`)
  const where: { -readonly [K in 'job' | 'stage' | 'worker']?: number } = {}
  for (const [key, value] of Object.entries(rest)) where[oneOf(key, ['job', 'stage', 'worker'] as const, path)] = whole(value, -1, MAX_JOBS, `${path}.${key}`)
  const named = oneOf(kind, ['job', 'worker'] as const, `${path}.kind`)
  const of = named === 'worker' && where.worker === undefined ? 'run' : named
  return { time: whole(time, 0, CLOCK_END, `${path}.time`), kind: of, ...where, reason }
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal(path, `found ${shown(value)}; allowed: an object`)
  return value as Record<string, unknown>
}

function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refusal(path, `found ${shown(value)}; allowed: a list`)
  return value
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[], path: string): T {
  if (!allowed.includes(value as T)) throw new Refusal(path, `found ${shown(value)}; allowed: ${allowed.join(', ')}`)
  return value as T
}
