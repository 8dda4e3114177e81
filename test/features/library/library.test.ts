import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readFile, writeFile } from '../../../src/features/library/page/exchange.ts'
import { sketchOf } from '../../../src/features/library/page/sketch.ts'
import type { Kept } from '../../../src/features/library/records/database.ts'
import {
  foundEntries,
  fresh,
  isKept,
  keptText,
  type LibraryEntry,
  MAX_ENTRIES,
  readEntry,
  sortedEntries,
} from '../../../src/features/library/records/entries.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const kept: Kept[] = presets.map(({ scenario }, i) => ({
  ...fresh(keptText(scenario)),
  changed: 1_700_000_000_000 + i,
}))
const fileOf = (scenarios: unknown) => JSON.stringify({ format: 'apportion-scenarios', version: 1, scenarios })
const good = { version: 1, title: 'Good', source: { kind: 'batch', jobs: 1 }, stages: [{ id: 'A' }], workers: 1 }

describe('a file of scenarios', () => {
  test('contains all saved scenarios, with their times of change', () => {
    const { entries, problems } = readFile([...writeFile(kept)].join(''))
    expect(problems).toEqual([])
    expect(entries.map(({ text, changed }) => ({ text, changed }))).toEqual(
      kept.map(({ text, changed }) => ({ text, changed })),
    )
    expect(new Set(entries.map(({ id }) => id)).size).toBe(kept.length)
  })

  test('valid scenarios are imported, and each invalid one is a problem at its place', () => {
    const { entries, problems } = readFile(
      fileOf([
        { scenario: good },
        { scenario: { ...good, workers: 99_999 } },
        'nonsense',
        { scenario: good, changed: 'yesterday' },
      ]),
    )
    expect(entries.map(({ text }) => JSON.parse(text).title)).toEqual(['Good', 'Good'])
    expect(problems.map(({ path }) => path)).toEqual(['scenarios[1].scenario.workers', 'scenarios[2]'])
  })

  test('has dates of change that are instants since 1970, or else that of its import', () => {
    const began = Date.now()
    for (const changed of [
      -1,
      -8_640_000_000_000_000,
      0.5,
      8_640_000_000_000_000,
      '7',
      null,
      Number.MAX_SAFE_INTEGER,
    ]) {
      const [entry] = readFile(fileOf([{ scenario: good, changed }])).entries
      expect(entry.changed).toBeGreaterThanOrEqual(began)
      expect(entry.changed).toBeLessThanOrEqual(Date.now())
    }
    for (const changed of [0, 1, 8_639_999_999_999_999])
      expect(readFile(fileOf([{ scenario: good, changed }])).entries[0].changed).toBe(changed)
  })

  test('a half-drawn pipeline is imported unchanged', () => {
    const half = { ...good, stages: [{ id: 'A' }, { id: 'B' }], links: [['source', 'A']] }
    const { entries, problems } = readFile(fileOf([{ scenario: half }]))
    expect(problems).toEqual([])
    expect(readEntry(entries[0])).toMatchObject({
      drawn: { draftProblems: expect.arrayContaining([expect.objectContaining({ stage: '"B"' })]) },
    })
  })

  test('a file of one scenario is imported as well, but not a list of scenarios without their times', () => {
    expect(readFile(fileOf([good])).problems.map(({ path }) => path)).toEqual(['scenarios[0]'])
    expect(readFile(JSON.stringify(good)).entries).toHaveLength(1)
  })

  test.each([
    ['', /not JSON/],
    ['{"format":"apportion-scenarios","version":1,"scenarios":[', /cut off/],
    ['[]', /not a file of scenarios/],
    ['null', /not a file of scenarios/],
    ['{"stages":{}}', /not a file of scenarios/],
    [fileOf(null), /found null; allowed: a list/],
    [fileOf(Array(MAX_ENTRIES + 1).fill({ scenario: good })), /found a list of 1,001; allowed: a list of 0 to 1,000/],
    [JSON.stringify({ format: 'apportion-scenarios', version: 2, scenarios: [] }), /newer version .* \(format 2/],
  ])('%.40s is refused with a reason', (text, words) => {
    const { entries, problems } = readFile(text)
    expect(entries).toEqual([])
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(words)])
  })
})

test('of each scenario that cannot be imported the first problem is told, and how many more it has', () => {
  const bad = [{ workers: 0 }, { workers: 0, seed: -1 }, { workers: 0, seed: -1, title: 7 }].map((each) => ({
    scenario: { ...good, ...each },
  }))
  const { problems } = readFile(fileOf([...bad, { scenario: good }]))
  expect(problems.map(({ path }) => path.replace(/\.\w+$/, ''))).toEqual(
    [0, 1, 2].map((i) => `scenarios[${i}].scenario`),
  )
  const messages = problems.map(({ message }) => message)
  expect(messages.map((message) => /; and (.*)$/.exec(message)?.[1])).toEqual([undefined, '1 more', '2 more'])
  for (const message of messages) expect(message).toMatch(/; allowed: /)
  // A file of one scenario says where in that.
  expect(readFile(JSON.stringify({ ...good, workers: 0 })).problems.map(({ path }) => path)).toEqual(['workers'])
})

