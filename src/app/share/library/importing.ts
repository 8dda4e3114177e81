import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { showError } from '../../session/run/runStore.ts'
import { showProblems } from '../../session/scenario/scenarioStore.ts'
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

/** Returns what came of an import, in words. */
export function broughtIn({ came, known, problems }: Import): string {
  return [
    t('{n, plural, one {# scenario came in} other {# scenarios came in}}', { n: came }),
    ...(known > 0 ? [t('{n, plural, one {# was here already} other {# were here already}}', { n: known })] : []),
    ...(problems.length > 0 ? [t('{n, plural, one {# cannot be taken} other {# cannot be taken}}', { n: problems.length })] : []),
  ].join('; ')
}

/** Takes a file of scenarios that was dropped or chosen on the page. Shows the library, or the problems. */
export async function importFile(session: Session, file: File): Promise<void> {
  try {
    const { problems } = await takeScenarios(session, file)
    if (problems.length > 0) showProblems(session, problems)
    else openLibrary(session)
  } catch (error) {
    showError(session, t('The library cannot be read: {reason}.', { reason: failure(error) }))
  }
}
