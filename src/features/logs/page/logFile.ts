import { readable } from '../../../app/base/browser/files.ts'
import { goTo } from '../../../app/session/page/playhead.ts'
import { openPanel } from '../../../app/session/page/showing.ts'
import { noteOnTimeline } from '../../../app/session/page/timelineStore.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { appendMark, createMarks } from '../../../measures/series/marks.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import { fromUtf8 } from '../../../scenario/link/bytes.ts'
import type { Micros, Problem } from '../../../scenario/model/scenario.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { openSpans } from '../../spans/page/SpanDialog.tsx'
import { spanFormatOf } from '../../spans/read/spanFormats.ts'
import { logOfRun } from '../measure/logPoints.ts'
import { type Headings, MAX_ROW } from '../read/csvRows.ts'
import { type CsvTable, lackingIn, tableIn } from '../read/csvTable.ts'
import { decisionFormOf, MAX_DECISIONS, type OtherDecision, readDecisions } from '../read/decisions.ts'
import { HEAD, looksLikeLog, otherIn } from '../read/readLog.ts'
import type { Mapping } from '../read/seriesRoles.ts'
import { type LogFileRead, MAX_LOG_FILE } from '../study/logFile.ts'
import { notesOf } from './decidedNotes.ts'
import { forgetFit } from './fitting.ts'
import {
  type ComingLog,
  isImported,
  type LogThread,
  logStore,
  openLogs,
  type ShownLog,
  type UnknownTable,
} from './logStore.ts'

/** A larger file, in bytes, waits until the user has seen its size. */
const LARGE = 50_000_000

/** The sample that comes with the page: ten minutes in which a worker was moved to the wrong stage. */
export const SAMPLE = 'sample-incident.csv'

/**
 * Opens a log. If it is a table whose headings do not name the columns of a log, asks for them; `asLines` is offered beside that,
 * and alone for another text. A large one first shows its size and waits for a click.
 */
export async function openLog(
  session: Session,
  file: Blob,
  name = file instanceof File ? readable(file.name) : t('The log'),
  asLines: UnknownTable['asLines'] = null,
): Promise<void> {
  cancelLog(session)
  const { size } = file
  const wasOpen = logStore(session).getState().open
  logStore(session).setState({ open: true })
  if (size > MAX_LOG_FILE)
    return refuse(
      session,
      name,
      t('the file has {size}; allowed: {most}', { size: bytes(size), most: bytes(MAX_LOG_FILE) }),
    )
  const looking = { name, size, step: 'looking', file } as const
  logStore(session).setState({ coming: looking })
  const head = new Uint8Array(
    await file
      .slice(0, HEAD)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  )
  const table = await tableAtHead(file).catch(() => null)
  if (logStore(session).getState().coming !== looking) return
  const text = fromUtf8(head)
  const lacking = lackingIn(head, size <= HEAD)
  const form = decisionFormOf(text)
  // Without a log the person may want the lines of such a file.
  if (
    form !== null &&
    (asLines === null || logStore(session).getState().shown !== null || importedRun(session) !== null)
  )
    return takeDecisions(session, looking, form, wasOpen)
  const why = otherIn(text) ?? (lacking.length > 0 ? lackingText(lacking) : null)
  const spans = spanFormatOf(text)
  if (spans !== null) {
    closeLogs(session)
    await openSpans(session, file instanceof File ? file : new File([file], name))
  } else if (asLines !== null && (form !== null || (table === null && (lacking.length > 0 || !looksLikeLog(head)))))
    logStore(session).setState({ coming: { name, size, step: 'lines', asLines, why } })
  else if (table !== null) logStore(session).setState({ coming: { name, size, step: 'columns', file, table, asLines } })
  else await offer(session, { name, size, step: 'waiting', file, named: null })
}

/** Says why lines with a time and a stage are no log and no spans. */
const lackingText = (lacking: readonly string[]): string =>
  t('a log also needs {lacking}; spans need a job and durationMs', { lacking: lacking.join('; ') })

