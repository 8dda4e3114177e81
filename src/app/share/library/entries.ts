import { t } from '../../../language/translate.ts'
import { compact } from '../../../scenario/model/compact.ts'
import type { ParsedDraft, Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { valueText } from '../../../scenario/model/words.ts'
import { parseDraftText } from '../../../scenario/parse/parse.ts'
import type { Kept } from './database.ts'

/** The most scenarios that the library holds. */
export const MAX_ENTRIES = 1000

export interface LibraryEntry extends Kept {
  readonly drawn: ParsedDraft
}

/** A record that cannot be read. It stays where it is, and can be downloaded. */
export interface Unreadable {
  readonly id: string
  readonly revision: number
  readonly text: string
  readonly problems: readonly Problem[]
}

export const keptText = (scenario: Scenario): string => JSON.stringify(compact(scenario))

/** Returns a record for a scenario that is new to the library. */
export function fresh(text: string, changed = Date.now()): Kept {
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { id, revision: 1, changed, text }
}

const read = new Map<string, LibraryEntry>()

/** Returns a record as an entry. A record that has not changed is not parsed again. */
export function readEntry(record: unknown): LibraryEntry | Unreadable {
  if (!isKept(record)) {
    const { id, revision } = (record ?? {}) as { readonly id?: unknown; readonly revision?: unknown }
    return {
      id: typeof id === 'string' ? id : valueText(id),
      revision: typeof revision === 'number' ? revision : 0,
      text: asText(record),
      problems: [{ path: '', message: t('it was kept by another version of Apportion, or changed by hand') }],
    }
  }
  const before = read.get(record.id)
  if (before?.revision === record.revision && before.text === record.text) return before
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

export function isKept(record: unknown): record is Kept {
  if (typeof record !== 'object' || record === null) return false
  const { id, revision, changed, text } = record as Readonly<Record<string, unknown>>
  return typeof id === 'string' && typeof text === 'string' && Number.isSafeInteger(revision) && Number.isSafeInteger(changed)
}

/** Returns the entries with all words of the search in their title or stage names. */
export function foundEntries(entries: readonly LibraryEntry[], search: string): readonly LibraryEntry[] {
  const words = search.toLowerCase().split(/\s+/)
  return entries.filter(({ drawn: { scenario } }) => {
    const text = [scenario.title, ...scenario.stages.map(({ name }) => name)].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
