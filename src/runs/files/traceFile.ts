import { transfer } from 'comlink'
import { t } from '../../language/translate.ts'
import { buffersOf, createDecisions, type Ending, type Failure, type Journal } from '../../pipeline/journal.ts'
import { createRows } from '../../pipeline/rows.ts'
import type { EngineName } from '../../scenario/model/engines.ts'
import type { Problem, Scenario } from '../../scenario/model/scenario.ts'
import { createTraceReader } from '../../trace/formats/readTraceJson.ts'
import { MAX_TRACE_FILE, type Trace } from '../../trace/trace.ts'

/** All of a trace but its rows and decisions. */
export interface TraceHead {
  readonly scenario: Scenario
  readonly engine: EngineName
  readonly startedAt: number
  readonly ending: Ending | null
  readonly failures: readonly Failure[]
}

/** What came of it; without a head there are problems. */
export interface TraceFileRead {
  readonly head: TraceHead | null
  readonly problems: readonly Problem[]
}

/** Whoever opens a trace file hears of it bit by bit. */
export interface TraceFileListener {
  /** The share that is done, 0 to 1. */
  progress(share: number): void
  /** The record in parts, in order; handed over, not copied. */
  journal(journal: Journal): void | Promise<void>
}

/** Bytes read at a time. */
const PART = 1 << 22
/** Reading takes so much of the time, checking the rows the rest. */
const READING = 0.7

/** Reads a trace file on this thread, which does nothing else meanwhile. Nothing of it is handed over before all of it is checked. */
export async function readTraceFile(file: Blob, listener: TraceFileListener): Promise<TraceFileRead> {
  if (file.size > MAX_TRACE_FILE)
    return { head: null, problems: [{ path: '', message: t('the file has {size} bytes; allowed: {MAX_TRACE_FILE}', { size: file.size, MAX_TRACE_FILE }) }] }
  const reader = createTraceReader()
  for (let from = 0; from < file.size; from += PART) {
    const part = await file.slice(from, from + PART).arrayBuffer()
    listener.progress((READING * from) / file.size)
    if (!reader.push(new Uint8Array(part))) break
  }
  const read = reader.end((share) => listener.progress(READING + (1 - READING) * share))
  if ('problems' in read) return { head: null, problems: read.problems }
  const { scenario, engine, startedAt, ending, failures } = read.trace
  for (const journal of journalsOf(read.trace)) await listener.journal(transfer(journal, buffersOf(journal)))
  return { head: { scenario, engine, startedAt, ending, failures }, problems: [] }
}

/** The chunks of a trace that is not needed any more, the first with all decisions. */
function* journalsOf({ chunks, decisions }: Trace): Generator<Journal, void, undefined> {
  yield { rows: chunks[0] ?? createRows(0), decisions }
  for (const rows of chunks.slice(1)) yield { rows, decisions: createDecisions(0) }
}
