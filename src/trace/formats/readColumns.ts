import { t } from '../../language/translate.ts'
import { CLOCK_END, MAX_JOBS, MAX_STAGES } from '../../scenario/model/limits.ts'
import { type JsonBytes, type Reading, takeKey, takeObjectStart, takeValue } from '../json/jsonBytes.ts'
import { type NumberColumn, takeLists, takeNumbers } from '../json/jsonNumbers.ts'
import { Refusal, shownValue } from '../json/refusal.ts'
import { columnNames, TRACE_FORMAT, TRACE_VERSION } from './traceJson.ts'

/** Rows that a trace may have. The longest possible run has fewer. */
const MAX_ROWS = 30_000_000

const keys = ['format', 'version', 'engine', 'scenario', 'startedAt', 'threads', 'ending', 'kinds', 'events', 'decisions', 'hashes', 'failures']

/** The content of a file, its long parts as columns. */
export interface TraceFile {
  readonly found: Readonly<Record<string, unknown>>
  readonly columns: Readonly<Record<string, NumberColumn>>
  /** The numbers of all decisions, one after the other, and where each decision ends. */
  readonly entries: NumberColumn
  readonly ends: NumberColumn
  readonly hashes: NumberColumn
}

function column(name: string, least: number, most: number, values: NumberColumn['values'], room = MAX_ROWS): NumberColumn {
  return { name, room, least, most, length: 0, values }
}

/** Bounds that hold in every trace. Those of this trace are checked when all of it is read. */
function createColumns(): Readonly<Record<string, NumberColumn>> {
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

/** Reads a file into columns. Throws a Refusal where its shape is wrong. Whether rows can follow each other is checked later. */
export function* readTraceColumns(json: JsonBytes): Reading<TraceFile> {
  yield* takeObjectStart(json, '')
  const found: Record<string, unknown> = {}
  const columns = createColumns()
  const entries = column('decisions', 0, MAX_ROWS, new Int32Array(0), 5 * MAX_ROWS)
  const ends = column('decisions', 0, 0x7fffffff, new Int32Array(0))
  const hashes = column('hashes', 0, 0xffffffff, new Uint32Array(0))
  for (let key = yield* takeKey(json, '', true); key !== null; key = yield* takeKey(json, '', false)) {
    if (!keys.includes(key)) throw new Refusal(key.slice(0, 40), foreign(found, key))
    if (Object.hasOwn(found, key)) throw new Refusal(key, t('stands here a second time'))
    if (key === 'events') found[key] = yield* takeEvents(json, columns)
    else if (key === 'decisions') found[key] = yield* takeLists(json, entries, ends, 1 + 2 * MAX_STAGES)
    else if (key === 'hashes') found[key] = yield* takeNumbers(json, hashes)
    else found[key] = yield* takeValue(json, key)
    if (key === 'format' || key === 'version') checkFormat(found, key)
  }
  checkFormat(found, 'format')
  checkFormat(found, 'version')
  for (const key of keys) if (!Object.hasOwn(found, key)) throw new Refusal(key, t('is missing'))
  return { found, columns, entries, ends, hashes }
}

function* takeEvents(json: JsonBytes, columns: Readonly<Record<string, NumberColumn>>): Reading<void> {
  yield* takeObjectStart(json, 'events')
  const seen = new Set<string>()
  for (let key = yield* takeKey(json, 'events', true); key !== null; key = yield* takeKey(json, 'events', false)) {
    if (!columnNames.includes(key)) throw new Refusal(`events.${key.slice(0, 40)}`, t('is no column of a trace'))
    if (seen.has(key)) throw new Refusal(`events.${key}`, t('stands here a second time'))
    seen.add(key)
    yield* takeNumbers(json, columns[key])
  }
  for (const name of columnNames) if (!seen.has(name)) throw new Refusal(`events.${name}`, t('found nothing; allowed: a list'))
}

/** Checked as soon as it is read: a newer version may look different further down. */
function checkFormat({ format, version }: Readonly<Record<string, unknown>>, key: 'format' | 'version'): void {
  if (key === 'format' && format !== TRACE_FORMAT)
    throw new Refusal('format', t('found {format}; allowed: "{TRACE_FORMAT}"', { format: shownValue(format), TRACE_FORMAT }))
  if (key === 'format' || version === TRACE_VERSION) return
  if (typeof version === 'number' && version > TRACE_VERSION)
    throw new Refusal('version', t('made by a newer version, {version}; this one reads {TRACE_VERSION}', { version, TRACE_VERSION }))
  throw new Refusal('version', t('found {version}; allowed: {TRACE_VERSION}', { version: shownValue(version), TRACE_VERSION }))
}

function foreign({ format }: Readonly<Record<string, unknown>>, key: string): string {
  if (format === TRACE_FORMAT) return t('is no part of a trace')
  if (key === 'traceEvents' || key === 'displayTimeUnit')
    return t('this is a Trace Event file, as Perfetto opens it; allowed: a file that Download trace has made')
  return t('is no part of a trace; allowed: a file that Download trace has made')
}
