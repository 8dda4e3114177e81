import { createStore } from 'zustand/vanilla'
import type { OpenedLog } from '../../../runs/files/logFile.ts'
import type { LogThread } from '../../../runs/remote/openLogFile.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import type { SeriesHeads } from '../../../trace/logSeries.ts'

/** A log of somebody's own system, and the file that may become the next. */
interface LogState {
  readonly open: boolean
  readonly coming: ComingLog | null
  /** Why the last file was refused. What was on the screen stays. */
  readonly problems: readonly Problem[]
  readonly shown: ShownLog | null
}

/** A file on its way in: it waits for a word, is read, has to be explained, or has bad rows. */
export type ComingLog = { readonly name: string; readonly size: number } & (
  | { readonly step: 'waiting'; readonly file: Blob }
  | { readonly step: 'reading'; readonly share: number }
  | { readonly step: 'mapping'; readonly heads: SeriesHeads }
  | { readonly step: 'bad'; readonly log: OpenedLog; readonly bad: number; readonly problems: readonly Problem[] }
)

export interface ShownLog {
  /** Another one for every log, also where the name is the same. */
  readonly serial: number
  readonly name: string
  readonly log: OpenedLog
  /** Bad rows of the file, which are left out. */
  readonly bad: number
  /** Keeps the log too, and puts it to one rule after another. */
  readonly thread: LogThread
}

export const logStore = createStore<LogState>(() => ({ open: false, coming: null, problems: [], shown: null }))

/** Opens the dialog, with the log that was shown last, if there is one. */
export function openLogs(): void {
  logStore.setState({ open: true })
}
