import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openScenario } from '../../../src/app/session/run/opening.ts'
import { editOrShowProblems, redo, scenarioStore, undo } from '../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../src/app/session/session.ts'
import { broughtIn, importFile, takeScenarios, writeFile } from '../../../src/features/library/page/exchange.ts'
import {
  copyTitle,
  entryOnCanvas,
  keepLibrary,
  keepScenarios,
  library,
  onLibrary,
  openEntry,
  putBack,
  removeEntry,
  retitle,
  retrySave,
  saveAsNew,
} from '../../../src/features/library/page/libraryKeeping.ts'
import { fresh, keptText, type LibraryEntry, sortedEntries } from '../../../src/features/library/records/entries.ts'
import { libraryStore } from '../../../src/features/library/records/libraryStore.ts'
import { setWorkers } from '../../../src/scenario/edit/edits.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { type MadeUpAddress, madeUpAddress } from '../../fixtures/madeUpAddress.ts'
import { pageHere } from '../../fixtures/pageHere.ts'

// Another test may have opened the library already, with the browser's database.
vi.hoisted(() => vi.resetModules())
vi.mock('../../../src/features/library/records/database.ts', async (original) => ({
  ...(await original<object>()),
  openLibraryDatabase: (await import('../../fixtures/memoryDatabase.ts')).memoryDatabase,
}))

const simple = {
  version: 1,
  title: 'Mine',
  source: { kind: 'batch', jobs: 4 },
  stages: [{ id: 'A' }, { id: 'B' }],
  workers: 2,
}
const other = { ...(presetOf('worked-example')?.scenario ?? expect.fail('no preset')), title: 'Other' }

pageHere()
vi.stubGlobal('indexedDB', {})
vi.stubGlobal('navigator', { hardwareConcurrency: 2 })
const ends: (() => void)[] = []
let address: MadeUpAddress
let session: Session

/** A tab of the browser. All tabs share the library. */
function tab(scenario = valid(simple)): Session {
  address = madeUpAddress()
  const opened = createSession(address)
  openScenario(opened, scenario)
  ends.push(keepLibrary(opened))
  return opened
}

/** Closes the tab that was opened last, and opens its canvas again. */
function reload(): Session {
  const { draft } = scenarioStore(session).getState()
  address.leave()
  ends.pop()?.()
  return tab(draft)
}

const markOf = (of = session) => libraryStore(of).getState().keeping?.state ?? null
const entries = async () => sortedEntries(await library.all()).entries
const kept = async () =>
  (await entries()).map(({ drawn: { scenario } }) => `${scenario.title} ${scenario.workers}`).sort()
const entryOf = async (title: string): Promise<LibraryEntry> =>
  (await entries()).find(({ drawn }) => drawn.scenario.title === title) ?? expect.fail(`no entry ${title}`)
const workersTo = (workers: number, of = session) => editOrShowProblems(of, (now) => setWorkers(now, workers))
const fileOf = (value: unknown) => new File([JSON.stringify(value)], 'theirs.json')
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
/** Edits the canvas, and lets time pass. */
const edit = (workers: number, milliseconds = 500) => {
  workersTo(workers)
  return pass(milliseconds)
}
/** Edits the canvas, and opens another scenario at once. */
const editAndLeave = (workers: number) => {
  workersTo(workers)
  openScenario(session, other)
  return pass(0)
}
const full = () => vi.spyOn(library, 'put').mockRejectedValue(new DOMException('no', 'QuotaExceededError'))

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (const area of [localStorage, sessionStorage]) area.removeItem('apportion.entry')
  session = tab()
  await saveAsNew(session)
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const end of ends.splice(0)) end()
  // What is saved when a tab is left.
  await pass(0)
  library.close()
  vi.useRealTimers()
})

/** What is done, then what the library holds, and whether the canvas of this tab is saved in it. */
type Case = [name: string, act: () => unknown, kept: readonly string[], mark: string | null]