/** Shows what the system's own scheduler decided beside the log that it belongs to, or on the timeline of the imported run. */
async function takeDecisions(
  session: Session,
  looking: ComingLog & { readonly step: 'looking' },
  form: NonNullable<ReturnType<typeof decisionFormOf>>,
  wasOpen: boolean,
) {
  const store = logStore(session)
  const { name, size, file } = looking
  if (size > MAX_DECISIONS)
    return refuse(
      session,
      name,
      t('the file has {size}; allowed: {most}', { size: bytes(size), most: bytes(MAX_DECISIONS) }),
    )
  try {
    const text = await file.text()
    const beside = await logOfDecisions(session, wasOpen)
    if (store.getState().coming !== looking) return
    if (beside === null) return refuse(session, name, otherIn(text) ?? '')
    const { points } = beside.log
    const { decisions, outside, problems } = readDecisions(text, form, points.log, points.time[points.length - 1])
    cancelLog(session)
    const marks = createMarks()
    for (const { time } of decisions) appendMark(marks, time)
    const decided = { name, decisions, marks, outside }
    const { shown } = store.getState()
    if (decisions.length > 0 && beside === shown) store.setState({ shown: { ...beside, decided } })
    else if (decisions.length > 0) show(session, { ...beside, decided })
    else if (beside !== shown) beside.thread.stop()
    store.setState({
      problems: problems.map(
        ({ path, message }): Problem => ({ path: path === '' ? name : `${name}, ${path}`, message }),
      ),
    })
    noteOnTimeline(session, (run) => notesOf(session, run))
    if (!wasOpen && beside.run !== undefined && problems.length === 0) showOnTimeline(session, decisions[0])
  } catch (error) {
    if (store.getState().coming === looking)
      refuse(session, name, t('cannot be read: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

/** Closes the dialog and moves the playhead to the first decision, which the side panel tells. */
function showOnTimeline(session: Session, { time }: OtherDecision): void {
  closeLogs(session)
  openPanel(session, 'decision')
  goTo(session, time)
}

/** Returns the run on the page if it is one of another system; null for others. */
function importedRun(session: Session): Run | null {
  const { run, phase } = runStore(session).getState()
  return phase === 'ended' && run !== null && isImported(run) ? run : null
}

/** Shows the imported run on the page as a log, with what the policy would have decided at each point. */
export async function openRunAsLog(session: Session): Promise<void> {
  const { shown } = logStore(session).getState()
  cancelLog(session)
  openLogs(session)
  const log = await logOfDecisions(session, false)
  if (log !== null && log !== shown) show(session, log)
}

/** Returns the log that decisions belong to: the one in the open dialog, else the imported run on the page, which becomes a log, else the one that was open last. */
async function logOfDecisions(session: Session, wasOpen: boolean): Promise<ShownLog | null> {
  const { shown } = logStore(session).getState()
  const run = importedRun(session)
  if (run === null || (shown !== null && (wasOpen || shown.run === run))) return shown
  const note = t('Each service time is the mean up to its point.')
  const thread = openLogThread((job) => job('takeLog', { log: logOfRun(run.trace), note }))
  const read = await thread.read
  if (read.kind !== 'log') return shown
  return { serial: 0, name: run.scenario.title ?? t('Untitled'), run, log: read.log, bad: 0, notes: read.notes, thread }
}

/** Returns whether a file may be a log, or has lines: these replace what is on the screen only once the person says so. */
export async function hasLines(file: File): Promise<boolean> {
  const head = await file.slice(0, MAX_ROW).text()
  return file.size > MAX_ROW || head.trim() !== ''
}

/** Returns the table that a file begins with, if its columns have to be named. */
export async function tableAtHead(file: Blob): Promise<CsvTable | null> {
  return tableIn(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()), file.size <= HEAD)
}

/** Reads the table with these headings. */
export async function readColumns(session: Session, headings: CsvTable['headings']): Promise<void> {
  const { coming } = logStore(session).getState()
  if (coming?.step !== 'columns') return
  const { name, size, file, table, asLines } = coming
  await offer(session, { name, size, step: 'waiting', file, named: { file, table: { ...table, headings }, asLines } })
}

/** Closes the dialog and opens the table or text as a file of lines. */
export function takeAsLines(session: Session): void {
  const { coming } = logStore(session).getState()
  if (coming?.step !== 'columns' && coming?.step !== 'lines') return
  closeLogs(session)
  coming.asLines?.()
}

/** Reads a file, or lets it wait if it is large. */
async function offer(session: Session, coming: ComingLog & { readonly step: 'waiting' }): Promise<void> {
  logStore(session).setState({ coming, problems: [] })
  if (coming.size <= LARGE) await readComing(session)
}

export async function openSampleLog(session: Session): Promise<void> {
  try {
    const answer = await fetch(SAMPLE)
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
    await openLog(session, await answer.blob(), SAMPLE)
  } catch (error) {
    refuse(session, SAMPLE, t('cannot be read: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

/** Begins to read the file that waits. */
export async function readComing(session: Session): Promise<void> {
  const { coming } = logStore(session).getState()
  if (coming?.step !== 'waiting') return
  const { name, size, file, named } = coming
  const report = (share: number) =>
    logStore(session).setState({ coming: { name, size, step: 'reading', share, thread, named } })
  const thread: LogThread = openLogFile(
    file,
    named?.table ?? null,
    (share) => isComing(session, thread) && report(share),
  )
  report(0)
  await take(session, thread, { name, size }, thread.read)
}

/** Reads the series with this mapping. */
export async function mapComing(session: Session, mapping: Mapping): Promise<void> {
  const { coming } = logStore(session).getState()
  if (coming?.step === 'mapping') await take(session, coming.thread, coming, coming.thread.map(mapping))
}

/** Continues without the bad rows. */
export function acceptComing(session: Session): void {
  const { coming } = logStore(session).getState()
  if (coming?.step !== 'bad') return
  const { name, log, bad, notes, thread } = coming
  show(session, { name, log, bad, notes, thread })
}

/** Cancels the file that is being opened. The log that is shown stays. */
export function cancelLog(session: Session): void {
  const { coming } = logStore(session).getState()
  if (coming !== null && 'thread' in coming) coming.thread.stop()
  logStore(session).setState({ coming: null, problems: [] })
}

/** Closes the dialog. The log stays for the next time. A file that is being opened is cancelled. */
export function closeLogs(session: Session): void {
  cancelLog(session)
  logStore(session).setState({ open: false })
}

/** Closes the dialog for a scenario of the log that is on the canvas now. `opened`: when its part begins, since the log begins. */
export function leaveFor(session: Session, opened: Micros): void {
  const { shown } = logStore(session).getState()
  if (shown !== null) logStore(session).setState({ shown: { ...shown, opened } })
  closeLogs(session)
}

async function take(
  session: Session,
  thread: LogThread,
  { name, size }: Pick<ComingLog, 'name' | 'size'>,
  reading: Promise<LogFileRead>,
): Promise<void> {
  const store = logStore(session)
  try {
    const read = await reading
    if (!isComing(session, thread)) return
    if (read.kind === 'series') store.setState({ coming: { name, size, step: 'mapping', heads: read.heads, thread } })
    else if (read.kind === 'log' && read.bad > 0)
      store.setState({ coming: { name, size, step: 'bad', ...read, thread } })
    else if (read.kind === 'log') show(session, { name, log: read.log, bad: 0, notes: read.notes, thread })
    // Another mapping of the series may do.
    else if (store.getState().coming?.step === 'mapping') store.setState({ problems: read.problems })
    else {
      const { coming } = store.getState()
      const named = coming?.step === 'reading' ? coming.named : null
      cancelLog(session)
      store.setState({
        // Other columns may do.
        coming: named === null ? null : { name, size, step: 'columns', ...named },
        problems: read.problems.map(({ path, message }) => ({
          path: path === '' ? name : `${name}, ${path}`,
          message,
        })),
      })
    }
  } catch (error) {
    if (isComing(session, thread))
      refuse(session, name, t('cannot be read: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

/** Returns whether the file that is coming is still that of the thread. */
function isComing(session: Session, thread: LogThread): boolean {
  const { coming } = logStore(session).getState()
  return coming !== null && 'thread' in coming && coming.thread === thread
}

function show(session: Session, log: Omit<ShownLog, 'serial'>): void {
  const { shown } = logStore(session).getState()
  shown?.thread.stop()
  forgetFit(session)
  logStore(session).setState({ shown: { ...log, serial: (shown?.serial ?? 0) + 1 }, coming: null, problems: [] })
  noteOnTimeline(session, (run) => notesOf(session, run))
}

function refuse(session: Session, name: string, message: string): void {
  cancelLog(session)
  logStore(session).setState({ problems: [{ path: name, message }] })
}

/** Opens a log on a thread of its own. `headings`: see `createLogReader`. Calls `progress` with the share that is read, 0 to 1. */
export const openLogFile = (file: Blob, headings: Headings | null, progress: (share: number) => void): LogThread =>
  openLogThread((job) => job('readLog', { file, headings }, progress))

/** Returns a thread for a log, which `first` reads there. */
function openLogThread(first: (job: ReturnType<typeof openJobThreads>['run']) => Promise<LogFileRead>): LogThread {
  const { run, end } = openJobThreads(1)
  return {
    read: first(run),
    map: (mapping) => run('mapLog', mapping),
    weigh: (policy, workers) => run('weighLog', { policy, workers }),
    stop: end,
  }
}
