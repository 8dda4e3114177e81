import { t } from '../../language/translate.ts'
import type { TraceRead } from '../../trace/formats/readTraceJson.ts'
import { append, createTrace } from '../../trace/trace.ts'
import { stepInSlices } from '../remote/inSlices.ts'
import { openThread } from '../remote/thread.ts'
import type { readTraceFile, TraceFileListener } from './traceFile.ts'

/** A trace file being opened. */
export interface OpeningFile {
  /** The trace or its problems, or null if `stop` was called. Rejects with an Error in words if the file cannot be read. */
  readonly finished: Promise<TraceRead | null>
  stop(): void
}

/** Opens a downloaded trace in a thread of its own; `progress` is told the share that is done, 0 to 1. */
export function openTraceFile(file: Blob, progress: (share: number) => void = () => {}): OpeningFile {
  const thread = openThread<{ readTraceFile: typeof readTraceFile }>(
    new Worker(new URL('../../simulation.worker.ts', import.meta.url), { type: 'module', name: 'trace' }),
  )
  let stopped = false

  async function run(): Promise<TraceRead | null> {
    const journals: Parameters<TraceFileListener['journal']>[0][] = []
    const listener: TraceFileListener = {
      progress: (share) => {
        if (!stopped) progress(share)
      },
      journal: (journal) => {
        journals.push(journal)
      },
    }
    const answer = await thread.line.ask(Infinity, () => thread.remote.readTraceFile(file, thread.lend(listener)))
    if (stopped) return null
    thread.end(t('the file is read'))
    if (answer.kind !== 'answered') throw new Error(answer.kind === 'silent' ? t('no answer') : answer.reason)
    const { head, problems } = answer.value
    if (head === null) return { problems }
    const trace = createTrace(head.scenario, head.engine, head.startedAt)
    await stepInSlices(() => {
      const journal = journals.shift()
      if (journal !== undefined) append(trace, journal)
      return journals.length === 0
    })
    if (stopped) return null
    trace.ending = head.ending
    trace.failures.push(...head.failures)
    return { trace }
  }

  return {
    finished: run(),
    stop() {
      stopped = true
      thread.end('stopped')
    },
  }
}