test.each<Case>([
  ['an edit, half a second later', () => edit(5), ['Mine 5'], 'saved'],
  ['no edit before that', () => edit(5, 499), ['Mine 2'], 'saved'],
  ['an edit at once if another scenario is opened', () => editAndLeave(5), ['Mine 5'], null],
  [
    'no edit of a scenario that is not in the library',
    () => {
      openScenario(session, other)
      return edit(7, 1000)
    },
    ['Mine 2'],
    null,
  ],
  [
    'an edit at once if the page is left',
    () => {
      workersTo(5)
      address.leave()
      return pass(0)
    },
    ['Mine 5'],
    'saved',
  ],
  [
    'an edit in the entry that was on the canvas, not in the one that is opened next',
    async () => {
      await keepScenarios(session, fresh(keptText({ ...other, workers: 3 })))
      workersTo(5)
      openEntry(session, await entryOf('Other'))
      await pass(0)
    },
    ['Mine 5', 'Other 3'],
    'saved',
  ],
  ['a second keeping as a copy', () => saveAsNew(session), ['Mine 2', 'Mine, copy 2'], 'saved'],
  [
    'the same entry after undo and redo of its opening',
    async () => {
      openScenario(session, other)
      openEntry(session, await entryOf('Mine'))
      undo(session)
      expect(markOf()).toBeNull()
      redo(session)
      await edit(6)
    },
    ['Mine 6'],
    'saved',
  ],
  [
    'a half-drawn pipeline as it was drawn',
    async () => {
      await takeScenarios(session, fileOf({ ...simple, title: 'Half', links: [['source', 'A']] }))
      openEntry(session, await entryOf('Half'))
      expect(scenarioStore(session).getState().draft.links).toEqual([['source', 'A']])
    },
    ['Half 2', 'Mine 2'],
    'saved',
  ],
  [
    'a new title of the entry on the canvas',
    async () => {
      await retitle(session, await entryOf('Mine'), 'Ours')
      expect(scenarioStore(session).getState().draft.title).toBe('Ours')
    },
    ['Ours 2'],
    'saved',
  ],
  [
    'a new title of another entry',
    async () => {
      openScenario(session, other)
      await retitle(session, await entryOf('Mine'), 'Ours')
    },
    ['Ours 2'],
    null,
  ],
  [
    'nothing of an entry that is deleted during a save',
    async () => {
      const { id } = await entryOf('Mine')
      workersTo(5)
      await Promise.all([retrySave(session), removeEntry(session, id)])
      await edit(6, 1000)
    },
    [],
    null,
  ],
  [
    'a deleted entry that is put back, with its later edits',
    async () => {
      const { id } = await entryOf('Mine')
      workersTo(5)
      await retrySave(session)
      const removed = (await removeEntry(session, id)) ?? expect.fail('nothing was deleted')
      workersTo(6)
      await putBack(session, removed)
      expect(entryOnCanvas(session)).toBe(id)
    },
    ['Mine 6'],
    'saved',
  ],
  [
    'the edits before and after a reload in one entry',
    async () => {
      workersTo(7)
      session = reload()
      await pass(0)
      await edit(8)
    },
    ['Mine 8'],
    'saved',
  ],
  [
    'after a reload the edit that could not be stored before it',
    async () => {
      const stored = full()
      workersTo(7)
      session = reload()
      stored.mockRestore()
      await pass(0)
    },
    ['Mine 7'],
    'saved',
  ],
])('the library holds %s', async (_, act, expected, mark) => {
  await act()
  expect([await kept(), markOf()]).toEqual([expected, mark])
})

/** What another tab does with the entry on the canvas. */
const elsewhere: Record<string, (entry: LibraryEntry) => Promise<unknown>> = {
  changes: async (entry) => {
    const second = tab()
    openEntry(second, entry)
    workersTo(9, second)
    await retrySave(second)
  },
  deletes: async ({ id }) => removeEntry(tab(), id),
  'deletes and puts back': async ({ id }) => {
    const second = tab()
    await putBack(second, (await removeEntry(second, id)) ?? expect.fail('nothing was deleted'))
  },
}

