import { areas, readStored, writeStored } from '../../../app/base/browser/browserStorage.ts'
import { t } from '../../../language/translate.ts'
import { compact } from '../../../scenario/model/compact.ts'
import { MAX_TEXT } from '../../../scenario/model/limits.ts'
import type { ParsedDraft, Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { lengthText, valueText } from '../../../scenario/model/words.ts'
import { checked, checkedText, checkStored } from '../../../scenario/parse/checked.ts'
import { parseDraftText } from '../../../scenario/parse/parse.ts'
import { type CheckedBy, checkText, wholeNumber } from '../../../scenario/parse/shape.ts'
import type { Kept } from './database.ts'
import { REMEMBERED } from './libraryStore.ts'

/** The most scenarios that the library holds. */
export const MAX_ENTRIES = 1000

export interface LibraryEntry extends Kept {
  readonly drawn: ParsedDraft
}

/** A record that cannot be read. It stays where it is, and can be downloaded. */
export interface Unreadable extends Pick<Kept, 'id' | 'text'> {
  readonly problems: readonly Problem[]
}

export type SortedEntries = ReturnType<typeof sortedEntries>

export const keptText = (scenario: Scenario): string => JSON.stringify(compact(scenario))

/** Returns why a scenario is too long to be kept; null if it is not. */
export function whyTooLong({ length }: string): string | null {
  return length > MAX_TEXT ? lengthText(length, MAX_TEXT) : null
}

/** Returns a record for a scenario that is new to the library. */
export function fresh(text: string, changed = Date.now()): Kept {
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { id, revision: 1, changed, text }
}

const read = new Map<string, LibraryEntry>()

/** Returns a record as an entry. A record that has not changed is not parsed again. */
export function readEntry(record: unknown): LibraryEntry | Unreadable {
  if (!isKept(record)) {
    const { id } = (record ?? {}) as { readonly id?: unknown }
    return {
      id: typeof id === 'string' ? id : valueText(id),
      text: asText(record),
      problems: [{ path: '', message: t('it was kept by another version of Apportion, or changed by hand') }],
    }
  }
  const known = read.get(record.id)
  if (known?.revision === record.revision && known.text === record.text) return known
  const drawn = parseDraftText(record.text)
  if ('problems' in drawn) return { ...record, problems: drawn.problems }
  const entry = { ...record, drawn }
  read.set(record.id, entry)
  return entry
}

function asText(record: unknown): string {
  try {
    return JSON.stringify(record, null, 2)
  } catch {
    return String(record)
  }
}

const keptCheck = checkStored({
  id: checkText(),
  revision: wholeNumber,
  changed: wholeNumber,
  text: checkText(Infinity),
})

export const isKept = (record: unknown): record is Kept => 'value' in checked(keptCheck, record)

/** Returns the entries with all words of the search in their title or stage names. */
export function foundEntries(entries: readonly LibraryEntry[], search: string): readonly LibraryEntry[] {
  const words = search.toLowerCase().split(/\s+/)
  return entries.filter(({ drawn: { scenario } }) => {
    const text = [scenario.title, ...scenario.stages.map(({ name }) => name)].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Returns the entries, newest first, and the records that cannot be read. */
export function sortedEntries(records: readonly unknown[]) {
  const all = records.map(readEntry)
  return {
    entries: all.filter((entry) => 'drawn' in entry).sort((a, b) => b.changed - a.changed),
    unreadable: all.filter((entry): entry is Unreadable => !('drawn' in entry)),
  }
}

/** The scenario of the library that was on the canvas, its revision, and a checksum of the canvas. */
const remembered = checkStored({ id: checkText(), revision: wholeNumber, sum: checkText() })
type Remembered = CheckedBy<typeof remembered>

/** If storage is forbidden or full, the user opens it from the library at the next visit. */
export function remember(entry: Remembered | null): void {
  for (const area of areas) writeStored(REMEMBERED, entry && JSON.stringify(entry), area)
}

/** Returns what was remembered of a canvas with that checksum; null if it was another. */
export function recall(sum: string): Remembered | null {
  for (const area of areas) {
    const entry = checkedText(remembered, readStored(REMEMBERED, area))
    if (entry?.sum === sum) return entry
  }
  return null
}
