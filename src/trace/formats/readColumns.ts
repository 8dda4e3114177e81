import { t } from '../../language/translate.ts'
import type { Ending, Failure } from '../../pipeline/journal.ts'
import { kinds } from '../../pipeline/rows.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { engineNames } from '../../scenario/model/engines.ts'
import { CLOCK_END, MAX_JOBS, MAX_STAGES } from '../../scenario/model/limits.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { foundText, listed, listedTwice } from '../../scenario/model/words.ts'
import { checkVersion } from '../../scenario/parse/schemaParts.ts'
import * as shape from '../../scenario/parse/shape.ts'
import { type JsonBytes, type Reading, takeKey, takeObjectStart, takeValue } from '../json/jsonBytes.ts'
import { type NumberColumn, takeLists, takeNumbers } from '../json/jsonNumbers.ts'
import { Refusal, required } from '../json/refusal.ts'
import { columnNames, TRACE_FORMAT, TRACE_VERSION } from './traceJson.ts'

const headKeys = ['format', 'version', 'engine', 'scenario', 'startedAt', 'threads', 'ending', 'kinds', 'failures']
const keys = [...headKeys, 'events', 'decisions', 'hashes']
/** A trace has it or not; `verify` only one of an early version, and it changes nothing. */
const optionalKeys = ['begins', 'verify']

/** The content of a file, its long parts as columns. */
export interface TraceFile {
  /** The head, which is not checked yet. */
  readonly found: Readonly<Record<string, unknown>>
  readonly columns: Readonly<Record<string, NumberColumn>>
  /** The numbers of all decisions, one after the other, and where each decision ends. */
  readonly entries: NumberColumn
  readonly ends: NumberColumn
  readonly hashes: NumberColumn
}

function column(
  name: string,
  least: number,
  most: number,
  values: NumberColumn['values'],
  room = MAX_ROWS,
): NumberColumn {
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
  const seen = new Set<string>()
  const columns = createColumns()
  const entries = column('decisions', 0, MAX_ROWS, new Int32Array(0), 5 * MAX_ROWS)
  const ends = column('decisions', 0, 0x7fffffff, new Int32Array(0))
  const hashes = column('hashes', 0, 0xffffffff, new Uint32Array(0))
  for (let key = yield* takeKey(json, '', true); key !== null; key = yield* takeKey(json, '', false)) {
    if (!keys.includes(key) && !optionalKeys.includes(key))
      throw new Refusal(key.slice(0, 40), t('is not a part of a trace; allowed: a file of Download trace'))
    if (seen.has(key)) throw new Refusal(key, listedTwice(key))
    seen.add(key)
    if (key === 'events') yield* takeEvents(json, columns)
    else if (key === 'decisions') yield* takeLists(json, entries, ends, 1 + 2 * MAX_STAGES)
    else if (key === 'hashes') yield* takeNumbers(json, hashes)
    else found[key] = yield* takeValue(json, key)
    if (key === 'format' || key === 'version') required<unknown>(formatChecks[key], found[key], key)
  }
  for (const key of keys) if (!seen.has(key)) throw new Refusal(key, t('is missing'))
  return { found, columns, entries, ends, hashes }
}

function* takeEvents(json: JsonBytes, columns: Readonly<Record<string, NumberColumn>>): Reading<void> {
  yield* takeObjectStart(json, 'events')
  const seen = new Set<string>()
  for (let key = yield* takeKey(json, 'events', true); key !== null; key = yield* takeKey(json, 'events', false)) {
    if (!columnNames.includes(key))
      throw new Refusal(`events.${key.slice(0, 40)}`, foundText(key, listed(columnNames, 'or')))
    if (seen.has(key)) throw new Refusal(`events.${key}`, listedTwice(key))
    seen.add(key)
    yield* takeNumbers(json, columns[key])
  }
  for (const name of columnNames) if (!seen.has(name)) throw new Refusal(`events.${name}`, t('is missing'))
}

/** Rows and failures that a trace may have. The longest possible run has fewer. */
export const MAX_ROWS = 30_000_000
/** Characters of one failure's reason. */
const MAX_REASON = 10_000

// A missing key stays missing.
const checkFailure = ({ stages }: Scenario, workers: number) =>
  shape.checkRecord({
    time: shape.checkWhole(0, CLOCK_END),
    kind: shape.checkOneOf(['job', 'worker']),
    job: shape.optional(shape.checkWhole(0, MAX_JOBS)),
    stage: shape.optional(shape.checkWhole(0, stages.length - 1)),
    worker: shape.optional(shape.checkWhole(0, workers - 1)),
    reason: shape.checkText(MAX_REASON),
  }) as shape.Check<Failure>

const counted = shape.checkWhole(0, Number.MAX_SAFE_INTEGER)
const checkBegins = shape.checkRecord({
  row: shape.checkWhole(0, MAX_ROWS),
  time: shape.checkWhole(0, CLOCK_END),
  arrived: counted,
  released: counted,
  failed: counted,
})

/** Checked as soon as they are read: a newer version may look different further down. */
export const formatChecks = { format: shape.checkOneOf([TRACE_FORMAT]), version: checkVersion(TRACE_VERSION) }

/** Returns the check of everything in a trace file except its columns, for a run of this scenario. */
export function checkHead(scenario: Scenario) {
  const workers = workersEver(scenario)
  return shape.checkRecord({
    ...formatChecks,
    engine: shape.checkOneOf(engineNames),
    scenario: shape.anything,
    startedAt: shape.checkWhole(0, CLOCK_END),
    threads: shape.checkWhole(0, workers),
    ending: shape.orNull(shape.checkOneOf<Ending>(['drained', 'stopped', 'stuck'])),
    kinds: shape.checkList(shape.checkOneOf(kinds)),
    begins: shape.optional(checkBegins),
    verify: shape.optional(shape.checkWhole(2, 9)),
    failures: shape.checkList(checkFailure(scenario, workers), MAX_ROWS),
  })
}

export type TraceHead = shape.CheckedBy<ReturnType<typeof checkHead>>
