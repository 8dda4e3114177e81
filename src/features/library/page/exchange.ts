import { showError, showProblems } from '../../../app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { checked } from '../../../scenario/parse/checked.ts'
import { goneIn } from '../../../scenario/parse/gone.ts'
import { parseDraft } from '../../../scenario/parse/parse.ts'
import { checkVersion } from '../../../scenario/parse/schemaParts.ts'
import { anything, checkList, checkRecord, isPlainObject } from '../../../scenario/parse/shape.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { failure, type Kept } from '../records/database.ts'
import { fresh, isKept, keptText, MAX_ENTRIES, whyTooLong } from '../records/entries.ts'
import { openLibrary } from '../records/libraryStore.ts'
import { keepScenarios, library } from './libraryKeeping.ts'

const FORMAT = 'apportion-scenarios'
const VERSION = 1
/** The largest file with many scenarios, in bytes. */
const MAX_LIBRARY_FILE = 100_000_000

const fileCheck = checkRecord({
  format: anything,
  version: checkVersion(VERSION),
  scenarios: checkList(anything, MAX_ENTRIES),
})

/** Returns all scenarios as one file, in pieces: `{ format, version, scenarios: [{ changed, scenario }] }`. */
export function* writeFile(entries: readonly Kept[]): Generator<string> {
  yield `{"format":"${FORMAT}","version":${VERSION},"scenarios":[`
  for (const [i, { changed, text }] of entries.entries())
    yield `${i === 0 ? '' : ','}\n{"changed":${changed},"scenario":${text}}`
  yield '\n]}\n'
}

interface Imported {
  readonly entries: readonly Kept[]
  readonly problems: readonly Problem[]
}

/** Returns the scenarios in such a file, or in a file of one scenario, and the problems of the others, each at its path. Never throws. */
export function readFile(text: string): Imported {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refused(t('this is not JSON, or it is cut off'))
  }
  const file = (isPlainObject(json) ? json : {}) as Readonly<Record<string, unknown>>
  if (Array.isArray(file.stages)) return read([{ scenario: file }], () => '')
  if (file.format !== FORMAT)
    return refused(t('this is not a file of scenarios; allowed: what Export all writes, or one scenario'))
  const found = checked(fileCheck, file)
  if ('problems' in found) return { entries: [], problems: found.problems }
  return read(found.value.scenarios, (i) => `scenarios[${i}]`)
}

function read(list: readonly unknown[], pathOf: (i: number) => string): Imported {
  const entries: Kept[] = []
  const problems: Problem[] = []
  for (const [i, item] of list.entries()) {
    const { scenario, changed } = (isPlainObject(item) ? item : {}) as Readonly<Record<string, unknown>>
    const drawn = parseDraft(scenario)
    if ('problems' in drawn) {
      const [first, ...others] = drawn.problems
      problems.push({
        ...first,
        path: [pathOf(i), first.path].filter((part) => part !== '').join('.scenario.'),
        message: [first.message, ...(others.length > 0 ? [t('and {more} more', { more: others.length })] : [])].join(
          '; ',
        ),
      })
      continue
    }
    // What this version no longer has stays in the library, for the notice when the scenario is opened.
    const text = goneIn(drawn.scenario).length > 0 ? JSON.stringify(scenario) : keptText(drawn.scenario)
    const refusal = whyTooLong(text)
    const hasTime = typeof changed === 'number' && Number.isSafeInteger(changed) && changed >= 0 && changed < MAX_MS
    if (refusal !== null) problems.push({ path: pathOf(i), message: refusal })
    else entries.push(fresh(text, hasTime ? changed : Date.now()))
  }
  return { entries, problems }
}

/** The last instant that a Date can hold. */
const MAX_MS = 8_640_000_000_000_000

const refused = (message: string) => ({ entries: [], problems: [{ path: '', message }] })

/**
 * Takes the scenarios of a file into the library. Returns how many came in, how many were there already, and why others could not be read
 * or stored. Rejects if the library cannot be read.
 */
export async function takeScenarios(session: Session, file: File) {
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
    const message = t('{n, plural, one {# scenario was} other {# scenarios were}} not imported: {reason}', {
      n: news.length - came,
      reason: failure(error),
    })
    return { came, known, problems: [...problems, { path: '', message }] }
  }
}

/** Returns the result of an import in words. */
export function broughtIn({ came, known }: Awaited<ReturnType<typeof takeScenarios>>): string {
  return [
    t('{n, plural, one {# scenario imported} other {# scenarios imported}}', { n: came }),
    ...(known > 0 ? [t('{n, plural, one {# was already here} other {# were already here}}', { n: known })] : []),
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