test.each<[did: string, then: string, act: () => unknown, kept: readonly string[], mark: string | null]>([
  ['changes', 'edits', () => edit(3), ['Mine 9', 'Mine, copy 3'], 'saved'],
  ['changes', 'edits twice', () => edit(3).then(() => edit(4)), ['Mine 9', 'Mine, copy 4'], 'saved'],
  ['changes', 'edits and opens another scenario', () => editAndLeave(3), ['Mine 3', 'Mine 9'], null],
  ['changes', 'makes the same edit', () => edit(9), ['Mine 9'], 'saved'],
  ['changes', 'edits nothing', () => pass(1000), ['Mine 9'], 'saved'],
  ['deletes', 'edits', () => edit(3), ['Mine 3'], 'saved'],
  ['deletes and puts back', 'edits', () => edit(3), ['Mine 2', 'Mine, copy 3'], 'saved'],
])('no tab overwrites another: one %s an entry, the other one %s', async (did, _, act, expected, mark) => {
  await elsewhere[did](await entryOf('Mine'))
  await act()
  expect([await kept(), markOf()]).toEqual([expected, mark])
})

test('after a reload the canvas is not connected to an entry that another tab has changed since', async () => {
  const entry = await entryOf('Mine')
  const changed = { ...entry, revision: 2, text: keptText({ ...entry.drawn.scenario, workers: 9 }) }
  await library.put(changed, 1)
  session = reload()
  await pass(0)
  expect(markOf()).toBeNull()
  await edit(3, 1000)
  expect(await kept()).toEqual(['Mine 9'])
})

test('an entry that another tab has changed keeps the title that it has there', async () => {
  openScenario(session, other)
  const entry = await entryOf('Mine')
  await elsewhere.changes(entry)
  await expect(retitle(session, entry, 'Ours')).rejects.toThrow('another tab has changed it')
  expect(await kept()).toEqual(['Mine 9'])
})

test('an edit is written once, and never after the library is left', async () => {
  const writes = vi.spyOn(library, 'put')
  await edit(5, 499)
  await edit(6, 5000)
  expect([writes.mock.calls.length, (await entries())[0].revision]).toEqual([1, 2])
  workersTo(7)
  ends.pop()?.()
  await pass(0)
  workersTo(8)
  address.leave()
  await pass(1000)
  expect(await kept()).toEqual(['Mine 7'])
})

test('an open list hears of every change, until it is closed', async () => {
  let heard = 0
  const end = onLibrary(session, () => heard++)
  await keepScenarios(session, fresh('{}'))
  await removeEntry(session, (await entryOf('Mine')).id)
  end()
  await keepScenarios(session, fresh('{}'))
  expect(heard).toBe(2)
})

test.each([
  ['a', 'a, copy'],
  ['b'.repeat(74), `${'b'.repeat(74)}, copy`],
  ['📱'.repeat(80), '📱'.repeat(80)],
])('the title of a copy has at most 80 characters: %s', (title, copy) => {
  expect(copyTitle(title)).toBe(copy)
})

describe('what cannot be saved', () => {
  test.each([
    ['SecurityError', /does not let the page store anything/],
    ['QuotaExceededError', /storage .* is full/],
  ])('for a %s is on the canvas, with a reason, and is saved when asked again', async (name, reason) => {
    const stored = vi.spyOn(library, 'put').mockRejectedValue(new DOMException('no', name))
    openScenario(session, { ...other, workers: 6 })
    await saveAsNew(session)
    expect(libraryStore(session).getState().keeping).toEqual({
      state: 'failed',
      message: expect.stringMatching(reason),
    })
    stored.mockRestore()
    await retrySave(session)
    expect([await kept(), markOf()]).toEqual([['Mine 2', 'Other 6'], 'saved'])
  })

  test('has more than 2,000,000 characters', async () => {
    const long = (length: number) => fresh('{}'.padEnd(length))
    const reason = 'found a text of 2,000,001 characters; allowed: 2,000,000'
    await keepScenarios(session, long(2_000_000))
    await expect(keepScenarios(session, long(2_000_001))).rejects.toThrow(reason)
    const stringify = vi.spyOn(JSON, 'stringify').mockImplementation(() => ' '.repeat(2_000_001))
    await retrySave(session)
    stringify.mockRestore()
    expect(libraryStore(session).getState().keeping).toEqual({ state: 'failed', message: reason })
    expect(await kept()).toEqual(['Mine 2'])
  })

  test('is the scenario after the thousandth', async () => {
    vi.spyOn(library, 'count').mockResolvedValue(999)
    await expect(keepScenarios(session, fresh('{}'), fresh('[]'))).rejects.toThrow(
      'there are 1,000 scenarios in it, and it takes no more',
    )
    expect(await library.all()).toHaveLength(2)
  })
})

