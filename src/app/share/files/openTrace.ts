import { t } from '../../../language/translate.ts'
import { openTraceFile } from '../../../runs/remote/openTraceFile.ts'
import { endOf, MAX_TRACE_FILE } from '../../../trace/trace.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/files.ts'
import { featuresOf } from '../../session/features/features.tsx'
import { traceFileStore } from '../../session/page/showing.ts'
import { selectRange } from '../../session/page/timelineStore.ts'
import { showRecord } from '../../session/run/opening.ts'
import { showError, showProblems } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { sessionJob } from '../../session/study/backgroundJob.ts'

/** A file above this many bytes waits until the user has confirmed its size. */
const LARGE = 50_000_000

/** Reads that file; idle while the file waits. */
export const traceFileJob = sessionJob<void>()

/** Returns whether a file begins with the name of the trace format. */
export async function looksLikeTrace(file: File): Promise<boolean> {
  return /"apportion-trace"/.test(await file.slice(0, 4096).text())
}

/** Opens a trace file. A large one first shows its size and waits for a click. */
export async function openTrace(session: Session, file: File): Promise<void> {
  cancelOpening(session)
  const takers = featuresOf(session).flatMap(({ files }) => files ?? [])
  for (const each of takers)
    if (each.holdsRuns && !(await looksLikeTrace(file)) && (await each.recognises(file, session)))
      return each.open(session, file)
  const name = readable(file.name)
  if (file.size > MAX_TRACE_FILE)
    return showError(
      session,
      t('{name} is {what}. Allowed: {allowed}.', { name, what: bytes(file.size), allowed: bytes(MAX_TRACE_FILE) }),
    )
  traceFileStore(session).setState({ file })
  if (file.size <= LARGE) await readOpenFile(session)
}

/** Reads the file that waits. If there is a problem, and until all of it is read, the page stays as it is. */
export async function readOpenFile(session: Session): Promise<void> {
  const store = traceFileStore(session)
  const job = traceFileJob(session)
  const { file } = store.getState()
  if (file === null) return
  const name = readable(file.name)
  await job.run(async (control) => {
    const read = await openTraceFile(file, control)
    control.signal.throwIfAborted()
    store.setState({ file: null })
    if ('trace' in read) {
      await showRecord(session, read.trace, name)
      const { begins } = read.trace
      if (begins !== null) selectRange(session, [begins.time, endOf(read.trace)])
      return
    }
    showProblems(
      session,
      read.problems.map(({ path, message }) => ({ path, message: t('{message} (in {name})', { message, name }) })),
    )
  })
  const state = job.store.getState()
  if (state.phase !== 'failed') return
  cancelOpening(session)
  showError(session, t('{name} cannot be read: {why}', { name, why: state.sentence }))
}

export function cancelOpening(session: Session): void {
  traceFileJob(session).cancel()
  traceFileStore(session).setState({ file: null })
}
