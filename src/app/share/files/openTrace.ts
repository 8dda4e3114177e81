import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { openTraceFile } from '../../../runs/remote/openTraceFile.ts'
import { MAX_TRACE_FILE } from '../../../trace/trace.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/readable.ts'
import { complain, showRecord } from '../../session/run/runStore.ts'
import { refuse } from '../../session/scenario/scenarioStore.ts'

/** Files above this many bytes wait until somebody has seen how large they are. */
const LARGE = 50_000_000

interface TraceFileState {
  readonly file: File | null
  /** The share that is read; null: it waits to be told to begin. */
  readonly share: number | null
}

export const traceFileStore = createStore<TraceFileState>(() => ({ file: null, share: null }))

let opening: AbortController | null = null

/** Whether a file calls itself a trace: the name of the format stands at its beginning. */
export async function looksLikeTrace(file: File): Promise<boolean> {
  return /"apportion-trace"/.test(await file.slice(0, 4096).text())
}

/** Opens a trace file; its size is on the screen first, and a large one waits for a word. */
export async function openTrace(file: File): Promise<void> {
  cancelOpening()
  if (file.size > MAX_TRACE_FILE) {
    complain(t('{name} has {size}; allowed: {MAX_TRACE_FILE}.', { name: readable(file.name), size: bytes(file.size), MAX_TRACE_FILE: bytes(MAX_TRACE_FILE) }))
    return
  }
  traceFileStore.setState({ file, share: null })
  if (file.size <= LARGE) await readOpenFile()
}

/** Begins to read the file that waits. On a problem, and until all of it is read, the screen stays as it is. */
export async function readOpenFile(): Promise<void> {
  const { file } = traceFileStore.getState()
  if (file === null) return
  traceFileStore.setState({ share: 0 })
  const present = new AbortController()
  opening = present
  try {
    const read = await openTraceFile(file, { signal: present.signal, progress: (share) => opening === present && traceFileStore.setState({ share }) })
    if (opening !== present) return
    cancelOpening()
    if ('problems' in read)
      refuse(read.problems.map(({ path, message }) => ({ path, message: t('{message} (in {name})', { message, name: readable(file.name) }) })))
    else await showRecord(read.trace, readable(file.name))
  } catch (error) {
    if (opening !== present) return
    cancelOpening()
    complain(t('{name} cannot be read: {why}', { name: readable(file.name), why: error instanceof Error ? error.message : String(error) }))
  }
}

export function cancelOpening(): void {
  opening?.abort()
  opening = null
  traceFileStore.setState({ file: null, share: null })
}