const named = (title: string, workers = 2) => ({ scenario: { ...simple, title, workers } })
const broken = (title: string) => expect.stringMatching(`^${title}`)

test.each<
  [name: string, list: readonly object[], said: string, kept: readonly string[], problems?: readonly unknown[]]
>([
  ['new ones', [named('A'), named('B', 3)], '2 scenarios imported', ['A 2', 'B 3', 'Mine 2']],
  ['one that is there', [named('Mine')], '0 scenarios imported; 1 was already here', ['Mine 2']],
  [
    'one that stands twice in the file',
    [named('A'), named('A'), { ...named('A'), changed: 5 }],
    '1 scenario imported; 2 were already here',
    ['A 2', 'Mine 2'],
  ],
  [
    'one that cannot be read',
    [named('A', 99_999), named('B')],
    '1 scenario imported',
    ['B 2', 'Mine 2'],
    [broken('scenarios\\[0\\].scenario.workers: .*allowed: a whole number from 1 to 10,000')],
  ],
  [
    'one that the browser does not store, and then no more',
    [named('A'), named('Full'), named('B'), { scenario: null }],
    '1 scenario imported',
    ['A 2', 'Mine 2'],
    [broken('scenarios\\[3\\]'), ': 2 scenarios were not imported: the storage of this browser for the page is full'],
  ],
])('a file of scenarios brings in %s', async (_, scenarios, said, expected, problems = []) => {
  const { put } = library
  vi.spyOn(library, 'put').mockImplementation(async (record, over) => {
    if (JSON.parse(record.text).title === 'Full') throw new DOMException('no', 'QuotaExceededError')
    return put(record, over)
  })
  const brought = await takeScenarios(session, fileOf({ format: 'apportion-scenarios', version: 1, scenarios }))
  expect([broughtIn(brought), await kept()]).toEqual([said, expected])
  expect(brought.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual(problems)
})

test('the whole library goes into a file and comes back', async () => {
  await keepScenarios(session, fresh(keptText(other), 5))
  const file = [...writeFile(await entries())].join('')
  const before = await kept()
  library.close()
  await takeScenarios(session, new File([file], 'mine.json'))
  expect([await kept(), (await entryOf('Other')).changed]).toEqual([before, 5])
})

test('a file that is too large is not read', async () => {
  const read = [100_000_000, 100_000_001].map(async (size) => {
    const file = Object.defineProperty(fileOf(simple), 'size', { value: size })
    const text = vi.spyOn(file, 'text')
    const { problems } = await takeScenarios(session, file)
    return [text.mock.calls.length, problems.map(({ message }) => message)]
  })
  expect(await Promise.all(read)).toEqual([
    [1, []],
    [0, [expect.stringMatching(/^the file has 100.*; allowed: 100/)]],
  ])
})

test.each<[name: string, text: string, isOpen: boolean, problem: unknown, isRefused?: boolean]>([
  ['opens the library', JSON.stringify({ ...simple, title: 'Third' }), true, null],
  ['is reported if it cannot be read', 'nonsense', false, 'this is not JSON, or it is cut off'],
  [
    'is reported if the library cannot be read',
    JSON.stringify(simple),
    false,
    expect.stringMatching(/^The library cannot be read: this browser does not let the page store anything/),
    true,
  ],
])('a file that is dropped on the page %s', async (_, text, isOpen, problem, isRefused = false) => {
  if (isRefused) vi.spyOn(library, 'all').mockRejectedValue(new DOMException('no', 'InvalidStateError'))
  await importFile(session, new File([text], 'theirs.json'))
  expect(libraryStore(session).getState().open).toBe(isOpen)
  expect(scenarioStore(session).getState().problems).toEqual(problem === null ? [] : [{ path: '', message: problem }])
})
