import { t } from '../../../language/translate.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import { MAX_SERVICES_ON_THREADS, MAX_TEXT } from '../../../scenario/model/limits.ts'
import { recordKernels } from '../../../scenario/model/scenario.ts'
import { parseText } from '../../../scenario/parse/parse.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { foreign } from '../../base/browser/foreignFile.ts'
import { readable } from '../../base/browser/readable.ts'
import { logStore } from '../../explain/logs/logStore.ts'
import { complain, openInput, openScenario, runStore } from '../../session/run/runStore.ts'
import { edit, refuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { looksLikeTrace, openTrace } from './openTrace.ts'

/** Takes a file that was dropped or chosen: a trace, a scenario or a log opens, other text becomes the jobs of the pipeline, a line each; nothing else does. */
export async function takeFile(file: File): Promise<void> {
  // Whoever drops a file on the dialog of logs means it for one.
  if (logStore.getState().open) return (await import('../../explain/logs/logFile.ts')).openLog(file)
  const refused = await foreign(file)
  if (refused !== null) return complain(refused)
  if (await looksLikeTrace(file)) return openTrace(file)
  if (/"apportion-scenarios"/.test(await file.slice(0, 4096).text())) return (await import('../library/importing.ts')).bringIn(file)
  if (/\.json$/i.test(file.name) && file.size <= MAX_TEXT) {
    const text = await file.text()
    if (text.includes('"stages"')) {
      const parsed = parseText(text)
      if ('problems' in parsed) refuse(parsed.problems)
      else openScenario(parsed.scenario)
      return
    }
  }
  const { looksLikeLog } = await import('../../../trace/readLog.ts')
  if (looksLikeLog(new Uint8Array(await file.slice(0, 4096).arrayBuffer()))) return (await import('../../explain/logs/logFile.ts')).openLog(file)
  await takeLines(file, readable(file.name))
}

/** The sample that the project makes itself. */
export async function takeSample(): Promise<void> {
  const { makeSample } = await import('../../../runs/files/sampleFile.ts')
  await takeLines(makeSample(), t('the sample'))
}

export function chooseFile(take: (file: File) => Promise<void> = takeFile): void {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.addEventListener('change', () => {
    const [file] = chooser.files ?? []
    if (file !== undefined) void take(file)
  })
  chooser.click()
}

/** What the status line says while the lines of a file are read, and what it said before: of the file that came last. */
let coming: { readonly reading: () => string; readonly before: () => string } | null = null

/**
 * Makes the lines of a file the arrivals. A pipeline without real work gives way to the one for records; undo brings it back. Where another
 * file or another scenario comes while they are read, that stays.
 */
async function takeLines(file: Blob, name: string): Promise<void> {
  const { status } = runStore.getState()
  const { opened } = scenarioStore.getState()
  const reading = () => t('Reading {name}, {size}.', { name, size: bytes(file.size) })
  const present = { reading, before: coming?.reading === status ? coming.before : status }
  coming = present
  const wanted = () => coming === present && scenarioStore.getState().opened === opened
  runStore.setState({ status: reading })
  try {
    const most = Math.floor(MAX_SERVICES_ON_THREADS / scenarioStore.getState().scenario.stages.length)
    const { jobs, digest } = await runJob('countLines', { file, most })
    if (!wanted()) return
    if (jobs === 0) throw new Error(t('there is no line in it'))
    const { scenario } = scenarioStore.getState()
    const real = scenario.stages.some(({ work }) => (recordKernels as readonly string[]).includes(work))
    const records = real ? undefined : (await import('../../../scenario/presets/presets.ts')).presetOf('log-lines')
    if (!wanted()) return
    if (records !== undefined) openScenario(records.scenario, records.engine)
    if (!edit((now) => setSource(now, { kind: 'lines', jobs, digest }))) return
    openInput(file, () => t('{jobs, plural, one {# line of {name} is} other {# lines of {name} are}} ready. Press Run.', { jobs, name }))
  } catch (error) {
    if (wanted()) complain(t('{name} cannot be used: {why}', { name, why: error instanceof Error ? error.message : String(error) }))
  } finally {
    // What was said before holds still, where nothing else has been said meanwhile.
    if (runStore.getState().status === reading) runStore.setState({ status: present.before })
  }
}
