import { createDecisions, createJournal, type Ending, type Failure, type Journal, pushDecision, pushSeats } from '../pipeline/journal.ts'
import { createRows, DISMISSED, FINISHED, HIRED, kinds, pushFinished, pushRow, type RowKind, SECOND } from '../pipeline/rows.ts'
import { ABSENT, countRow, createTally } from '../pipeline/tally.ts'
import { workersEver } from '../pipeline/topology.ts'
import { CLOCK_END, MAX_JOBS } from '../scenario/limits.ts'
import { parse } from '../scenario/parse.ts'
import type { Problem, Scenario } from '../scenario/scenario.ts'
import { append, createTrace, type EngineName, type Trace } from './trace.ts'
import { columnNames, TRACE_FORMAT, TRACE_VERSION } from './traceJson.ts'

export type TraceRead = { readonly trace: Trace } | { readonly problems: readonly Problem[] }

/** Thrown within this file, to be handed out as a problem. */
class Refusal extends Error {
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/**
 * Reads what `writeTraceJson` writes, as text or as the object it stands for: the same trace, digit for digit, or what is
 * wrong with it and where. Strict, and no row is taken that could not have followed those before it. Never throws.
 */
export function readTraceJson(input: unknown): TraceRead {
  try {
    const file = record(typeof input === 'string' ? json(input) : input, '')
    checkFormat(file)
    const parsed = parse(file.scenario)
    if ('problems' in parsed)
      return { problems: parsed.problems.map(({ path, message }) => ({ path: path === '' ? 'scenario' : `scenario.${path}`, message })) }
    return { trace: traceOf(file, parsed.scenario) }
  } catch (error) {
    if (error instanceof Refusal) return { problems: [{ path: error.path, message: error.message }] }
    return { problems: [{ path: '', message: 'the trace cannot be read; allowed: plain JSON' }] }
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('', 'this is not JSON: a trace is a JSON object; perhaps the file is cut off')
  }
}

const keys = ['format', 'version', 'engine', 'scenario', 'startedAt', 'threads', 'ending', 'kinds', 'events', 'decisions', 'hashes', 'failures']

function checkFormat(file: Record<string, unknown>): void {
  if (file.format !== TRACE_FORMAT) throw new Refusal('format', `found ${shown(file.format)}; allowed: "${TRACE_FORMAT}"`)
  if (typeof file.version === 'number' && file.version > TRACE_VERSION)
    throw new Refusal('version', `made by a newer version, ${file.version}; this one reads ${TRACE_VERSION}`)
  if (file.version !== TRACE_VERSION) throw new Refusal('version', `found ${shown(file.version)}; allowed: ${TRACE_VERSION}`)
  for (const key of Object.keys(file)) if (!keys.includes(key)) throw new Refusal(key.slice(0, 40), 'is no part of a trace')
  for (const key of keys) if (!Object.hasOwn(file, key)) throw new Refusal(key, 'is missing')
}

function traceOf(file: Record<string, unknown>, scenario: Scenario): Trace {
  const engine = oneOf<EngineName>(file.engine, ['simulation', 'threads'], 'engine')
  const trace = createTrace(scenario, engine, whole(file.startedAt, 0, CLOCK_END, 'startedAt'))
  whole(file.threads, 0, workersEver(scenario), 'threads')
  trace.ending = file.ending === null ? null : oneOf<Ending>(file.ending, ['drained', 'stopped', 'stuck'], 'ending')
  const journal = createJournal()
  readRows(record(file.events, 'events'), kindsOf(file.kinds), scenario, trace, journal)
  readDecisions(file, scenario, journal)
  append(trace, journal)
  list(file.failures, 'failures').forEach((failure, i) => {
    trace.failures.push(failureOf(record(failure, `failures[${i}]`), `failures[${i}]`))
  })
  return trace
}

/** Our number of each of the file's kinds. */
function kindsOf(value: unknown): number[] {
  return list(value, 'kinds').map((name, k) => kinds.indexOf(oneOf<RowKind>(name, kinds, `kinds[${k}]`)))
}

/** Which numbers a row of a kind has; it has none of the others, but that `lost` and the like stand without a stage. */
const needs: Readonly<Record<RowKind, readonly ('stage' | 'worker' | 'job')[]>> = {
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
}

function readRows(events: Record<string, unknown>, kindOf: readonly number[], scenario: Scenario, trace: Trace, journal: Journal): void {
  for (const key of Object.keys(events)) if (!columnNames.includes(key)) throw new Refusal(`events.${key.slice(0, 40)}`, 'is no column of a trace')
  const [time, kind, stage, worker, job, began, ended] = columnNames.map((name) => list(events[name], `events.${name}`))
  for (const [c, column] of [time, kind, stage, worker, job, began, ended].entries()) {
    if (column.length !== time.length)
      throw new Refusal(`events.${columnNames[c]}`, `has ${column.length} rows where events.time has ${time.length}; allowed: columns of one length`)
  }
  const rows = createRows(time.length)
  journal.rows = rows
  const tally = createTally(scenario)
  let now = 0
  for (let i = 0; i < time.length; i++) {
    const k = kindOf[whole(kind[i], 0, kindOf.length - 1, 'events.kind', i)]
    const s = whole(stage[i], -1, scenario.stages.length - 1, 'events.stage', i)
    const w = whole(worker[i], -1, tally.status.length - 1, 'events.worker', i)
    const j = whole(job[i], -1, MAX_JOBS - 1, 'events.job', i)
    now = whole(time[i], now, CLOCK_END, 'events.time', i)
    const has = { stage: s, worker: w, job: j }
    for (const need of needs[kinds[k]]) if (has[need] < 0) throw new Refusal(`events.${need}[${i}]`, `a row of the kind ${kinds[k]} needs one`)
    if (k === FINISHED) {
      const end = whole(ended[i], 0, now, 'events.ended', i)
      pushFinished(rows, now, s, w, j, whole(began[i], 0, end, 'events.began', i), end)
    } else {
      whole(began[i], -1, -1, 'events.began', i)
      whole(ended[i], -1, -1, 'events.ended', i)
      pushRow(rows, now, k, s, w, j)
    }
    const comesOrGoes = k === HIRED || k === DISMISSED
    const impossible = (comesOrGoes && (k === HIRED) !== (tally.status[w] === ABSENT)) || (k === SECOND && (tally.hand[w] === 0 || tally.ahead[w] === 1))
    countRow(trace.topology, tally, rows, i)
    if (impossible || tally.parked < 0 || tally.live < 0 || (s >= 0 && (tally.waiting[s] < 0 || tally.inHands[s] < 0)) || (w >= 0 && tally.hand[w] < 0)) {
      throw new Refusal(`events.kind[${i}]`, `nothing can be ${kinds[k]} here, after the rows before it`)
    }
  }
}

function readDecisions(file: Record<string, unknown>, scenario: Scenario, journal: Journal): void {
  const all = list(file.decisions, 'decisions')
  const hashes = list(file.hashes, 'hashes')
  if (hashes.length !== all.length) throw new Refusal('hashes', `has ${hashes.length} where there are ${all.length} decisions`)
  journal.decisions = createDecisions(Math.max(1, all.length))
  let row = 0
  all.forEach((entry, d) => {
    const path = `decisions[${d}]`
    const numbers = list(entry, path)
    if (numbers.length % 2 === 0) throw new Refusal(path, 'allowed: [row, stage, seats, stage, seats, ...]')
    row = whole(numbers[0], row, journal.rows.length, path, 0)
    pushDecision(journal.decisions, row, whole(hashes[d], 0, 0xffffffff, 'hashes', d))
    for (let c = 1; c < numbers.length; c += 2) {
      pushSeats(journal.decisions, whole(numbers[c], 0, scenario.stages.length - 1, path, c), whole(numbers[c + 1], 0, 0xffff, path, c + 1))
    }
  })
}

function failureOf(entry: Record<string, unknown>, path: string): Failure {
  const { time, kind, reason, ...rest } = entry
  if (typeof reason !== 'string' || reason.length > 10_000) throw new Refusal(`${path}.reason`, `found ${shown(reason)}; allowed: a text`)
  const where: { -readonly [K in 'job' | 'stage' | 'worker']?: number } = {}
  for (const [key, value] of Object.entries(rest)) where[oneOf(key, ['job', 'stage', 'worker'] as const, path)] = whole(value, -1, MAX_JOBS, `${path}.${key}`)
  return { time: whole(time, 0, CLOCK_END, `${path}.time`), kind: oneOf(kind, ['job', 'worker'] as const, `${path}.kind`), ...where, reason }
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

function whole(value: unknown, least: number, most: number, path: string, index?: number): number {
  if (typeof value === 'number' && value >= least && value <= most && Math.floor(value) === value) return value
  throw new Refusal(
    index === undefined ? path : `${path}[${index}]`,
    `found ${shown(value)}; allowed: ${least === most ? least : `a whole number from ${least} to ${most}`}`,
  )
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
  return typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : String(value)
}
