import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { messagePieces, type Piece } from '../../src/language/message.ts'
import { repository, source, sources } from '../architecture/sources.ts'
import { textsIn } from './messages.ts'

/** Not converted yet. A file whose texts are all messages leaves the list; no file may join it. */
const owing = new Set<string>([])

const allFiles = sources()
  .filter(({ path }) => !path.startsWith('language/'))
  .map((source) => ({ path: source.path, ...textsIn(source, readFileSync(`${repository}src/${source.path}`, 'utf8')) }))
const places = new Map(allFiles.flatMap(({ messages }) => messages.map(({ message, place }) => [message, place])))
const files = readdirSync(`${repository}src/language`).filter((name) => name.endsWith('.json'))

describe('every text on the screen', () => {
  test('is a message in the code', () => {
    expect(allFiles.flatMap(({ wrong }) => wrong)).toEqual([])
  })

  test('is filled with exactly the values that it names', () => {
    expect(allFiles.flatMap(({ unfilled }) => unfilled)).toEqual([])
    const call = (text: string) => textsIn(source('app/x.ts', text), text).unfilled
    expect(call("t('{n} jobs', { m: 1 })")).toEqual(['app/x.ts:1 "{n} jobs" lacks {n}, does not use {m}'])
    expect(call("t('{n, plural, one {# job of {name}} other {# jobs}}', { n, name })")).toEqual([])
  })

  test('is a message in every element and label', () => {
    const bare = allFiles.filter((file) => file.bare.length > 0)
    expect(bare.filter(({ path }) => !owing.has(path)).flatMap((file) => file.bare)).toEqual([])
    expect([...owing].filter((path) => !bare.some((file) => file.path === path))).toEqual([])
  })

  test('can be parsed as a message', () => {
    for (const message of places.keys()) expect(() => messagePieces(message)).not.toThrow()
  })
})

describe.each(files)('the catalogue %s', (name) => {
  const locale = name.slice(0, -'.json'.length)
  const text = readFileSync(`${repository}src/language/${name}`, 'utf8')
  const catalogue: Record<string, string> = JSON.parse(text)
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()

  test('contains every message of the code', () => {
    expect(
      [...places]
        .filter(([message]) => catalogue[message] === undefined)
        .map(([message, place]) => `${place} ${message}`),
    ).toEqual([])
  })

  test('contains no unused message', () => {
    expect(Object.keys(catalogue).filter((message) => !places.has(message))).toEqual([])
  })

  test('is sorted', () => {
    // The order in the file: an object lists its numeric keys first.
    const keys = text.split('\n').flatMap((line) => /^ {2}("(?:[^"\\]|\\.)*"):/.exec(line)?.[1] ?? [])
    expect(keys.map((key) => JSON.parse(key))).toEqual(Object.keys(catalogue).sort())
  })

  test('uses the same values and tags', () => {
    const other = Object.entries(catalogue).filter(
      ([message, its]) => inserted(messagePieces(message)).join() !== inserted(messagePieces(its)).join(),
    )
    expect(other).toEqual([])
  })

  test('uses the same values in every form of a plural, if English does', () => {
    const uneven = Object.entries(catalogue).filter(
      ([message, its]) => lackingIn(messagePieces(message)).length === 0 && lackingIn(messagePieces(its)).length > 0,
    )
    expect(uneven.map(([, its]) => `${lackingIn(messagePieces(its)).join(', ')}: ${its}`)).toEqual([])
  })

  test('has every plural form of the language', () => {
    const short = Object.entries(catalogue).filter(
      ([, its]) =>
        !pluralsIn(messagePieces(its)).every((forms) => pluralCategories.every((form) => forms.includes(form))),
    )
    expect(short).toEqual([])
  })
})

/** What a form lacks that another of the same plural has. `=1` and similar forms may use less. */
function lackingIn(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return []
    if (piece.kind === 'tag') return lackingIn(piece.inside)
    if (piece.kind !== 'plural') return []
    const forms = Object.entries(piece.forms).map(([form, its]) => ({
      form,
      has: inserted(its).filter((name) => name !== piece.name),
      its,
    }))
    const all = new Set(forms.flatMap(({ has }) => has))
    return forms.flatMap(({ form, has, its }) => [
      ...(form.startsWith('=')
        ? []
        : [...all].filter((name) => !has.includes(name)).map((name) => `${name} in the form ${form}`)),
      ...lackingIn(its),
    ])
  })
}

/** The names of all values and tags, each once. A number that is only counted may be left out of a form. */
function inserted(pieces: readonly Piece[]): string[] {
  const names = new Set<string>()
  const addMessage = (some: readonly Piece[]) => {
    for (const piece of some) {
      if (typeof piece === 'string') continue
      if (piece.kind === 'tag') addMessage(piece.inside)
      if (piece.kind === 'plural') for (const form of Object.values(piece.forms)) addMessage(form)
      names.add(piece.kind === 'tag' ? `<${piece.name}>` : piece.name)
    }
  }
  addMessage(pieces)
  return [...names].sort()
}

function pluralsIn(pieces: readonly Piece[]): string[][] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return []
    if (piece.kind === 'tag') return pluralsIn(piece.inside)
    return piece.kind === 'plural' ? [Object.keys(piece.forms), ...Object.values(piece.forms).flatMap(pluralsIn)] : []
  })
}
