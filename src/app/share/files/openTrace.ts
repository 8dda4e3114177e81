import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { type OpeningFile, openTraceFile } from '../../../runs/files/remoteTraceFile.ts'
import { MAX_TRACE_FILE } from '../../../trace/trace.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/readable.ts'
import { complain, showRecord } from '../../session/run/runStore.ts'
import { refuse } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'

/** Files above this many bytes wait until somebody has seen how large they are. */
const LARGE = 50_000_000

interface TraceFileState {
  readonly file: File | null
  /** The share that is read; null: it waits to be told to begin. */
  readonly share: number | null
}

export const traceFileStore = part(() => createStore<TraceFileState>(() => ({ file: null, share: null })))

interface Own {
  opening: OpeningFile | null
}

const own = part(
  (): Own => ({
    opening: null,
  }),
)

/** Whether a file calls itself a trace: the name of the format stands at its beginning. */
export async function looksLikeTrace(file: File): Promise<boolean> {
  return /"apportion-trace"/.test(await file.slice(0, 4096).text())
}

/** Opens a trace file; its size is on the screen first, and a large one waits for a word. */
export async function openTrace(session: Session, file: File): Promise<void> {
  cancelOpening(session)
  if (file.size > MAX_TRACE_FILE) {
    complain(
      session,
      t('{name} has {size}; allowed: {MAX_TRACE_FILE}.', { name: readable(file.name), size: bytes(file.size), MAX_TRACE_FILE: bytes(MAX_TRACE_FILE) }),
    )
    return
  }
  traceFileStore(session).setState({ file, share: null })
  if (file.size <= LARGE) await readOpenFile(session)
}

/** Begins to read the file that waits. On a problem, and until all of it is read, the screen stays as it is. */
export async function readOpenFile(session: Session): Promise<void> {
  const { file } = traceFileStore(session).getState()
  if (file === null) return
  traceFileStore(session).setState({ share: 0 })
  const present = openTraceFile(file, (share) => own(session).opening === present && traceFileStore(session).setState({ share }))
  own(session).opening = present
  try {
    const read = await present.finished
    if (read === null || own(session).opening !== present) return
    cancelOpening(session)
    if ('problems' in read)
      refuse(
        session,
        read.problems.map(({ path, message }) => ({ path, message: t('{message} (in {name})', { message, name: readable(file.name) }) })),
      )
    else await showRecord(session, read.trace, readable(file.name))
  } catch (error) {
    if (own(session).opening !== present) return
    cancelOpening(session)
    complain(session, t('{name} cannot be read: {why}', { name: readable(file.name), why: error instanceof Error ? error.message : String(error) }))
  }
}

export function cancelOpening(session: Session): void {
  own(session).opening?.stop()
  own(session).opening = null
  traceFileStore(session).setState({ file: null, share: null })
}
