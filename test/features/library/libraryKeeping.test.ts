import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openScenario } from '../../../src/app/session/run/opening.ts'
import { editOrShowProblems, redo, scenarioStore, undo } from '../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../src/app/session/session.ts'
import { broughtIn, importFile, takeScenarios, writeFile } from '../../../src/features/library/page/exchange.ts'
import {
  copyTitle,
  entryOnCanvas,
  forgetEntry,
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
import type { Kept } from '../../../src/features/library/records/database.ts'
import {
  foundEntries,
  fresh,
  keptText,
  type LibraryEntry,
  sortedEntries,
} from '../../../src/features/library/records/entries.ts'
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
const worked = presetOf('worked-example')?.scenario ?? expect.fail('no preset')

pageHere()
vi.stubGlobal('indexedDB', {})
vi.stubGlobal('navigator', { hardwareConcurrency: 2 })
const ends: (() => void)[] = []
let address: MadeUpAddress
let session: Session

/** A tab of the browser. All tabs share the library. */
function tab(): Session {
  address = madeUpAddress()
  const opened = createSession(address)
  openScenario(opened, valid(simple))
  ends.push(keepLibrary(opened))
  return opened
}

const markOf = (of = session) => libraryStore(of).getState().keeping?.state ?? null
const entries = async () => sortedEntries(await library.all()).entries
const titles = async () => (await entries()).map(({ drawn }) => [drawn.scenario.title, drawn.scenario.workers])
const entryOf = async (title: string): Promise<LibraryEntry> =>
  (await entries()).find(({ drawn }) => drawn.scenario.title === title) ?? expect.fail(`no entry ${title}`)
const workersTo = (workers: number, of = session) => editOrShowProblems(of, (now) => setWorkers(now, workers))
const saved = (workers: number) => expect.poll(async () => (await titles()).map(([, each]) => each)).toContain(workers)
const fileOf = (text: string | Iterable<string>) => new File([...text], 'theirs.json')

beforeEach(async () => {
  localStorage.removeItem('apportion.entry')
  sessionStorage.removeItem('apportion.entry')
  session = tab()
  await saveAsNew(session)
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const end of ends.splice(0)) end()
  library.close()
})

describe('a scenario that is kept', () => {
  test('is saved with each edit, until another scenario is on the canvas', async () => {
    expect(markOf()).toBe('saved')
    workersTo(5)
    await saved(5)
    openScenario(session, worked)
    expect(markOf()).toBeNull()
    workersTo(7)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(await titles()).toEqual([['Mine', 5]])
  })

  test('is saved at once when another is opened right after an edit', async () => {
    workersTo(5)
    openScenario(session, worked)
    await saved(5)
  })

  test('is renamed, duplicated, found, deleted and brought back', async () => {
    expect(await retitle(session, await entryOf('Mine'), 'Ours')).toBe(true)
    expect(scenarioStore(session).getState().draft.title).toBe('Ours')
    const { scenario } = (await entryOf('Ours')).drawn
    await keepScenarios(session, {
      ...fresh(keptText({ ...scenario, title: copyTitle(scenario.title) })),
      changed: Date.now() + 1,
    })
    expect(await titles()).toEqual([
      ['Ours, copy', 2],
      ['Ours', 2],
    ])
    const copy = await entryOf('Ours, copy')
    expect(foundEntries(await entries(), 'COPY')).toEqual([copy])
    expect(await removeEntry(session, copy)).toBe(true)
    expect(await titles()).toEqual([['Ours', 2]])
    await putBack(session, copy)
    expect(await titles()).toHaveLength(2)
  })

  test('is connected to the canvas that shows it: undo returns to an unsaved scenario, redo to the saved one', async () => {
    openScenario(session, worked)
    openEntry(session, await entryOf('Mine'))
    expect([markOf(), scenarioStore(session).getState().draft.title]).toEqual(['saved', 'Mine'])
    undo(session)
    expect([markOf(), scenarioStore(session).getState().draft.title]).toEqual([null, worked.title])
    redo(session)
    expect(markOf()).toBe('saved')
  })

  test('is still saved after a reload, with the latest edits', async () => {
    const id = entryOnCanvas(session)
    workersTo(7)
    address.leave()
    await saved(7)
    const again = createSession()
    openScenario(again, scenarioStore(session).getState().draft)
    ends.push(keepLibrary(again))
    await expect.poll(() => markOf(again)).toBe('saved')
    expect(entryOnCanvas(again)).toBe(id)
  })
})

