import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** A scenario as the database keeps it. */
export interface Kept {
  readonly id: string
  /** One more with every change, so that a page sees whether another one has been at it. */
  readonly revision: number
  /** When, in milliseconds since 1970. */
  readonly changed: number
  /** The scenario as JSON. */
  readonly text: string
}

/** What became of a change: its revision, or what stands there now instead (null: nothing any more), which was left alone. */
export type Outcome = { readonly revision: number } | { readonly other: Kept | null }

export interface Database {
  /** All that is kept, as it stands there: anything may have been put there by another version, or by hand. */
  all(): Promise<readonly unknown[]>
  get(id: string): Promise<unknown>
  /** Puts it in place of that revision; 0: where nothing is yet. */
  put(kept: Kept, over: number): Promise<Outcome>
  /** Takes that revision away. */
  remove(id: string, revision: number): Promise<Outcome>
  count(): Promise<number>
  close(): void
}

interface Schema extends DBSchema {
  scenarios: { key: string; value: Kept }
  /** Parts of runs that go on, or were cut short (see `unfinished/shelf.ts`). */
  runs: { key: [id: string, part: number]; value: unknown }
}

type Upgrade = (database: IDBPDatabase<Schema>) => void

/** Each leads from one version of the database to the next. A new one goes to the end; none is ever changed. */
export const databaseUpgrades: readonly Upgrade[] = [
  (database) => database.createObjectStore('scenarios', { keyPath: 'id' }),
  (database) => database.createObjectStore('runs', { keyPath: ['id', 'part'] }),
]

/** A way to the browser's database, which is opened when it is first wanted, and again after it was refused or another page has made it a newer version. */
export function openDatabase(name = 'apportion', steps: readonly Upgrade[] = databaseUpgrades): { opened(): Promise<IDBPDatabase<Schema>>; close(): void } {
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
      // A page of a newer version waits for this one to let go.
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

export function openLibraryDatabase(name?: string, steps?: readonly Upgrade[]): Database {
  const { opened, close } = openDatabase(name, steps)

  /** Reads and writes in one transaction, so that no other page comes in between. */
  async function change(id: string, over: number, next: Kept | null): Promise<Outcome> {
    const transaction = (await opened()).transaction('scenarios', 'readwrite')
    const { store } = transaction
    // Its failure comes out of the request that made it as well.
    transaction.done.catch(() => {})
    const other = await store.get(id)
    if ((other?.revision ?? 0) !== over) return { other: other ?? null }
    await (next === null ? store.delete(id) : store.put(next))
    await transaction.done
    return { revision: next?.revision ?? over }
  }

  return {
    all: async () => (await opened()).getAll('scenarios'),
    get: async (id) => (await opened()).get('scenarios', id),
    put: (kept, over) => change(kept.id, over, kept),
    remove: (id, revision) => change(id, revision, null),
    count: async () => (await opened()).count('scenarios'),
    close,
  }
}
