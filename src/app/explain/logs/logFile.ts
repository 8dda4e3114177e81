import { t } from '../../../language/translate.ts'
import type { LogFileRead } from '../../../runs/files/logFile.ts'
import { type LogThread, MAX_LOG_FILE, openLogFile } from '../../../runs/files/remoteLogFile.ts'
import type { Mapping } from '../../../trace/logs/logSeries.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/readable.ts'
import { part, type Session } from '../../session/session.ts'
import { logStore, type ShownLog } from './logStore.ts'

/** Files above this many bytes wait until somebody has seen how large they are. */
const LARGE = 50_000_000

interface Own {
  /** The thread that reads what is coming. */
  reading: LogThread | null
}

const own = part(
  (): Own => ({
    reading: null,
  }),
)

/** Opens a log; its size is on the screen first, and a large one waits for a word. */
export async function openLog(session: Session, file: Blob, name = file instanceof File ? readable(file.name) : t('The log')): Promise<void> {
  cancelLog(session)
  logStore(session).setState({ open: true })
  if (file.size > MAX_LOG_FILE)
    return refuse(session, name, t('has {size}; allowed: {MAX_LOG_FILE}', { size: bytes(file.size), MAX_LOG_FILE: bytes(MAX_LOG_FILE) }))
  logStore(session).setState({ coming: { name, size: file.size, step: 'waiting', file } })
  if (file.size <= LARGE) await readComing(session)
}

/** Begins to read the file that waits. */
export async function readComing(session: Session): Promise<void> {
  const { coming } = logStore(session).getState()
  if (coming?.step !== 'waiting') return
  const { name, size, file } = coming
  const come = (share: number) => logStore(session).setState({ coming: { name, size, step: 'reading', share } })
  const thread = openLogFile(file, (share) => {
    // Words of progress come by a way of their own, and may be later than the answer.
    if (own(session).reading === thread && logStore(session).getState().coming?.step === 'reading') come(share)
  })
  own(session).reading = thread
  come(0)
  await take(session, thread, name, size, thread.read)
}

/** Says what the series mean that were read. */
export async function mapComing(session: Session, mapping: Mapping): Promise<void> {
  const { coming } = logStore(session).getState()
  const { reading } = own(session)
  if (coming?.step === 'mapping' && reading !== null) await take(session, reading, coming.name, coming.size, reading.map(mapping))
}

/** Goes on without the bad rows. */
export function acceptComing(session: Session): void {
  const { coming } = logStore(session).getState()
  const { reading } = own(session)
  if (coming?.step === 'bad' && reading !== null) show(session, { name: coming.name, log: coming.log, bad: coming.bad, thread: reading })
}

/** Gives up what is coming. What was shown stays. */
export function cancelLog(session: Session): void {
  own(session).reading?.stop()
  own(session).reading = null
  logStore(session).setState({ coming: null, problems: [] })
}

/** The log stays, to be looked at again; what is coming is given up. */
export function closeLogs(session: Session): void {
  cancelLog(session)
  logStore(session).setState({ open: false })
}

/** The sample that comes with the page: an autoscaler's twelve minutes. */
export async function openSampleLog(session: Session): Promise<void> {
  try {
    const answer = await fetch(SAMPLE)
    if (!answer.ok) throw new Error(t("the page's host answers {status}", { status: answer.status }))
    await openLog(session, await answer.blob(), SAMPLE)
  } catch (error) {
    refuse(session, SAMPLE, t('cannot be read: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

export const SAMPLE = 'sample-log.csv'

async function take(session: Session, thread: LogThread, name: string, size: number, coming: Promise<LogFileRead>): Promise<void> {
  try {
    const read = await coming
    if (own(session).reading !== thread) return
    if (read.kind === 'series') logStore(session).setState({ coming: { name, size, step: 'mapping', heads: read.heads } })
    else if (read.kind === 'log' && read.bad > 0) logStore(session).setState({ coming: { name, size, step: 'bad', ...read } })
    else if (read.kind === 'log') show(session, { name, log: read.log, bad: 0, thread })
    // Series may be explained in another way.
    else if (logStore(session).getState().coming?.step === 'mapping') logStore(session).setState({ problems: read.problems })
    else {
      cancelLog(session)
      logStore(session).setState({ problems: read.problems.map(({ path, message }) => ({ path: path === '' ? name : `${name}, ${path}`, message })) })
    }
  } catch (error) {
    if (own(session).reading === thread) refuse(session, name, t('cannot be read: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

function show(session: Session, log: Omit<ShownLog, 'serial'>): void {
  const { shown } = logStore(session).getState()
  shown?.thread.stop()
  own(session).reading = null
  logStore(session).setState({ shown: { ...log, serial: (shown?.serial ?? 0) + 1 }, coming: null, problems: [] })
}

function refuse(session: Session, name: string, message: string): void {
  cancelLog(session)
  logStore(session).setState({ problems: [{ path: name, message }] })
}
