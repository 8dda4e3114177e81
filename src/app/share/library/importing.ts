import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { complain } from '../../session/run/runStore.ts'
import { refuse } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { isKept } from './entries.ts'
import { MAX_LIBRARY_FILE, readFile } from './exchange.ts'
import { keepScenarios, library } from './libraryKeeping.ts'
import { openLibrary } from './libraryStore.ts'
import { failure } from './storageWords.ts'

interface Import {
  /** How many came in, and how many were in the library already. */
  readonly came: number
  readonly known: number
  /** Why others could not be read or stored. */
  readonly problems: readonly Problem[]
}

/** Takes the scenarios of a file into the library. What is there already stays. Rejects if the library cannot be read. */
export async function takeScenarios(session: Session, file: File): Promise<Import> {
  if (file.size > MAX_LIBRARY_FILE) {
    const message = t('the file has {size}; allowed: {most}', { size: bytes(file.size), most: bytes(MAX_LIBRARY_FILE) })
    return { came: 0, known: 0, problems: [{ path: '', message }] }
  }
  const { entries, problems } = readFile(await file.text())
  const before = await library.all()
  const there = new Set(before.map((record) => (isKept(record) ? record.text : '')))
  const news = entries.filter(({ text }) => !there.has(text) && there.add(text))
  const known = entries.length - news.length
  try {
    await keepScenarios(session, ...news)
    return { came: news.length, known, problems }
  } catch (error) {
    const came = (await library.count()) - before.length
    const message = t('{n, plural, one {# scenario was} other {# scenarios were}} not taken: {reason}', { n: news.length - came, reason: failure(error) })
    return { came, known, problems: [...problems, { path: '', message }] }
  }
}

/** Takes a file of scenarios that was dropped or chosen on the page. Shows the library, or the problems. */
export async function bringIn(session: Session, file: File): Promise<void> {
  try {
    const { problems } = await takeScenarios(session, file)
    if (problems.length > 0) refuse(session, problems)
    else openLibrary(session)
  } catch (error) {
    complain(session, t('The library cannot be read: {reason}.', { reason: failure(error) }))
  }
}
