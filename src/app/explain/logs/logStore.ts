import { createStore } from 'zustand/vanilla'
import type { OpenedLog } from '../../../runs/files/logFile.ts'
import type { LogThread } from '../../../runs/remote/openLogFile.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import type { SeriesHeads } from '../../../trace/logs/logSeries.ts'
import { part, type Session } from '../../session/session.ts'

/** A log of the user's own system, and the file that may become the next. */
interface LogState {
  readonly open: boolean
  readonly coming: ComingLog | null
  /** Why the last file was refused. What was on the screen stays. */
  readonly problems: readonly Problem[]
  readonly shown: ShownLog | null
}

/** A file that is being opened: it waits for a click, is read, needs a mapping of its series, or has bad rows. */
export type ComingLog = { readonly name: string; readonly size: number } & (
  | { readonly step: 'waiting'; readonly file: Blob }
  | { readonly step: 'reading'; readonly share: number; readonly thread: LogThread }
  | { readonly step: 'mapping'; readonly heads: SeriesHeads; readonly thread: LogThread }
  | { readonly step: 'bad'; readonly thread: LogThread; readonly log: OpenedLog; readonly bad: number; readonly problems: readonly Problem[] }
)

export interface ShownLog {
  /** Differs for every log, even if the name is the same. */
  readonly serial: number
  readonly name: string
  readonly log: OpenedLog
  /** Bad rows of the file, which are left out. */
  readonly bad: number
  /** Keeps the log too, and asks one rule after another about it. */
  readonly thread: LogThread
}

export const logStore = part(() => createStore<LogState>(() => ({ open: false, coming: null, problems: [], shown: null })))

/** Opens the dialog, with the log that was shown last, if there is one. */
export function openLogs(session: Session): void {
  logStore(session).setState({ open: true })
}
