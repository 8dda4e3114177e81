import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { t } from '../../../language/translate.ts'

export interface Kept {
  readonly id: string
  /** Grows by one with each change, so that a page sees whether another one has changed it. */
  readonly revision: number
  /** When, in milliseconds since 1970. */
  readonly changed: number
  /** The scenario as JSON. */
  readonly text: string
}

export type Database = ReturnType<typeof openLibraryDatabase>

interface Schema extends DBSchema {
  scenarios: { key: string; value: Kept }
  /** Parts of runs (see `shelf.ts`). */
  runs: { key: [id: string, part: number]; value: unknown }
}

type Upgrade = (database: IDBPDatabase<Schema>) => void

/** Each step leads to the next version of the database. A new one is added at the end; none is ever changed. */
export const databaseUpgrades: readonly Upgrade[] = [
  (database) => database.createObjectStore('scenarios', { keyPath: 'id' }),
  (database) => database.createObjectStore('runs', { keyPath: ['id', 'part'] }),
]

/** Opens the browser's database when it is first used, and again if it was refused or another page has upgraded it. */
export function openDatabase(
  name = 'apportion',
  steps: readonly Upgrade[] = databaseUpgrades,
): { opened(): Promise<IDBPDatabase<Schema>>; close(): void } {
  let opening: Promise<IDBPDatabase<Schema>> | null = null

  function opened(): Promise<IDBPDatabase<Schema>> {
    const forget = () => {
      opening = null
    }
    if (opening !== null) return opening
    const present = openDB<Schema>(name, steps.length, {
      upgrade: (database, from) => {
        for (const step of steps.slice(from)) step(database)
      },
      // A page of a newer version waits until this one closes it.
      blocking: (_now, _next, event) => {
        forget()
        ;(event.target as IDBDatabase).close()
      },
      terminated: forget,
    })
    opening = present
    present.catch(forget)
    return present
  }

  return { opened, close: () => void opening?.then((database) => database.close()) }
}

export function openLibraryDatabase(name?: string, steps?: readonly Upgrade[]) {
  const { opened, close } = openDatabase(name, steps)

  return {
    /** Returns all records as they are. Another version, or the user, may have written anything there. */
    all: async (): Promise<readonly unknown[]> => (await opened()).getAll('scenarios'),
    get: async (id: string): Promise<unknown> => (await opened()).get('scenarios', id),
    /** Puts a record in place of that revision; 0 for a new one. Returns false, and changes nothing, if another revision is there. */
    async put(kept: Kept, over: number): Promise<boolean> {
      // Reads and writes in one transaction, so that no other tab comes in between.
      const transaction = (await opened()).transaction('scenarios', 'readwrite')
      // The request rejects with the same failure.
      transaction.done.catch(() => {})
      const present = await transaction.store.get(kept.id)
      if ((present?.revision ?? 0) !== over) return false
      await transaction.store.put(kept)
      await transaction.done
      return true
    },
    /** Deletes a record. Returns it; null if there was none. */
    async remove(id: string): Promise<Kept | null> {
      const transaction = (await opened()).transaction('scenarios', 'readwrite')
      transaction.done.catch(() => {})
      const present = await transaction.store.get(id)
      await transaction.store.delete(id)
      await transaction.done
      return present ?? null
    },
    count: async () => (await opened()).count('scenarios'),
    close,
  }
}

/** Returns why the browser's database failed, in words without a full stop. */
export function failure(error: unknown): string {
  if (typeof indexedDB === 'undefined') return refused()
  if (error instanceof RangeError) return error.message
  switch (error instanceof Error ? error.name : '') {
    case 'QuotaExceededError':
      return t('the storage of this browser for the page is full')
    case 'VersionError':
      return t('another tab has opened it with a newer version of Apportion; reload this page')
    case 'SecurityError':
    case 'InvalidStateError':
    case 'NotAllowedError':
    case 'ReferenceError':
      return refused()
    default:
      return t('the browser says: {reason}', { reason: error instanceof Error ? error.message : String(error) })
  }
}

const refused = () =>
  t('this browser does not let the page store anything, as in a private window or where site data are blocked')
