import { t } from '../../language/translate.ts'
import { isDrained } from '../../pipeline/counts.ts'
import { createDecisions, createJournal, type Journal, pushDecision, pushSeats } from '../../pipeline/journal.ts'
import {
  createRows,
  FINISHED,
  kinds,
  NONE,
  pushFinished,
  pushRow,
  type Row,
  type RowKind,
} from '../../pipeline/rows.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { toUtf8 } from '../../scenario/link/bytes.ts'
import { CLOCK_END } from '../../scenario/model/limits.ts'
import type { Problem, Scenario } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { allowedText, foundText, listText } from '../../scenario/model/words.ts'
import { checked } from '../../scenario/parse/checked.ts'
import { formerPolicies } from '../../scenario/parse/gone.ts'
import { parse } from '../../scenario/parse/parse.ts'
import { checkWhole, wholeText } from '../../scenario/parse/shape.ts'
import { createJsonBytes, feed, isAtEnd, readingPlace } from '../json/jsonBytes.ts'
import type { NumberColumn } from '../json/jsonNumbers.ts'
import { Refusal, required } from '../json/refusal.ts'
import { append, type Begins, createTrace, type Trace, timeOf } from '../trace.ts'
import { checkHead, readTraceColumns, type TraceFile, type TraceHead } from './readColumns.ts'
import { checkRow, createRowChecker, type RowChecker } from './rowChecker.ts'
import { columnNames } from './traceJson.ts'

export type TraceRead = { readonly trace: Trace } | { readonly problems: readonly Problem[] }

