import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFragment } from '../../../src/scenario/link/codec.ts'
import { findJsonProblem } from '../../../src/scenario/parse/json.ts'
import { parseText } from '../../../src/scenario/parse/parse.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('the place where a text stops being JSON', () => {
  test.each([
    ['a comma too many in an object', '{ "a": 1, }', 1, 11, 'found "}"; allowed: a key in double quotes'],
    ['a comma too many in a list', '{\n  "a": [1, 2,]\n}', 2, 14, 'found "]"; allowed: a value'],
    ['a missing comma', '{\n  "a": 1\n  "b": 2 }', 3, 3, "found '\"'; allowed: , or }"],
    ['a missing colon', '{ "workers" 8 }', 1, 13, 'found "8"; allowed: :'],
    ['a missing value', '{ "workers": }', 1, 14, 'found "}"; allowed: a value'],
    ['a key without quotes', '{ workers: 8 }', 1, 3, 'found "workers"; allowed: a key in double quotes or }'],
    ['single quotes', "{ 'workers': 8 }", 1, 3, 'found "\'"'],
    ['a comment', '{ // eight\n"workers": 8 }', 1, 3, 'found "//"'],
    ['a word that is none', '{ "seed": NaN }', 1, 11, 'found "NaN"'],
    ['a number with a leading zero', '{ "seed": 01 }', 1, 12, 'found "1"; allowed: , or }'],
    ['a number that ends in a point', '{ "seed": 1. }', 1, 12, 'found "."'],
    ['a text without an end', '{ "title": "x }', 1, 12, 'has no closing quote'],
    ['a text over two lines', '{ "title": "x\ny" }', 1, 14, 'this text has no closing quote'],
    ['an escape that is none', '{ "title": "\\x" }', 1, 13, 'allowed: \\ before'],
    ['an end too early', '{ "stages": [', 1, 14, 'the text ends too early; allowed: a value or ]'],
    ['a bracket too few', '{ "stages": []', 1, 15, 'the text ends too early; allowed: , or }'],
    ['a bracket too many', '{ }\r\n}', 2, 1, 'allowed: nothing'],
    ['characters of two words before it', '{ "😀😀": x }', 1, 9, 'found "x"'],
  ])('%s', (_, text, line, column, words) => {
    const fault = findJsonProblem(text)
    expect([fault?.line, fault?.column]).toEqual([line, column])
    expect(fault?.message).toContain(words)
    expect(isJson(text)).toBe(false)
  })

  test('is shown with its surroundings on its line, without invisible characters', () => {
    expect(findJsonProblem('{\n  "title": "x",\n  "workers": }')?.excerpt).toBe('  "workers": →}')
    const far = findJsonProblem(`{ "title": "${'x'.repeat(100)}\u202e", "workers": ?${' '.repeat(100)}}`)
    expect(far?.excerpt).toBe(`…${'x'.repeat(13)} ", "workers": →?${' '.repeat(15)}…`)
  })

  test('is found in any text that the browser refuses, and in no other', () => {
    const json = fc.json({ maxDepth: 4 })
    const damaged = fc
      .tuple(
        json,
        fc.nat(),
        fc.constantFrom(
          '',
          ',',
          '"',
          '\\',
          '}',
          ']',
          '{',
          '[',
          ':',
          '0',
          '-',
          '.',
          'e',
          '\n',
          '\t',
          'x',
          '\u0001',
          ' ',
        ),
        fc.nat(2),
      )
      .map(
        ([text, at, put, away]) =>
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + away),
      )
    let [right, wrong] = [0, 0]
    fc.assert(
      fc.property(fc.oneof(json, damaged, fc.string()), (text) => {
        const fault = findJsonProblem(text)
        expect(fault === null, text).toBe(isJson(text))
        if (fault === null) right++
        else wrong++
      }),
      { numRuns: 5000 },
    )
    expect(Math.min(right, wrong)).toBeGreaterThan(500)
  })

  test('is found at any depth of brackets', () => {
    expect(findJsonProblem(`${'['.repeat(200_000)}x`)).toMatchObject({ line: 1, column: 200_001 })
    expect(findJsonProblem('['.repeat(200_000) + ']'.repeat(200_000))).toBeNull()
    expect(findJsonProblem(`"${'x'.repeat(2_000_000)}\\n"`)).toBeNull()
  })
})

describe('a scenario that is not JSON', () => {
  const broken = '{ "version": 1,\n  "workers": 8,\n  "stages": [ { "id": "A" } }'

  test('is refused with line, column and excerpt, in a text as in a link', () => {
    const problems = [
      {
        path: '',
        message:
          'this is not JSON: line 3, column 29: found "}"; allowed: , or ]. There:   "stages": [ { "id": "A" } →}',
      },
    ]
    expect(parseText(broken)).toEqual({ problems })
    expect(readFragment(`#json=${encodeURIComponent(broken)}`)).toEqual({ found: 'problems', problems })
  })

  test('shows how a scenario begins if it does not even begin like one', () => {
    expect(parseText('hello')).toMatchObject({
      problems: [{ message: expect.stringContaining('a scenario is a JSON object: {') }],
    })
  })
})
