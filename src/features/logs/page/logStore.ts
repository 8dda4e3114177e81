import { createStore } from 'zustand/vanilla'
import type { Commands } from '../../../app/session/commands.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import type { Marks } from '../../../measures/series/marks.ts'
import type { Micros, Policy, Problem } from '../../../scenario/model/scenario.ts'
import type { OpenLoop } from '../measure/openLoop.ts'
import type { CsvTable } from '../read/csvTable.ts'
import type { OtherDecision } from '../read/decisions.ts'
import type { Mapping, SeriesHeads } from '../read/seriesRoles.ts'
import type { LogFileRead, OpenedLog } from '../study/logFile.ts'

/** A log of the user's own system, and the file that may become the next. */
interface LogState {
  readonly open: boolean
  readonly coming: ComingLog | null
  /** Why the last file was refused. The log on the screen stays. */
  readonly problems: readonly Problem[]
  readonly shown: ShownLog | null
}

/** A file whose columns the user has to name, with the best guess so far. */
export interface UnknownTable {
  readonly file: Blob
  readonly table: CsvTable
  /** Opens the file as one of lines; null where only a log is wanted. */
  readonly asLines: (() => void) | null
}

/** The steps of opening a file: it is recognised, needs names for its columns, is no log, waits for a click, is read, needs a mapping of its series, or has bad rows. */
export type ComingLog = { readonly name: string; readonly size: number } & (
  | { readonly step: 'looking'; readonly file: Blob }
  | ({ readonly step: 'columns' } & UnknownTable)
  /** `why`: what is told of a file that might have been a log. */
  | { readonly step: 'lines'; readonly asLines: () => void; readonly why: string | null }
  | { readonly step: 'waiting'; readonly file: Blob; readonly named: UnknownTable | null }
  | {
      readonly step: 'reading'
      readonly share: number
      readonly thread: LogThread
      readonly named: UnknownTable | null
    }
  | { readonly step: 'mapping'; readonly heads: SeriesHeads; readonly thread: LogThread }
  | ({ readonly step: 'bad'; readonly problems: readonly Problem[]; readonly untold: number } & Pick<
      ShownLog,
      'thread' | 'log' | 'bad' | 'notes'
    >)
)

export interface ShownLog {
  /** Differs for every log, even if the name is the same. */
  readonly serial: number
  readonly name: string
  readonly log: OpenedLog
  /** Bad rows of the file, which are left out. */
  readonly bad: number
  /** How numbers that are not in the file were derived. */
  readonly notes: readonly string[]
  /** Keeps the log and computes the decisions of each rule. */
  readonly thread: LogThread
  /** The run on the page that the log was made of. */
  readonly run?: Run
  /** What the system's own scheduler decided, from another file. */
  readonly decided?: OwnDecisions
  /** When the part began whose scenario was opened on the canvas, since the log begins. */
  readonly opened?: Micros
}

/** The decisions of the system's own scheduler. `outside`: how many more lie before or after the log. */
export interface OwnDecisions {
  readonly name: string
  readonly decisions: readonly OtherDecision[]
  readonly marks: Marks
  readonly outside: number
}

export const logStore = part(() =>
  createStore<LogState>(() => ({ open: false, coming: null, problems: [], shown: null })),
)

/** Opens the dialog, with the log that was shown last, if there is one. */
export function openLogs(session: Session): void {
  logStore(session).setState({ open: true })
}

export const logCommands: Commands = (session) => [
  {
    name: 'openLog',
    menu: {
      section: 'files',
      label: t('Open a log'),
      about: t('What would the allocator have done?'),
    },
    act: () => openLogs(session),
  },
]

/** Returns whether a run that has ended is one of another system. */
export const isImported = ({ trace }: Run): boolean => trace.engine === 'functions'

/** A thread that keeps one log. Once the thread is gone, every call rejects with an Error for users. */
export interface LogThread {
  readonly read: Promise<LogFileRead>
  /** Makes a log of the series that were read. */
  map(mapping: Mapping): Promise<LogFileRead>
  /** Returns the decisions of a policy at every point. `workers` is used if the log does not have them. */
  weigh(policy: Policy, workers: number): Promise<OpenLoop>
  /** Ends the thread. */
  stop(): void
}
