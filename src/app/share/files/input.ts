import { t } from '../../../language/translate.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import { MAX_SERVICES_ON_THREADS, MAX_TEXT } from '../../../scenario/model/limits.ts'
import { recordKernels } from '../../../scenario/model/scenario.ts'
import { parseText } from '../../../scenario/parse/parse.ts'
import { presetOf } from '../../../scenario/presets/presets.ts'
import { readable } from '../../base/browser/files.ts'
import { featuresOf } from '../../session/features/features.tsx'
import { openInput, openScenario } from '../../session/run/opening.ts'
import { runStore } from '../../session/run/runStore.ts'
import { editOrShowProblems, scenarioStore, showError, showProblems } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'
import { looksLikeTrace, openTrace } from './openTrace.ts'

/** Takes a file that was dropped or chosen: a trace, a scenario or a log opens; another table is asked about; the lines of another text become the jobs of the pipeline. */
export async function takeFile(session: Session, file: File): Promise<void> {
  const takers = featuresOf(session).flatMap(({ files }) => files ?? [])
  const taker = takers.find(({ takesAll }) => takesAll(session))
  if (taker !== undefined) return taker.open(session, file)
  const isTrace = await looksLikeTrace(file).catch(() => false)
  for (const each of takers)
    if (each.holdsRuns && !isTrace && (await each.recognises(file, session))) return each.open(session, file)
  const refused = await unreadableReason(file)
  if (refused !== null) return showError(session, refused)
  if (isTrace) return openTrace(session, file)
  if (/\.json$/i.test(file.name) && file.size <= MAX_TEXT) {
    const text = await file.text()
    if (text.includes('"stages"')) {
      const parsed = parseText(text)
      if ('problems' in parsed) showProblems(session, parsed.problems)
      else openScenario(session, parsed.scenario)
      return
    }
  }
  const asLines = () => takeLines(session, file, readable(file.name))
  for (const each of takers)
    if (await each.recognises(file, session)) return each.open(session, file, () => void asLines())
  await asLines()
}

/** The text file that came last: the status line while its lines are counted, and the status line before. */
const latestFile = part((): { reading: (() => string) | null; before: () => string } => ({
  reading: null,
  before: () => '',
}))

/**
 * Makes the lines of a file the arrivals. A pipeline without real work is replaced by the one for records; undo brings it back. If another file or scenario comes while the lines are counted, that stays.
 */
async function takeLines(session: Session, file: Blob, name: string): Promise<void> {
  const runs = runStore(session)
  const scenarios = scenarioStore(session)
  const { status } = runs.getState()
  const { opened } = scenarios.getState()
  const reading = () => t('Reading {name}.', { name })
  const latest = latestFile(session)
  if (status !== latest.reading) latest.before = status
  latest.reading = reading
  const wanted = () => latest.reading === reading && scenarios.getState().opened === opened
  runs.setState({ status: reading })
  try {
    const most = Math.floor(MAX_SERVICES_ON_THREADS / scenarios.getState().scenario.stages.length)
    const { jobs, digest } = await runJob('countLines', { file, most })
    if (!wanted()) return
    if (jobs === 0) throw new Error(t('the file is empty'))
    const { scenario } = scenarios.getState()
    const real = scenario.stages.some(
      ({ work }) => (recordKernels as readonly unknown[]).includes(work) || typeof work === 'object',
    )
    const records = real ? undefined : presetOf('log-lines')
    if (!wanted()) return
    const source = { kind: 'lines', jobs, digest } as const
    // One step, so that one undo leads back.
    if (records !== undefined) openScenario(session, setSource(records.scenario, source), records.engine)
    else if (!editOrShowProblems(session, (now) => setSource(now, source))) return
    openInput(session, file, () =>
      t('{name}: {jobs, plural, one {# line} other {# lines}}. Press Run.', { jobs, name }),
    )
  } catch (error) {
    if (wanted())
      showError(
        session,
        t('{name} cannot be read: {why}', { name, why: error instanceof Error ? error.message : String(error) }),
      )
  } finally {
    // Restores the status of before, unless another message has come meanwhile.
    if (runs.getState().status === reading) runs.setState({ status: latest.before })
  }
}

/** How many bytes are read to tell text from anything else. */
const SNIFF_BYTES = 65_536

/** Returns which files may be dropped or chosen. */
export const allowedFiles = () => t('A scenario, a trace, a log, or JSON lines')

/** Returns why this page cannot read a file, or null. A type such as an image is refused; any other file must be UTF-8 text without NUL, whatever its name. */
export async function unreadableReason(file: File): Promise<string | null> {
  const [kind] = /^(image|audio|video|font)(?=\/)|^application\/(zip|pdf|gzip|x-gzip|x-tar)$/.exec(file.type) ?? []
  if (kind !== undefined) return refusal(file.name, t('a file of the kind {kind}', { kind }))
  let head: ArrayBuffer
  try {
    head = await file.slice(0, SNIFF_BYTES).arrayBuffer()
  } catch {
    // A dropped folder fails only when it is read.
    return refusal(file.name, t('a folder, or an unreadable file'))
  }
  return isText(head) ? null : refusal(file.name, t('no UTF-8 text'))
}

function refusal(name: string, what: string): string {
  return t('{name} is {what}. Allowed: {allowed}.', { name: readable(name), what, allowed: allowedFiles() })
}

function isText(bytes: ArrayBuffer): boolean {
  try {
    // `stream`: the last character may be cut off.
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }).includes('\0')
  } catch {
    return false
  }
}
