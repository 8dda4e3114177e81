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
  /** How many came in, and how many were in the library as they are in the file. */
  readonly came: number
  readonly known: number
  /** Why others did not. */
  readonly problems: readonly Problem[]
}

/** Takes what can be read of a file into the library. What is in it already stays as it is. Rejects where the library cannot be read. */
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

/** Takes a file of scenarios that was dropped or chosen on the page, and shows the library; what of it could not be taken is said. */
export async function bringIn(session: Session, file: File): Promise<void> {
  try {
    const { problems } = await takeScenarios(session, file)
    if (problems.length > 0) refuse(session, problems)
    else openLibrary(session)
  } catch (error) {
    complain(session, t('The library cannot be read: {reason}.', { reason: failure(error) }))
  }
}
