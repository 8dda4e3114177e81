import { describe, expect, test } from 'vitest'
import {
  checksum,
  deflate,
  inflate,
  readFragment,
  toAskFragment,
  toBase64url,
  toJsonFragment,
  toShortFragment,
} from '../../../src/scenario/link/codec.ts'
import { plainOpening } from '../../../src/scenario/link/opening.ts'
import { readShort, writeShort } from '../../../src/scenario/link/shortForm.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import { MAX_INFLATED, MAX_SHORT } from '../../../src/scenario/model/limits.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const smallest = valid({ version: 1, stages: [{ id: 'A' }], workers: 1 })

/** A short link with this body and the checksum that belongs to it. */
const sealed = (body: string, version = '1') => `#s=${version}${checksum(version + body)}${body}`
const messageOf = (fragment: string) => {
  const read = readFragment(fragment)
  return read.found === 'problems' ? read.problems[0].message : read.found
}
const opened = (fragment: string) => {
  const read = readFragment(fragment)
  return read.found === 'scenario' ? read.scenario : expect.fail(JSON.stringify(read))
}

/** Bytes that deflate cannot make shorter. */
function noise(length: number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1_103_515_245) + 12_345
    return state >>> 16
  })
}

describe('a short link', () => {
  const back = (scenario: object) => expect(opened(toShortFragment(valid(scenario)))).toEqual(valid(scenario))
  const stages = (...ids: readonly (string | readonly [id: string, name: string])[]) =>
    ids.map((each) => (typeof each === 'string' ? { id: each } : { id: each[0], name: each[1] }))

  test.each([
    ['the letters of the canvas', stages('A', 'B', 'C')],
    ['other letters', stages('B', 'A')],
    ['names', stages(['write-to-disk', 'Write to disk'], ['b', 'b'], ['x.1', 'X.1'])],
    ['names of other letters', stages(['e', 'Écrire'], ['f', 'İ'], ['-', 'Ж'], ['k', 'K'])],
    ['thirty', stages(...Array.from({ length: 30 }, (_, k) => (k < 26 ? String.fromCharCode(65 + k) : `s${k}`)))],
    [
      'thirty that end in letters',
      stages(...Array.from({ length: 28 }, (_, k) => `n${k}`), ['s28', 'x'], ['s28x', 's28x']),
    ],
  ])('has the ids of stages: %s', (_, list) => {
    back({ version: 1, stages: list, workers: 1 })
  })

  test('has only the bytes of its scenario: others behind it are refused', () => {
    const bytes = writeShort(compact(smallest))
    expect(() => readShort(bytes)).not.toThrow()
    for (const more of [[0], [1], [255]])
      expect(() => readShort(Uint8Array.from([...bytes, ...more]))).toThrow(RangeError)
    for (let length = 0; length < bytes.length; length++)
      expect(messageOf(sealed(toBase64url(deflate(bytes.subarray(0, length)))))).not.toBe('scenario')
  })

  test('has at most 65,536 characters after its mark, and may have as many', () => {
    const filled = (length: number) => 'A'.repeat(length - 6)
    expect(messageOf(sealed(filled(MAX_SHORT)))).toContain('damaged')
    expect(messageOf(sealed(filled(MAX_SHORT + 1)))).toBe(
      'This link is too long: more than 65,536 characters. Ask for a file.',
    )
  })

  test('ends where its scenario ends: words behind the mark of another key are no part of it', () => {
    const named = valid({ version: 1, title: 'a}b&t=5', stages: [{ id: 'A' }], workers: 1 })
    expect(readFragment(`${toShortFragment(named)}&t=6&panel=figures`)).toMatchObject({
      scenario: named,
      opening: { at: 6, panel: 'figures' },
      problems: [],
    })
    expect(readFragment(`${toJsonFragment(named)}&t=6`)).toMatchObject({
      scenario: named,
      opening: { at: 6 },
      problems: [],
    })
    const raw = `#json=${JSON.stringify(compact(named))}`
    expect(readFragment(raw)).toMatchObject({ scenario: named, opening: plainOpening })
  })
})

describe('a link with a question', () => {
  const question = {
    scenario: valid({
      version: 1,
      stages: [
        { id: 'A', name: 'Cut & sew' },
        { id: 'B', name: '100%' },
      ],
      workers: 4,
    }),
    asked: [3, 0].map((waiting) => ({ waiting, mean: 10, done: false })),
  }

  test('has no character at which programs cut an address', () => {
    const names = ['Cut & sew', '#2', '1+1', 'a b', '"x"', '<y>']
    const scenario = valid({ version: 1, stages: names.map((name, k) => ({ id: `s${k}`, name })), workers: 4 })
    const link = toAskFragment({ scenario, asked: names.map(() => ({ waiting: 1, mean: 10, done: false })) })
    expect(link).toMatch(/^#ask=[A-Za-z0-9%._~!*'()-]+$/)
    expect(toJsonFragment(scenario)).toMatch(/^#json=[A-Za-z0-9%._~!*'()-]+$/)
    expect(readFragment(link)).toMatchObject({
      found: 'question',
      question: { scenario: { stages: names.map((name) => ({ name })) } },
    })
  })

  test('is read as it was written', () => {
    const read = readFragment(toAskFragment(question))
    expect(read).toMatchObject({ found: 'question', question: { asked: question.asked, scenario: { workers: 4 } } })
    expect(read.found === 'question' && read.question.scenario.stages.map(({ name }) => name)).toEqual([
      'Cut & sew',
      '100%',
    ])
    expect(toAskFragment(read.found === 'question' ? read.question : question)).toBe(toAskFragment(question))
  })

  test.each([
    ['#ask=', 'incomplete or damaged'],
    ['#ask={', 'incomplete or damaged'],
    ['#ask=%', 'URI-encoded'],
    ['#ask={}', 'found nothing'],
    ['#ask={"version":2,"workers":1,"stages":[]}', 'newer version'],
    ['#ask={"version":1,"workers":1,"stages":[{"name":"A","waiting":-1,"mean":5}]}', 'found -1'],
    ['#ask={"version":1,"workers":1,"stages":[{"name":"A","waiting":1,"mean":5}],"__proto__":{}}', 'unknown key'],
    [`#ask=${'['.repeat(5000)}`, ''],
  ])('that is wrong is refused with a reason: %#', (fragment, words) => {
    const read = readFragment(fragment)
    expect(read.found).toBe('problems')
    expect(messageOf(fragment)).toContain(words)
  })
})

describe('what is inflated', () => {
  test('may have the maximum number of bytes, and not one more', () => {
    expect(inflate(deflate(new Uint8Array(MAX_INFLATED)))).toHaveLength(MAX_INFLATED)
    expect(inflate(deflate(new Uint8Array(MAX_INFLATED + 1)))).toBe('too long')
  })

  test('is broken if it does not end, or is no deflated text', () => {
    const whole = deflate(noise(600))
    for (const length of [0, 1, 10, 256, whole.length - 1]) expect(inflate(whole.subarray(0, length))).toBe('broken')
    for (const bytes of [[7], [255, 255, 255], [6, 0, 0, 0]]) expect(inflate(Uint8Array.from(bytes))).toBe('broken')
  })
})

describe('the checksum', () => {
  test.each([
    ['', 'GrD7z'],
    ['1', '24aNI'],
    ['1abc', 'x9GLJ'],
  ])('of %j is that of every browser and version', (text, sum) => {
    expect(checksum(text)).toMatch(/^[A-Za-z0-9_-]{5}$/)
    expect(checksum(text)).toBe(sum)
  })
})
