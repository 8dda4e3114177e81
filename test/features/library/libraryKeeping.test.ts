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
  openEntry,
  putBack,
  removeEntry,
  retitle,
  retrySave,
  saveAsNew,
} from '../../../src/features/library/page/libraryKeeping.ts'
import { foundEntries, fresh, keptText, type LibraryEntry, sortedEntries } from '../../../src/features/library/records/entries.ts'
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

const simple = { version: 1, title: 'Mine', source: { kind: 'batch', jobs: 4 }, stages: [{ id: 'A' }, { id: 'B' }], workers: 2 }
const worked = presetOf('worked-example')?.scenario ?? expect.fail('no preset')

pageHere()
vi.stubGlobal('indexedDB', {})
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
    await keepScenarios(session, { ...fresh(keptText({ ...scenario, title: copyTitle(scenario.title) })), changed: Date.now() + 1 })
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

describe('all scenarios', () => {
  test('are exported as one file; the valid ones of a file are imported once, with a problem for each invalid one', async () => {
    const file = JSON.parse([...writeFile(await entries())].join(''))
    expect(file).toMatchObject({ format: 'apportion-scenarios', version: 1, scenarios: [{ scenario: { title: 'Mine' } }] })
    file.scenarios.push({ scenario: { ...simple, title: 'Good' } }, { scenario: { ...simple, workers: 99_999 } })
    const brought = await takeScenarios(session, fileOf(JSON.stringify(file)))
    expect(broughtIn(brought)).toBe('1 scenario imported; 1 was already here; 1 cannot be imported')
    expect(brought.problems).toEqual([{ path: 'scenarios[2].scenario.workers', message: expect.stringContaining('allowed: a whole number from 1 to 10,000') }])
    expect(await entries()).toHaveLength(2)
  })

  test('that stand twice in a file come in once', async () => {
    const before = (await entries()).length
    const twice = { scenario: { ...simple, title: 'Twice' } }
    const file = { format: 'apportion-scenarios', version: 1, scenarios: [twice, twice, { ...twice, changed: 5 }] }
    expect(broughtIn(await takeScenarios(session, fileOf(JSON.stringify(file))))).toBe('1 scenario imported; 2 were already here')
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
    const file = { format: 'apportion-scenarios', version: 1, scenarios: [named('1'), named('2'), named('3'), { scenario: null }, { scenario: simple }] }
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
    await expect(keepScenarios(session, fresh('{}'), fresh('[]'))).rejects.toThrow('there are 1,000 scenarios in it, and it takes no more')
    expect(await library.all()).toHaveLength(3)
  })

  test('are announced in words that leave out what there is none of', () => {
    const problem = { path: '', message: '' }
    expect(broughtIn({ came: 1, known: 0, problems: [] })).toBe('1 scenario imported')
    expect(broughtIn({ came: 0, known: 1, problems: [] })).toBe('0 scenarios imported; 1 was already here')
    expect(broughtIn({ came: 2, known: 0, problems: [problem, problem] })).toBe('2 scenarios imported; 2 cannot be imported')
  })

  test('cannot be imported where the library cannot be read: the page says why', async () => {
    vi.spyOn(library, 'all').mockRejectedValue(new DOMException('no', 'InvalidStateError'))
    await importFile(session, fileOf(JSON.stringify(simple)))
    expect(scenarioStore(session).getState().problems).toEqual([
      { path: '', message: expect.stringMatching(/^The library cannot be read: this browser does not let the page store anything/) },
    ])
    expect(libraryStore(session).getState().open).toBe(false)
  })

  test('can be dropped on the page: the library opens, or the problem is reported', async () => {
    await importFile(session, fileOf(JSON.stringify({ ...simple, title: 'Third' })))
    expect(libraryStore(session).getState().open).toBe(true)
    expect(await entries()).toHaveLength(2)
    await importFile(session, fileOf('nonsense'))
    expect(scenarioStore(session).getState().problems).toEqual([{ path: '', message: 'this is not JSON, or it is cut off' }])
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
])('a storage that is %s is reported with a reason; the canvas has everything, and it is saved when there is room again', async (_, name, words) => {
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
})
