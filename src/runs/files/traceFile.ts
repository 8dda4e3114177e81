import { t } from '../../language/translate.ts'
import { createDecisions, type Journal } from '../../pipeline/journal.ts'
import { createRows } from '../../pipeline/rows.ts'
import type { Problem } from '../../scenario/model/scenario.ts'
import { goneIn } from '../../scenario/parse/gone.ts'
import { createTraceReader } from '../../trace/formats/readTraceJson.ts'
import { MAX_TRACE_FILE, type Trace } from '../../trace/trace.ts'

/** A trace in parts that can go to another thread, or the problems of the file. */
export type TraceFileRead =
  | { readonly problems: readonly Problem[] }
  /** All rows and decisions are in the journals, in order. */
  | (Pick<Trace, 'scenario' | 'engine' | 'startedAt' | 'ending' | 'begins' | 'failures' | 'formerPolicies'> & {
      /** The names of what the scenario of the file had and this version no longer has. */
      readonly gone: readonly string[]
      readonly journals: readonly Journal[]
    })

/** Bytes read at a time. */
const PART = 1 << 22
/** Reading takes this share of the time, checking the rows takes the rest. */
const READING = 0.7

/** Reads and checks a trace file, which keeps this thread busy. Calls `progress` with the share that is done, 0 to 1. */
export async function readTraceFile(file: Blob, progress: (share: number) => void): Promise<TraceFileRead> {
  if (file.size > MAX_TRACE_FILE)
    return {
      problems: [
        {
          path: '',
          message: t('the file has {size} bytes; allowed: {most}', { size: file.size, most: MAX_TRACE_FILE }),
        },
      ],
    }
  const reader = createTraceReader()
  for (let from = 0; from < file.size; from += PART) {
    const part = await file.slice(from, from + PART).arrayBuffer()
    progress((READING * from) / file.size)
    if (!reader.push(new Uint8Array(part))) break
  }
  const read = reader.end((share) => progress(READING + (1 - READING) * share))
  if ('problems' in read) return { problems: read.problems }
  const { scenario, engine, startedAt, ending, begins, failures, formerPolicies } = read.trace
  return {
    ...{ scenario, engine, startedAt, ending, begins, failures, formerPolicies },
    gone: goneIn(scenario),
    journals: journalsOf(read.trace),
  }
}

/** The chunks of a trace, the first with all decisions. */
function journalsOf({ chunks, decisions }: Trace): Journal[] {
  const [first = createRows(0), ...rest] = chunks
  return [{ rows: first, decisions }, ...rest.map((rows) => ({ rows, decisions: createDecisions(0) }))]
}
