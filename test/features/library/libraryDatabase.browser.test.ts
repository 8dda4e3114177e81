import { openDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import {
  type Database,
  databaseUpgrades,
  failure,
  openLibraryDatabase,
} from '../../../src/features/library/records/database.ts'

let n = 0
const open: Database[] = []
function databases(count: number): Database[] {
  const name = `library-test-${Date.now()}-${n++}`
  const made = Array.from({ length: count }, () => openLibraryDatabase(name))
  open.push(...made)
  return made
}
const kept = (text: string, revision = 1) => ({ id: 'a', revision, changed: 7, text })

afterEach(() => {
  for (const database of open.splice(0)) database.close()
})

test('a record takes the place of the revision that its page knows, and of no other', async () => {
  const [one, two] = databases(2)
  expect(await one.put(kept('first'), 0)).toBe(true)
  // Both save at the same time.
  const saved = await Promise.all([one.put(kept('mine', 2), 1), two.put(kept('theirs', 2), 1)])
  expect(saved.filter((isSaved) => isSaved)).toHaveLength(1)
  const latest = await one.get('a')
  expect([await one.put(kept('late', 2), 1), await one.put(kept('new'), 0), await one.get('a')]).toEqual([
    false,
    false,
    latest,
  ])
  expect([await two.remove('a'), await one.remove('a'), await one.all()]).toEqual([latest, null, []])
})

test('the database is upgraded with all its records; an older page closes it and learns why it cannot save', async () => {
  const name = `library-test-${Date.now()}-upgrade`
  const older = openLibraryDatabase(name)
  await older.put(kept('first'), 0)
  const newer = openLibraryDatabase(name, [
    ...databaseUpgrades,
    (database) => (database as { createObjectStore(name: string): unknown }).createObjectStore('later'),
  ])
  open.push(newer)
  expect(await newer.all()).toEqual([kept('first')])
  const refused = await older.put(kept('second', 2), 1).catch(failure)
  expect(refused).toMatch(/newer version of Apportion; reload/)
  expect(await newer.all()).toEqual([kept('first')])
  newer.close()
  const plain = await openDB(name)
  expect([...plain.objectStoreNames]).toEqual(['later', 'runs', 'scenarios'])
  plain.close()
})

test.each([
  [new DOMException('x', 'QuotaExceededError'), /storage .* is full/],
  [new DOMException('x', 'SecurityError'), /does not let the page store anything/],
  [new Error('odd'), /^the browser says: odd$/],
])('%s of the browser is explained', (error, words) => {
  expect(failure(error)).toMatch(words)
})