describe('two tabs', () => {
  test('do not overwrite each other: the second gets a message, and saves its own as a copy', async () => {
    const other = tab()
    openEntry(other, await entryOf('Mine'))
    workersTo(9, other)
    await expect.poll(() => markOf()).toBe('elsewhere')
    workersTo(3)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(await titles()).toEqual([['Mine', 9]])
    await saveAsNew(session)
    expect(markOf()).toBe('saved')
    expect(Object.fromEntries(await titles())).toEqual({ Mine: 9, 'Mine, copy': 3 })
    expect(markOf(other)).toBe('saved')
  })

  test('a scenario that one deletes stays on the canvas of the other, which can save it again', async () => {
    const other = tab()
    expect(await removeEntry(other, await entryOf('Mine'))).toBe(true)
    await expect.poll(() => libraryStore(session).getState().keeping).toMatchObject({ state: 'elsewhere', other: null })
    expect(scenarioStore(session).getState().draft.title).toBe('Mine')
    await saveAsNew(session)
    expect(markOf()).toBe('saved')
    expect(await entries()).toHaveLength(1)
  })
})

/** Messages to other tabs arrive in a later turn. */
const told = () => new Promise((resolve) => setTimeout(resolve, 20))
const put = (kept: Kept) => library.put(kept, kept.revision - 1)

/** Edits the canvas, and saves it without a pause. */
async function edited(workers: number, of = session) {
  workersTo(workers, of)
  await retrySave(of)
  expect((await titles()).map(([, each]) => each)).toContain(workers)
}

describe('edits of a scenario that is kept', () => {
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
  afterEach(() => void vi.useRealTimers())

  test('are saved together half a second after the last one, and once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const writes = vi.spyOn(library, 'put')
    workersTo(5)
    await pass(499)
    workersTo(6)
    await pass(499)
    expect([writes.mock.calls.length, await titles()]).toEqual([0, [['Mine', 2]]])
    await pass(1)
    expect(await titles()).toEqual([['Mine', 6]])
    expect([writes.mock.calls.length, (await entries())[0].revision, markOf()]).toEqual([1, 2, 'saved'])
    await pass(5000)
    expect(writes).toHaveBeenCalledTimes(1)
  })

  test('are saved before the library is left, and never after that', async () => {
    const end = ends.pop() as () => void
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    workersTo(5)
    end()
    await pass(0)
    expect(await titles()).toEqual([['Mine', 5]])
    workersTo(6)
    address.leave()
    await pass(1000)
    expect(await titles()).toEqual([['Mine', 5]])
    vi.useRealTimers()
    // It hears nothing of others any more.
    const other = tab()
    openEntry(other, await entryOf('Mine'))
    await edited(9, other)
    await told()
    expect(markOf()).toBe('saved')
  })

  test('belong to the scenario that was on the canvas, not to the one that is opened next', async () => {
    await keepScenarios(session, fresh(keptText({ ...worked, title: 'Other' })))
    workersTo(5)
    openEntry(session, await entryOf('Other'))
    await saved(5)
    expect(Object.fromEntries(await titles())).toEqual({ Mine: 5, Other: worked.workers })
  })

  test('that are too long are not saved, and the canvas says so', async () => {
    const before = await titles()
    const stringify = vi.spyOn(JSON, 'stringify').mockImplementation(() => ' '.repeat(2_000_001))
    await retrySave(session)
    stringify.mockRestore()
    expect(libraryStore(session).getState().keeping).toEqual({
      state: 'failed',
      message: 'the scenario has 2,000,001 characters; at most 2,000,000 can be kept',
    })
    expect(await titles()).toEqual(before)
  })
})

