import { t } from '../../../language/translate.ts'
import { MAX_TEXT } from '../../../scenario/model/limits.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { checked } from '../../../scenario/parse/checked.ts'
import { parseDraft } from '../../../scenario/parse/parse.ts'
import { checkVersion } from '../../../scenario/parse/schemaParts.ts'
import { anything, checkList, checkRecord, isPlainObject } from '../../../scenario/parse/shape.ts'
import { count } from '../../../views/drawing/format.ts'
import type { Kept } from './database.ts'
import { fresh, keptText, MAX_ENTRIES } from './entries.ts'

const FORMAT = 'apportion-scenarios'
const VERSION = 1
/** The largest file with many scenarios, in UTF-16 units. */
export const MAX_LIBRARY_FILE = 100_000_000

const fileCheck = checkRecord(() => t('an object'), {
  format: anything,
  version: checkVersion(VERSION),
  scenarios: checkList(anything, MAX_ENTRIES),
})

/** Returns all scenarios as one file, in pieces: `{ format, version, scenarios: [{ changed, scenario }] }`. */
export function* writeFile(entries: readonly Kept[]): Generator<string> {
  yield `{"format":"${FORMAT}","version":${VERSION},"scenarios":[`
  for (const [i, { changed, text }] of entries.entries()) yield `${i === 0 ? '' : ','}\n{"changed":${changed},"scenario":${text}}`
  yield '\n]}\n'
}

/** Returns the scenarios in such a file, or in a file of one scenario, and the problems of the others, each at its path. Never throws. */
export function readFile(text: string): { readonly entries: readonly Kept[]; readonly problems: readonly Problem[] } {
  if (text.length > MAX_LIBRARY_FILE)
    return refused(t('found a text of {n} characters; allowed: {most}', { n: count(text.length), most: count(MAX_LIBRARY_FILE) }))
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refused(t('this is not JSON, or it is cut off'))
  }
  const file = (isPlainObject(json) ? json : {}) as Readonly<Record<string, unknown>>
  if (Array.isArray(file.stages)) return read([{ scenario: file }], () => '')
  if (file.format !== FORMAT) return refused(t('this is no file of scenarios; allowed: what Export all writes, or one scenario'))
  const found = checked(fileCheck, file)
  if ('problems' in found) return { entries: [], problems: found.problems }
  return read(found.value.scenarios, (i) => `scenarios[${i}]`)
}

function read(list: readonly unknown[], pathOf: (i: number) => string): { entries: readonly Kept[]; problems: readonly Problem[] } {
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
        message:
          others.length === 0
            ? first.message
            : t('{message}; and {n, plural, one {# problem more} other {# problems more}}', { message: first.message, n: others.length }),
      })
      continue
    }
    const text = keptText(drawn.scenario)
    if (text.length > MAX_TEXT)
      problems.push({ path: pathOf(i), message: t('it has {n} characters; allowed: {most}', { n: count(text.length), most: count(MAX_TEXT) }) })
    else entries.push(fresh(text, typeof changed === 'number' && Number.isSafeInteger(changed) && changed >= 0 && changed < MAX_MS ? changed : Date.now()))
  }
  return { entries, problems }
}

/** The last instant that a Date can hold. */
const MAX_MS = 8_640_000_000_000_000

function refused(message: string, path = ''): { readonly entries: readonly Kept[]; readonly problems: readonly Problem[] } {
  return { entries: [], problems: [{ path, message }] }
}
