import { noteGone } from '../../scenario/parse/gone.ts'
import type { TraceRead } from '../../trace/formats/readTraceJson.ts'
import { append, createTrace } from '../../trace/trace.ts'
import { stepInSlices } from './inSlices.ts'
import { Cancelled, type JobOptions, runJob } from './jobThreads.ts'

/** Opens a downloaded trace on a thread of its own. Returns the trace or its problems; rejects with a message for users if the file cannot be read. */
export async function openTraceFile(file: Blob, options: JobOptions = {}): Promise<TraceRead> {
  const read = await runJob('readTrace', file, options)
  if ('problems' in read) return read
  const { scenario, engine, startedAt, ending, begins: recordStart, failures, formerPolicies, gone, journals } = read
  const trace = createTrace(scenario, engine, startedAt, formerPolicies)
  noteGone(trace.scenario, gone)
  const remaining = journals.values()
  await stepInSlices(() => {
    const { value, done = false } = remaining.next()
    if (value !== undefined) append(trace, value)
    return done
  })
  if (options.signal?.aborted) throw new Cancelled()
  trace.ending = ending
  trace.begins = recordStart
  trace.failures.push(...failures)
  return { trace }
}
