import { describe, expect, test } from 'vitest'
import { readFile, writeFile } from '../../../src/features/library/page/exchange.ts'
import { sketchOf } from '../../../src/features/library/page/sketch.ts'
import type { Kept } from '../../../src/features/library/records/database.ts'
import { foundEntries, fresh, keptText, type LibraryEntry, MAX_ENTRIES, readEntry } from '../../../src/features/library/records/entries.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const kept: Kept[] = presets.map(({ scenario }, i) => ({ ...fresh(keptText(scenario)), changed: 1_700_000_000_000 + i }))
const fileOf = (scenarios: unknown) => JSON.stringify({ format: 'apportion-scenarios', version: 1, scenarios })
const good = { version: 1, title: 'Good', source: { kind: 'batch', jobs: 1 }, stages: [{ id: 'A' }], workers: 1 }

describe('a file of scenarios', () => {
  test('contains all saved scenarios, with their times of change', () => {
    const { entries, problems } = readFile([...writeFile(kept)].join(''))
    expect(problems).toEqual([])
    expect(entries.map(({ text, changed }) => ({ text, changed }))).toEqual(kept.map(({ text, changed }) => ({ text, changed })))
    expect(new Set(entries.map(({ id }) => id)).size).toBe(kept.length)
  })

  test('valid scenarios are imported, and each invalid one is a problem at its place', () => {
    const { entries, problems } = readFile(
      fileOf([{ scenario: good }, { scenario: { ...good, workers: 99_999 } }, 'nonsense', { scenario: good, changed: 'yesterday' }]),
    )
    expect(entries.map(({ text }) => JSON.parse(text).title)).toEqual(['Good', 'Good'])
    expect(problems.map(({ path }) => path)).toEqual(['scenarios[1].scenario.workers', 'scenarios[2]'])
  })

  test('has dates of change that are instants since 1970, or else that of its import', () => {
    const began = Date.now()
    for (const changed of [-1, -8_640_000_000_000_000, 0.5, 8_640_000_000_000_000, '7', null, Number.MAX_SAFE_INTEGER]) {
      const [entry] = readFile(fileOf([{ scenario: good, changed }])).entries
      expect(entry.changed).toBeGreaterThanOrEqual(began)
      expect(entry.changed).toBeLessThanOrEqual(Date.now())
    }
    for (const changed of [0, 1, 8_639_999_999_999_999]) expect(readFile(fileOf([{ scenario: good, changed }])).entries[0].changed).toBe(changed)
  })

  test('a half-drawn pipeline is imported unchanged', () => {
    const half = { ...good, stages: [{ id: 'A' }, { id: 'B' }], links: [['source', 'A']] }
    const { entries, problems } = readFile(fileOf([{ scenario: half }]))
    expect(problems).toEqual([])
    expect(readEntry(entries[0])).toMatchObject({ drawn: { draftProblems: expect.arrayContaining([expect.objectContaining({ stage: '"B"' })]) } })
  })

  test('a file of one scenario is imported as well', () => {
    expect(readFile(JSON.stringify(good)).entries).toHaveLength(1)
  })

  test.each([
    ['', /not JSON/],
    ['{"format":"apportion-scenarios","version":1,"scenarios":[', /cut off/],
    ['[]', /not a file of scenarios/],
    ['null', /not a file of scenarios/],
    [fileOf(null), /found null; allowed: a list/],
    [fileOf(Array(MAX_ENTRIES + 1).fill({ scenario: good })), /found a list of 1,001; allowed: a list of at most 1,000/],
    [JSON.stringify({ format: 'apportion-scenarios', version: 2, scenarios: [] }), /newer version .* \(format 2\)/],
  ])('%.40s is refused with a reason', (text, words) => {
    const { entries, problems } = readFile(text)
    expect(entries).toEqual([])
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(words)])
  })
})

describe('a record of the database', () => {
  test.each([
    ['a record of another make', { id: 'x', revision: 3, scenario: {} }],
    ['a text that is no scenario', { id: 'x', revision: 3, changed: 0, text: '{"version":1}' }],
    ['a scenario of a newer version', { id: 'x', revision: 3, changed: 0, text: JSON.stringify({ ...good, version: 99 }) }],
  ])('%s cannot be read, gets a reason, and keeps its text', (_, record) => {
    const read = readEntry(record)
    expect(read).toMatchObject({ id: 'x', revision: 3, problems: expect.arrayContaining([expect.anything()]) })
    expect('drawn' in read).toBe(false)
    expect(read.text).toContain('{')
  })

  test('is found by words of its title and of its stages, in any case', () => {
    const entries = kept.map(readEntry) as LibraryEntry[]
    expect(foundEntries(entries, 'rush GATEWAY').map(({ drawn }) => drawn.scenario.title)).toEqual(['Rush hour at the API gateway'])
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