describe('the library', () => {
  test('takes no scenario of more than 2,000,000 characters', async () => {
    const long = (length: number) => fresh('{}'.padEnd(length))
    await keepScenarios(session, long(2_000_000))
    await expect(keepScenarios(session, long(2_000_001))).rejects.toThrow(
      'the scenario has 2,000,001 characters; at most 2,000,000 can be kept',
    )
    expect(await library.all()).toHaveLength(2)
  })

  test('tells of every change, by this tab and by others, until the listener is removed', async () => {
    const other = tab()
    const heard = { here: 0, there: 0 }
    const stop = [onLibrary(session, () => heard.here++), onLibrary(other, () => heard.there++)]
    await keepScenarios(session, fresh('{}'))
    await told()
    expect(heard).toEqual({ here: 1, there: 1 })
    for (const end of stop) end()
    await keepScenarios(session, fresh('{}'))
    await told()
    expect(heard).toEqual({ here: 1, there: 1 })
  })

  test('gives a copy a name of at most 80 characters', () => {
    expect(copyTitle('a')).toBe('a, copy')
    expect(Array.from(copyTitle('📱'.repeat(80)))).toHaveLength(80)
    expect(copyTitle('b'.repeat(74))).toBe(`${'b'.repeat(74)}, copy`)
  })

  test('opens a half-drawn pipeline as it was drawn, and plays an empty one', async () => {
    const half = { ...simple, title: 'Half', links: [['source', 'A']] }
    await takeScenarios(session, fileOf(JSON.stringify(half)))
    openEntry(session, await entryOf('Half'))
    const { draft, shown } = scenarioStore(session).getState()
    expect([draft.title, draft.links, draft.stages.map(({ id }) => id), shown === null]).toEqual([
      'Half',
      [['source', 'A']],
      ['A', 'B'],
      true,
    ])
    expect(scenarioStore(session).getState().draftProblems.length).toBeGreaterThan(0)
    expect([markOf(), entryOnCanvas(session)]).toEqual(['saved', (await entryOf('Half')).id])
    expect((await entryOf('Half')).revision).toBe(1)
  })

  test('has one entry for a scenario that is saved once, and a copy for one that is saved again', async () => {
    openScenario(session, worked)
    await saveAsNew(session)
    expect(scenarioStore(session).getState().draft.title).toBe(worked.title)
    await saveAsNew(session)
    expect((await titles()).map(([title]) => title).sort()).toEqual(
      ['Mine', worked.title, `${worked.title}, copy`].sort(),
    )
  })
})

describe('a scenario that two tabs change', () => {
  test('is renamed only by the one that knows its last state', async () => {
    openScenario(session, worked)
    const entry = await entryOf('Mine')
    expect(await retitle(session, entry, 'Ours')).toBe(true)
    expect(await entryOf('Ours')).toMatchObject({ revision: 2, id: entry.id })
    // What it knew is old by now.
    expect(await retitle(session, entry, 'Theirs')).toBe(false)
    expect(await titles()).toEqual([['Ours', 2]])
    // This tab has opened it before, and saves the canvas over its last state.
    undo(session)
    await edited(7)
    expect(await entryOf('Mine')).toMatchObject({ id: entry.id, revision: 3 })
    expect(await titles()).toEqual([['Mine', 7]])
  })

  test('is not renamed on the canvas where the other tab was first', async () => {
    const entry = await entryOf('Mine')
    await put({ ...entry, revision: 2, text: keptText({ ...entry.drawn.scenario, title: 'Theirs' }) })
    expect(await retitle(session, entry, 'Ours')).toBe(false)
    expect([markOf(), await titles()]).toEqual(['elsewhere', [['Theirs', 2]]])
    // Until the person has chosen, nothing is saved over it.
    workersTo(8)
    await retrySave(session)
    expect([markOf(), await titles()]).toEqual(['elsewhere', [['Theirs', 2]]])
    openEntry(session, await entryOf('Theirs'))
    expect(markOf()).toBe('saved')
    await edited(9)
  })

  test('is deleted only by the one that knows its last state; one that is gone is deleted', async () => {
    const entry = await entryOf('Mine')
    // An edit on its way is saved first, and what is deleted is its last state.
    workersTo(5)
    const saving = retrySave(session)
    expect(await removeEntry(session, entry)).toBe(true)
    await saving
    expect([await titles(), entryOnCanvas(session), markOf()]).toEqual([[], null, null])
    expect(await removeEntry(session, entry)).toBe(true)
    await library.put({ ...entry, revision: 3 }, 0)
    expect(await removeEntry(session, entry)).toBe(false)
    expect(await titles()).toHaveLength(1)
  })

  test('that was deleted comes back under its id with a new revision, and is saved again in both', async () => {
    const entry = await entryOf('Mine')
    const other = tab()
    openEntry(other, entry)
    await removeEntry(session, entry)
    await expect.poll(() => markOf(other)).toBe('elsewhere')
    await putBack(session, entry)
    expect(await entryOf('Mine')).toMatchObject({ id: entry.id, revision: 2 })
    expect(markOf()).toBe('saved')
    await expect.poll(() => markOf(other)).toBe('saved')
    await edited(6)
    expect(await titles()).toHaveLength(1)
  })

  test('is saved on by both where they made it the same', async () => {
    const entry = await entryOf('Mine')
    workersTo(6)
    await retrySave(session)
    const now = await entryOf('Mine')
    await library.put({ ...now, revision: 3 }, 2)
    const channel = new BroadcastChannel('apportion-library')
    channel.postMessage(entry.id)
    await told()
    channel.close()
    expect(markOf()).toBe('saved')
    await edited(7)
    expect((await entryOf('Mine')).revision).toBe(4)
  })

  test.each<[string, object, string, number]>([
    ['one that another tab has changed is not saved over that', { title: 'Theirs' }, 'elsewhere', 2],
    ['one that another tab has saved alike is saved as before', {}, 'saved', 9],
  ])('after a reload, %s', async (_, change, state, workers) => {
    const entry = await entryOf('Mine')
    const { draft } = scenarioStore(session).getState()
    address.leave()
    ends.pop()?.()
    await put({ ...entry, revision: 2, text: keptText({ ...draft, ...change }) })
    const again = createSession(madeUpAddress())
    openScenario(again, draft)
    ends.push(keepLibrary(again))
    await expect.poll(() => markOf(again)).toBe(state)
    workersTo(9, again)
    await retrySave(again)
    expect([markOf(again), (await entries())[0].drawn.scenario.workers]).toEqual([state, workers])
  })

  test('whose last edit could not be stored when the page was left is saved after the reload', async () => {
    const stored = vi.spyOn(library, 'put').mockRejectedValue(new DOMException('no', 'QuotaExceededError'))
    workersTo(7)
    address.leave()
    ends.pop()?.()
    await told()
    stored.mockRestore()
    expect(await titles()).toEqual([['Mine', 2]])
    const again = createSession(madeUpAddress())
    openScenario(again, scenarioStore(session).getState().draft)
    ends.push(keepLibrary(again))
    await expect.poll(() => markOf(again)).toBe('saved')
    await expect.poll(titles).toEqual([['Mine', 7]])
  })

  test('stays in the library when one tab forgets it: later edits of that tab make a new entry', async () => {
    const id = entryOnCanvas(session) as string
    forgetEntry(session, id)
    expect([entryOnCanvas(session), markOf()]).toEqual([null, null])
    workersTo(6)
    await retrySave(session)
    // As it is in no library, it is kept as a new one.
    expect((await titles()).map(([, workers]) => workers).sort()).toEqual([2, 6])
  })
})