/** Returns a reader for the output of `writeTraceJson`: it returns the same trace, digit for digit, or problems. Never throws. */
export function createTraceReader() {
  const json = createJsonBytes()
  const reading = readTraceColumns(json)
  let file: TraceFile | null = null
  let problems: readonly Problem[] | null = null

  function go(): void {
    try {
      if (file === null) {
        const step = reading.next()
        if (step.done) file = step.value
      }
      if (file !== null && !isAtEnd(json))
        throw new Refusal('', t('there is more after the end, at {json}', { json: readingPlace(json) }))
    } catch (error) {
      problems = problemsOf(error)
    }
  }

  return {
    /** Takes the next bytes. Returns false when nothing more is needed, because there is a problem already. */
    push(part: Uint8Array): boolean {
      if (problems !== null) return false
      const isFirst = json.before + json.length === 0
      feed(json, isFirst ? withoutMark(part) : part)
      if (isFirst && !/^\s*([{[]|$)/.test(String.fromCharCode(...json.bytes.subarray(0, Math.min(json.length, 64)))))
        problems = [
          {
            path: '',
            message: t('this is not a trace, which begins with {form}. Drop other files on the page', { form: BEGINS }),
          },
        ]
      else go()
      return problems === null
    },
    /** Returns the trace, or its problems. Calls `progress` from time to time with the share of checked rows. */
    end(progress: (share: number) => void = () => {}): TraceRead {
      json.over = true
      while (problems === null && file === null) go()
      if (problems !== null) return { problems }
      try {
        if (file === null) throw new Refusal('', t('the file is empty'))
        const parsed = parse(file.found.scenario)
        if ('problems' in parsed)
          return {
            problems: parsed.problems.map(({ path, message }) => ({
              path: path === '' ? 'scenario' : `scenario.${path}`,
              message,
            })),
          }
        const head = checked(checkHead(parsed.scenario), file.found)
        return 'problems' in head ? head : { trace: traceOf(file, head.value, parsed.scenario, progress) }
      } catch (error) {
        return { problems: problemsOf(error) }
      }
    },
  }
}

/** Reads a whole text. */
export function readTraceJson(text: string): TraceRead {
  const reader = createTraceReader()
  reader.push(toUtf8(text))
  return reader.end()
}

const BEGINS = '{"format": "apportion-trace"'

/** Some editors write a byte order mark first. */
function withoutMark(part: Uint8Array): Uint8Array {
  return part[0] === 0xef && part[1] === 0xbb && part[2] === 0xbf ? part.subarray(3) : part
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof Refusal) return [{ path: error.path, message: error.message }]
  return [{ path: '', message: t('not readable; allowed: plain JSON') }]
}

/** Returns the trace of a file. Throws a Refusal with its place for a row that could not follow those before it. */
export function traceOf(
  { found, columns, entries, ends, hashes }: TraceFile,
  head: TraceHead,
  scenario: Scenario,
  progress: (share: number) => void,
): Trace {
  const trace = createTrace(scenario, head.engine, head.startedAt, formerPolicies(found.scenario))
  trace.ending = head.ending
  const journal = createJournal()
  // Our number for each kind that the file names.
  const kindOf = head.kinds.map((kind) => kinds.indexOf(kind))
  const { counts } = readRows(columns, kindOf, trace, journal, progress)
  // How many jobs a pipeline takes is not known before, and a sine without a number of jobs is rounded.
  const someToArrive =
    head.begins === undefined &&
    head.engine !== 'functions' &&
    scenario.source.kind !== 'sine' &&
    counts.arrived < countJobs(scenario.source)
  if (head.ending === 'drained' && (someToArrive || !isDrained(counts)))
    throw new Refusal('ending', t('found "drained", but not every job has left'))
  readDecisions(entries, ends, hashes, scenario, journal)
  append(trace, journal)
  trace.begins = beginsOf(head.begins, trace)
  head.failures.forEach((failure, f) => {
    if (failure.job !== undefined && failure.job >= counts.arrived)
      throw new Refusal(`failures[${f}].job`, foundText(failure.job, wholeText(0, counts.arrived - 1)))
    trace.failures.push(
      failure.kind === 'worker' && failure.worker === undefined ? { ...failure, kind: 'run' } : failure,
    )
  })
  return trace
}

/** Throws a Refusal unless the rows before the beginning, and only these, have earlier times. */
function beginsOf(begins: TraceHead['begins'], trace: Trace): Begins | null {
  if (begins === undefined) return null
  const { row, time } = begins
  if (row > trace.length) required(checkWhole(0, trace.length), row, 'begins.row')
  const least = row > 0 ? timeOf(trace, row - 1) : 0
  required(checkWhole(least, row < trace.length ? timeOf(trace, row) : CLOCK_END), time, 'begins.time')
  return begins
}

/** The numbers that a row of a kind has; those in `may` are optional. The others are -1. */
const numbersOf: Readonly<Record<RowKind, { readonly must: readonly Place[]; readonly may?: Place }>> = {
  finished: { must: ['stage', 'worker', 'job'] },
  threw: { must: ['stage', 'worker'], may: 'job' },
  lost: { must: ['worker'] },
  joined: { must: ['worker'] },
  arrived: { must: ['job'] },
  exhausted: { must: [] },
  tick: { must: [] },
  stopped: { must: [] },
  started: { must: ['stage', 'worker', 'job'] },
  hired: { must: ['stage', 'worker'] },
  dismissed: { must: ['stage', 'worker'], may: 'job' },
  released: { must: ['job'] },
  failed: { must: ['stage', 'job'] },
  second: { must: ['stage', 'worker'] },
  routed: { must: ['stage', 'job'] },
  gathered: { must: ['job'], may: 'stage' },
  withdrawn: { must: ['stage', 'job'] },
  discarded: { must: ['stage', 'job'] },
  turned: { must: ['job'] },
  reneged: { must: ['job'], may: 'stage' },
  gaveUp: { must: ['job'], may: 'stage' },
  retried: { must: ['job'] },
}
type Place = 'stage' | 'worker' | 'job'

const places = ['stage', 'worker', 'job'] as const
const needs = kinds.map((kind) => numbersOf[kind].must)
const lacks = kinds.map((kind) =>
  places.filter((place) => !numbersOf[kind].must.includes(place) && numbersOf[kind].may !== place),
)

function readRows(
  columns: Readonly<Record<string, NumberColumn>>,
  kindOf: readonly number[],
  trace: Trace,
  journal: Journal,
  progress: (share: number) => void,
): RowChecker {
  const { scenario } = trace
  const [time, kind, stage, worker, job, began, ended] = columnNames.map((name) => columns[name].values)
  const { length } = columns.time
  for (const name of columnNames) {
    if (columns[name].length === length) continue
    throw new Refusal(`events.${name}`, lengthsText(columns[name].length, length))
  }
  const rows = createRows(length)
  journal.rows = rows
  const checker = createRowChecker(trace, 1 + greatest(job, length))
  const stages = scenario.stages.length
  const row: { -readonly [K in keyof Row]: Row[K] } = {
    time: 0,
    kind: 0,
    stage: 0,
    worker: 0,
    job: 0,
    began: 0,
    ended: 0,
  }
  let now = 0
  for (let i = 0; i < length; i++) {
    if ((i & 0x3ffff) === 0x3ffff) progress(i / length)
    row.kind = kindOf[within(kind[i], 0, kindOf.length - 1, 'kind', i)]
    row.stage = within(stage[i], -1, stages - 1, 'stage', i)
    row.worker = within(worker[i], -1, checker.hands.length - 1, 'worker', i)
    row.job = job[i]
    // Time never runs back.
    row.time = now = within(time[i], now, CLOCK_END, 'time', i)
    for (const need of needs[row.kind])
      if (row[need] < 0)
        throw new Refusal(`events.${need}[${i}]`, t('a row {kinds} needs one', { kinds: kinds[row.kind] }))
    const worked = row.kind === FINISHED
    row.ended = worked ? within(ended[i], 0, now, 'ended', i) : within(ended[i], -1, -1, 'ended', i)
    row.began = worked ? within(began[i], 0, row.ended, 'began', i) : within(began[i], -1, -1, 'began', i)
    if (worked) pushFinished(rows, now, row.stage, row.worker, row.job, row.began, row.ended)
    else pushRow(rows, now, row.kind, row.stage, row.worker, row.job)
    const objection = checkRow(checker, row, rows, i)
    if (objection !== null) throw new Refusal(`events.${objection.column}[${i}]`, objection.message)
    for (const lack of lacks[row.kind])
      if (row[lack] !== NONE) throw new Refusal(`events.${lack}[${i}]`, foundText(row[lack], '-1'))
  }
  if (checker.announced !== NONE) throw new Refusal(`events.kind[${length}]`, foundText(undefined, 'started'))
  return checker
}

function lengthsText(found: number, allowed: number): string {
  return t('found {value}; allowed: {allowed}', { value: listText(found), allowed: listText(allowed) })
}

function greatest(values: NumberColumn['values'], length: number): number {
  let most = -1
  for (let i = 0; i < length; i++) if (values[i] > most) most = values[i]
  return most
}

function within(value: number, least: number, most: number, name: string, i: number): number {
  if (value >= least && value <= most) return value
  return required(checkWhole(least, most), value, `events.${name}[${i}]`)
}

function readDecisions(
  entries: NumberColumn,
  ends: NumberColumn,
  hashes: NumberColumn,
  scenario: Scenario,
  journal: Journal,
): void {
  if (hashes.length !== ends.length) throw new Refusal('hashes', lengthsText(hashes.length, ends.length))
  const stages = scenario.stages.length
  const workers = workersEver(scenario)
  const numbers = entries.values
  journal.decisions = createDecisions(Math.max(1, ends.length))
  let row = 0
  for (let d = 0; d < ends.length; d++) {
    const from = d === 0 ? 0 : ends.values[d - 1]
    const to = ends.values[d]
    if ((to - from) % 2 === 0)
      throw new Refusal(`decisions[${d}]`, allowedText('[row, stage, seats, stage, seats, ...]'))
    const number = (c: number, least: number, most: number) => {
      const value = numbers[from + c]
      return value >= least && value <= most ? value : required(checkWhole(least, most), value, `decisions[${d}][${c}]`)
    }
    row = number(0, row, journal.rows.length)
    pushDecision(journal.decisions, row, hashes.values[d])
    for (let c = 1; from + c < to; c += 2)
      pushSeats(journal.decisions, number(c, 0, stages - 1), number(c + 1, 0, workers))
  }
}
