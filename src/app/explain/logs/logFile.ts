import { t } from '../../../language/translate.ts'
import { type LogFileRead, MAX_LOG_FILE } from '../../../runs/files/logFile.ts'
import { type LogThread, openLogFile } from '../../../runs/remote/openLogFile.ts'
import type { Mapping } from '../../../trace/logSeries.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/readable.ts'
import { logStore, type ShownLog } from './logStore.ts'

/** Files above this many bytes wait until somebody has seen how large they are. */
const LARGE = 50_000_000

/** The thread that reads what is coming. */
let reading: LogThread | null = null

/** Opens a log; its size is on the screen first, and a large one waits for a word. */
export async function openLog(file: Blob, name = file instanceof File ? readable(file.name) : t('The log')): Promise<void> {
  cancelLog()
  logStore.setState({ open: true })
  if (file.size > MAX_LOG_FILE) return refuse(name, t('has {size}; allowed: {MAX_LOG_FILE}', { size: bytes(file.size), MAX_LOG_FILE: bytes(MAX_LOG_FILE) }))
  logStore.setState({ coming: { name, size: file.size, step: 'waiting', file } })
  if (file.size <= LARGE) await readComing()
}

/** Begins to read the file that waits. */
export async function readComing(): Promise<void> {
  const { coming } = logStore.getState()
  if (coming?.step !== 'waiting') return
  const { name, size, file } = coming
  const come = (share: number) => logStore.setState({ coming: { name, size, step: 'reading', share } })
  const thread = openLogFile(file, (share) => {
    // Words of progress come by a way of their own, and may be later than the answer.
    if (reading === thread && logStore.getState().coming?.step === 'reading') come(share)
  })
  reading = thread
  come(0)
  await take(thread, name, size, thread.read)
}

/** Says what the series mean that were read. */
export async function mapComing(mapping: Mapping): Promise<void> {
  const { coming } = logStore.getState()
  if (coming?.step === 'mapping' && reading !== null) await take(reading, coming.name, coming.size, reading.map(mapping))
}

/** Goes on without the bad rows. */
export function acceptComing(): void {
  const { coming } = logStore.getState()
  if (coming?.step === 'bad' && reading !== null) show({ name: coming.name, log: coming.log, bad: coming.bad, thread: reading })
}

/** Gives up what is coming. What was shown stays. */
export function cancelLog(): void {
  reading?.stop()
  reading = null
  logStore.setState({ coming: null, problems: [] })
}

/** The log stays, to be looked at again; what is coming is given up. */
export function closeLogs(): void {
  cancelLog()
  logStore.setState({ open: false })
}

/** The sample that comes with the page: an autoscaler's twelve minutes. */
export async function openSampleLog(): Promise<void> {
  try {
    const answer = await fetch(SAMPLE)
    if (!answer.ok) throw new Error(t("the page's host answers {status}", { status: answer.status }))
    await openLog(await answer.blob(), SAMPLE)
  } catch (error) {
    refuse(SAMPLE, t('cannot be read: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

export const SAMPLE = 'sample-log.csv'

async function take(thread: LogThread, name: string, size: number, coming: Promise<LogFileRead>): Promise<void> {
  try {
    const read = await coming
    if (reading !== thread) return
    if (read.kind === 'series') logStore.setState({ coming: { name, size, step: 'mapping', heads: read.heads } })
    else if (read.kind === 'log' && read.bad > 0) logStore.setState({ coming: { name, size, step: 'bad', ...read } })
    else if (read.kind === 'log') show({ name, log: read.log, bad: 0, thread })
    // Series may be explained in another way.
    else if (logStore.getState().coming?.step === 'mapping') logStore.setState({ problems: read.problems })
    else {
      cancelLog()
      logStore.setState({ problems: read.problems.map(({ path, message }) => ({ path: path === '' ? name : `${name}, ${path}`, message })) })
    }
  } catch (error) {
    if (reading === thread) refuse(name, t('cannot be read: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

function show(log: Omit<ShownLog, 'serial'>): void {
  const { shown } = logStore.getState()
  shown?.thread.stop()
  reading = null
  logStore.setState({ shown: { ...log, serial: (shown?.serial ?? 0) + 1 }, coming: null, problems: [] })
}

function refuse(name: string, message: string): void {
  cancelLog()
  logStore.setState({ problems: [{ path: name, message }] })
}