describe('all scenarios', () => {
  test('are exported as one file; the valid ones of a file are imported once, with a problem for each invalid one', async () => {
    const file = JSON.parse([...writeFile(await entries())].join(''))
    expect(file).toMatchObject({
      format: 'apportion-scenarios',
      version: 1,
      scenarios: [{ scenario: { title: 'Mine' } }],
    })
    file.scenarios.push({ scenario: { ...simple, title: 'Good' } }, { scenario: { ...simple, workers: 99_999 } })
    const brought = await takeScenarios(session, fileOf(JSON.stringify(file)))
    expect(broughtIn(brought)).toBe('1 scenario imported; 1 was already here; 1 cannot be imported')
    expect(brought.problems).toEqual([
      {
        path: 'scenarios[2].scenario.workers',
        message: expect.stringContaining('allowed: a whole number from 1 to 10,000'),
      },
    ])
    expect(await entries()).toHaveLength(2)
  })

  test('that stand twice in a file come in once', async () => {
    const before = (await entries()).length
    const twice = { scenario: { ...simple, title: 'Twice' } }
    const file = { format: 'apportion-scenarios', version: 1, scenarios: [twice, twice, { ...twice, changed: 5 }] }
    expect(broughtIn(await takeScenarios(session, fileOf(JSON.stringify(file))))).toBe(
      '1 scenario imported; 2 were already here',
    )
    expect(await entries()).toHaveLength(before + 1)
  })

  test('of a file that is too large are not read at all', async () => {
    const ofSize = (size: number) => {
      const file = Object.defineProperty(fileOf(JSON.stringify(simple)), 'size', { value: size })
      return { file, read: vi.spyOn(file, 'text') }
    }
    const [fits, tooLarge] = [100_000_000, 100_000_001].map(ofSize)
    expect((await takeScenarios(session, fits.file)).problems).toEqual([])
    expect(await takeScenarios(session, tooLarge.file)).toEqual({
      ...{ came: 0, known: 0 },
      problems: [{ path: '', message: expect.stringMatching(/^the file has 100.*; allowed: 100/) }],
    })
    expect([fits.read.mock.calls.length, tooLarge.read.mock.calls.length]).toEqual([1, 0])
  })

  test('that find no room, or that the browser does not store, are counted; those before stay, and every other problem is told too', async () => {
    const named = (title: string) => ({ scenario: { ...simple, title } })
    const file = {
      format: 'apportion-scenarios',
      version: 1,
      scenarios: [named('1'), named('2'), named('3'), { scenario: null }, { scenario: simple }],
    }
    const put = library.put
    const stored = vi.spyOn(library, 'put').mockImplementation(async (kept, over) => {
      if (JSON.parse(kept.text).title === '2') throw new DOMException('no', 'QuotaExceededError')
      return put(kept, over)
    })
    const brought = await takeScenarios(session, fileOf(JSON.stringify(file)))
    stored.mockRestore()
    expect([brought.came, brought.known]).toEqual([1, 1])
    expect(brought.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(/^scenarios\[3\]/),
      ': 2 scenarios were not imported: the storage of this browser for the page is full',
    ])
    expect((await titles()).map(([title]) => title).sort()).toEqual(['1', 'Mine'])
    vi.spyOn(library, 'count').mockResolvedValue(999)
    await expect(keepScenarios(session, fresh('{}'), fresh('[]'))).rejects.toThrow(
      'there are 1,000 scenarios in it, and it takes no more',
    )
    expect(await library.all()).toHaveLength(3)
  })

  test('are announced without the counts that are 0', () => {
    const problem = { path: '', message: '' }
    expect(broughtIn({ came: 1, known: 0, problems: [] })).toBe('1 scenario imported')
    expect(broughtIn({ came: 0, known: 1, problems: [] })).toBe('0 scenarios imported; 1 was already here')
    expect(broughtIn({ came: 2, known: 0, problems: [problem, problem] })).toBe(
      '2 scenarios imported; 2 cannot be imported',
    )
  })

  test('cannot be imported where the library cannot be read: the page says why', async () => {
    vi.spyOn(library, 'all').mockRejectedValue(new DOMException('no', 'InvalidStateError'))
    await importFile(session, fileOf(JSON.stringify(simple)))
    expect(scenarioStore(session).getState().problems).toEqual([
      {
        path: '',
        message: expect.stringMatching(
          /^The library cannot be read: this browser does not let the page store anything/,
        ),
      },
    ])
    expect(libraryStore(session).getState().open).toBe(false)
  })

  test('can be dropped on the page: the library opens, or the problem is reported', async () => {
    await importFile(session, fileOf(JSON.stringify({ ...simple, title: 'Third' })))
    expect(libraryStore(session).getState().open).toBe(true)
    expect(await entries()).toHaveLength(2)
    await importFile(session, fileOf('nonsense'))
    expect(scenarioStore(session).getState().problems).toEqual([
      { path: '', message: 'this is not JSON, or it is cut off' },
    ])
  })

  test('that cannot be read are listed last, with the stored text', async () => {
    const record = { id: 'of-the-future', revision: 4, changed: 1, text: '{"version":99,"title":"Later"}' }
    await library.put(record, 0)
    const { entries: good, unreadable } = sortedEntries(await library.all())
    expect(good).toHaveLength(1)
    expect(unreadable).toMatchObject([{ text: record.text, problems: [{ message: expect.stringContaining('newer') }] }])
  })
})

test.each([
  ['refused', 'SecurityError', /does not let the page store anything/],
  ['full', 'QuotaExceededError', /storage .* is full/],
])(
  'a storage that is %s is reported with a reason; the canvas has everything, and it is saved when there is room again',
  async (_, name, words) => {
    openScenario(session, valid(simple))
    workersTo(6)
    vi.spyOn(library, 'put').mockRejectedValue(new DOMException('no', name))
    await saveAsNew(session)
    expect(libraryStore(session).getState().keeping).toEqual({ state: 'failed', message: expect.stringMatching(words) })
    expect(scenarioStore(session).getState().draft).toMatchObject({ title: 'Mine', workers: 6 })
    vi.restoreAllMocks()
    await retrySave(session)
    expect(markOf()).toBe('saved')
    expect(await titles()).toContainEqual(['Mine', 6])
  },
)