test('a scenario of a file has at most 2,000,000 characters, as it is kept', () => {
  // JSON writes two characters for each quote.
  const quotes = Array.from({ length: 49 }, (_, s) => ({ id: `s${s}`, work: { code: '"'.repeat(20_000) } }))
  const ofLength = (last: number) => ({
    ...{ ...good, source: { kind: 'values', values: [1] }, title: '"'.repeat(10) },
    stages: [...quotes, { id: 'x', work: { code: '"'.repeat(15_000) } }, { id: 'y', work: { code: '.'.repeat(last) } }],
  })
  const imported = (last: number) => readFile(fileOf([{ scenario: ofLength(last) }]))
  const rest = 2_000_000 - imported(1).entries[0].text.length + 1
  expect(imported(rest).entries.map(({ text }) => text.length)).toEqual([2_000_000])
  expect(imported(rest + 1)).toEqual({
    entries: [],
    problems: [{ path: 'scenarios[0]', message: 'found a text of 2,000,001 characters; allowed: 2,000,000' }],
  })
})

/** Records as they stand in the database, written by an earlier version. */
const records: readonly Kept[] = JSON.parse(
  readFileSync(new URL('../../corpus/records-1.json', import.meta.url), 'utf8'),
)

test('records of earlier versions can be read, each on its own, and those that cannot are listed last as they are', () => {
  const later = { ...records[0], id: 'later', text: '{"version":99}' }
  const odd = { id: 'odd', scenario: {} }
  const { entries, unreadable } = sortedEntries([odd, later, ...records])
  expect(entries.map(({ id, revision, changed, text }) => ({ id, revision, changed, text }))).toEqual(
    [...records].reverse(),
  )
  expect(unreadable.map(({ id, text }) => [id, text])).toEqual([
    ['odd', JSON.stringify(odd, null, 2)],
    ['later', later.text],
  ])
})

describe('a record of the database', () => {
  test('is new with revision 1, and an id of its own of 32 hexadecimal digits', () => {
    const records = Array.from({ length: 50 }, () => fresh('{}', 7))
    for (const { id, ...rest } of records) {
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      expect(rest).toEqual({ revision: 1, changed: 7, text: '{}' })
    }
    expect(new Set(records.map(({ id }) => id)).size).toBe(50)
    const from = Date.now()
    const { changed } = fresh('{}')
    expect(changed >= from && changed <= Date.now()).toBe(true)
  })

  test('that has not changed is not parsed again; another text or revision is read again', () => {
    const record = { ...fresh(JSON.stringify(good)), id: 'one' }
    const entry = readEntry(record)
    expect(readEntry({ ...record })).toBe(entry)
    expect(readEntry({ ...record, revision: 2 })).toMatchObject({ drawn: { scenario: { title: 'Good' } }, revision: 2 })
    const renamed = readEntry({ ...record, text: JSON.stringify({ ...good, title: 'Other' }) })
    expect(renamed).toMatchObject({ drawn: { scenario: { title: 'Other' } }, revision: 1 })
    expect(readEntry({ ...record, id: 'two' })).toMatchObject({ id: 'two' })
  })

  test.each<[string, unknown, string, string]>([
    ['null', null, 'nothing', 'null'],
    ['a number', 7, 'nothing', '7'],
    ['an object whose id is an object', { id: {} }, 'an object', '{\n  "id": {}\n}'],
    [
      'an object with the text of another kind',
      { id: 'x', revision: 3, changed: 1, text: 7 },
      'x',
      expect.stringContaining('"text": 7'),
    ],
    [
      'an object without a time of change',
      { id: 'x', revision: 3, text: '{}' },
      'x',
      expect.stringContaining('"revision": 3'),
    ],
    ['an object that holds itself', Object.assign({ id: 'x' }, { self: null as unknown }), 'x', '[object Object]'],
  ])('that is %s is shown with what it has, and cannot be read', (name, record, id, text) => {
    if (name.endsWith('itself')) (record as { self: unknown }).self = record
    expect(readEntry(record)).toEqual({
      ...{ id, text },
      problems: [{ path: '', message: 'it was kept by another version of Apportion, or changed by hand' }],
    })
  })

  test('may have a text of any length: a long one is a record all the same', () => {
    expect(isKept({ id: 'x', revision: 1, changed: 1, text: ' '.repeat(2_000_001) })).toBe(true)
  })

  test('is found by words of its title and of its stages, in any case', () => {
    const entries = kept.map(readEntry) as LibraryEntry[]
    expect(foundEntries(entries, 'rush GATEWAY').map(({ drawn }) => drawn.scenario.title)).toEqual([
      'Rush hour at the API gateway',
    ])
    expect(foundEntries(entries, 'enrich').length).toBeGreaterThan(0)
    expect(foundEntries(entries, 'no such words')).toEqual([])
  })
})

describe('the picture of a scenario', () => {
  test.each(presets.map(({ title, scenario }) => [title, scenario] as const))(
    '%s: every stage and both ends are inside, and every link has a path',
    (_, scenario) => {
      const { viewBox, links, ends, stages } = sketchOf(scenario)
      const [left, top, width, height] = viewBox.split(' ').map(Number)
      for (const box of [...ends, ...stages]) {
        expect(box.x).toBeGreaterThanOrEqual(left)
        expect(box.y).toBeGreaterThanOrEqual(top)
        expect(box.x + box.width).toBeLessThanOrEqual(left + width)
        expect(box.y + box.height).toBeLessThanOrEqual(top + height)
      }
      expect([links.length, ends.length, stages.length]).toEqual([scenario.links.length, 2, scenario.stages.length])
    },
  )

  test('a half-drawn pipeline has a picture too', () => {
    const parsed = scenarioWith(good)
    expect(sketchOf({ ...parsed, links: [] })).toMatchObject({ links: [], stages: [expect.anything()] })
  })
})
