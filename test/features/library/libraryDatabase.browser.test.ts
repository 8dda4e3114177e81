import { openDB } from 'idb'
import { afterEach, describe, expect, test } from 'vitest'
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

describe('the database of scenarios', () => {
  test('never overwrites a newer record of another page, and returns that record', async () => {
    const [one, two] = databases(2)
    await one.put(kept('first'), 0)
    await two.put(kept('theirs', 2), 1)
    expect(await one.put(kept('mine', 2), 1)).toEqual({ other: kept('theirs', 2) })
    expect(await one.get('a')).toEqual(kept('theirs', 2))
    expect(await one.remove('a', 1)).toEqual({ other: kept('theirs', 2) })
    expect(await one.put(kept('new'), 0)).toEqual({ other: kept('theirs', 2) })
  })

  test('if two pages save at the same time, exactly one of them succeeds', async () => {
    const [one, two] = databases(2)
    await one.put(kept('first'), 0)
    const outcomes = await Promise.all([one.put(kept('mine', 2), 1), two.put(kept('theirs', 2), 1)])
    expect(outcomes.filter((outcome) => 'revision' in outcome)).toHaveLength(1)
    expect(outcomes.filter((outcome) => 'other' in outcome)).toHaveLength(1)
  })

  test('is upgraded with all its records; an older page closes it and learns why it cannot save', async () => {
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

  test('an error of the browser is explained', () => {
    expect(failure(new DOMException('x', 'QuotaExceededError'))).toMatch(/storage .* is full/)
    expect(failure(new DOMException('x', 'SecurityError'))).toMatch(/does not let the page store anything/)
    expect(failure(new Error('odd'))).toBe('the browser says: odd')
  })
})
