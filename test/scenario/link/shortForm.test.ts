import { describe, expect, test } from 'vitest'
import {
  checksum,
  deflate,
  fromBase64url,
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
import links from '../../fixtures/links/v1.json' with { type: 'json' }

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

describe('the links of version 1', () => {
  test.each(links.map((each, k) => [k, each] as const))(
    'are read for ever, and made character for character: %d',
    (_, { link, scenario }) => {
      expect(readFragment(link)).toEqual({
        found: 'scenario',
        scenario: valid(scenario),
        opening: plainOpening,
        problems: [],
      })
      if (link.startsWith('#s=')) expect(toShortFragment(valid(scenario))).toBe(link)
    },
  )
})

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

  test('leaves out the ids that the canvas gives: 30 such stages take fewer bytes than 30 others', () => {
    const bytes = (ids: readonly string[]) =>
      writeShort(compact(valid({ version: 1, stages: ids.map((id) => ({ id })), workers: 1 }))).length
    const given = Array.from({ length: 30 }, (_, k) => (k < 26 ? String.fromCharCode(65 + k) : `s${k}`))
    expect(bytes(given)).toBeLessThan(70)
    expect(bytes(given.map((id) => `${id}0`))).toBeGreaterThan(120)
  })

  test('has the weights of a route and the seats of an allocation at their stages, in whatever order they are written', () => {
    const fork = (route: object) => ({
      version: 1,
      stages: [{ id: 'X', fanOut: { route } }, { id: 'Y' }, { id: 'Z' }],
      links: [
        ['source', 'X'],
        ['X', 'Y'],
        ['X', 'Z'],
        ['Y', 'sink'],
        ['Z', 'sink'],
      ],
      workers: 3,
    })
    back(fork({ Y: 3, Z: 5 }))
    expect(toShortFragment(valid(fork({ Z: 5, Y: 3 })))).toBe(toShortFragment(valid(fork({ Y: 3, Z: 5 }))))
    const seats = (allocation: object) => ({
      version: 1,
      stages: stages('X', 'Y', 'Z'),
      workers: 6,
      policy: { kind: 'fixed', allocation },
    })
    back(seats({ X: 1, Y: 2, Z: 3 }))
    back(seats({ X: 0, Y: 0, Z: 6 }))
  })

  test('has what branches and later phases change, by the stages that they name', () => {
    const policy = { kind: 'fixed', allocation: { Y: 2, X: 1 } }
    back({
      version: 1,
      stages: stages('X', 'Y'),
      workers: 3,
      later: [{ at: 5, policy }],
      branches: [
        {
          at: 1,
          title: 'T',
          workers: 4,
          policy: { kind: 'fixed', allocation: { X: 3, Y: 1 } },
          stages: [{ id: 'Y', from: 1, service: { kind: 'constant', mean: 7 } }],
          later: [{ at: 9, policy }],
        },
      ],
    })
  })

  test.each([0, 1, 99, 100, 101, 300])('has %d times, in whatever form they take', (n) => {
    for (const gap of [0, 1, 7000])
      back({
        version: 1,
        source: { kind: 'times', at: Array.from({ length: Math.max(n, 1) }, (_, k) => gap * k) },
        stages: stages('A'),
        workers: 1,
      })
  })

  test('writes times as gaps from the hundredth on', () => {
    const bytes = (n: number) =>
      [
        ...writeShort(
          compact(
            valid({
              version: 1,
              source: { kind: 'times', at: Array.from({ length: n }, (_, k) => 7 * k) },
              stages: stages('A'),
              workers: 1,
            }),
          ),
        ),
      ].join()
    expect([99, 100].map((n) => bytes(n).includes('1,7,0,7,100,0,1,1,1'))).toEqual([false, true])
  })

  test('has the code of a stage behind its work', () => {
    back({
      version: 1,
      stages: [
        { id: 'A', work: { code: 'return input' } },
        { id: 'B', work: 'qoi' },
      ],
      workers: 1,
    })
  })

  test('has only the bytes of its scenario: others behind it are refused', () => {
    const bytes = writeShort(compact(smallest))
    expect(() => readShort(bytes)).not.toThrow()
    for (const more of [[0], [1], [255]])
      expect(() => readShort(Uint8Array.from([...bytes, ...more]))).toThrow(RangeError)
    for (let length = 0; length < bytes.length; length++)
      expect(messageOf(sealed(toBase64url(deflate(bytes.subarray(0, length)))))).not.toBe('scenario')
  })

  test.each(['#hello#s=1abc', '#x#json={}', 'hello#s=1', '##s=1abc', '#S=1abc', '# s=1abc', '#x=#ask={}'])(
    'begins with its mark, and not somewhere behind it: %s',
    (fragment) => {
      expect(messageOf(fragment)).toMatch(/^This link begins with /)
    },
  )

  test('has at most 65,536 characters after its mark, and may have as many', () => {
    const filled = (length: number) => 'A'.repeat(length - 6)
    expect(messageOf(sealed(filled(MAX_SHORT)))).toContain('damaged')
    expect(messageOf(sealed(filled(MAX_SHORT + 1)))).toBe(
      'This short link has 65,537 characters; allowed: 65,536. Ask for the scenario as a file.',
    )
  })

  test.each(['2', '9', 'a', 'z'])(
    'of the later version %s is said to be newer, if its checksum confirms it',
    (version) => {
      expect(messageOf(sealed('later', version))).toContain('newer version')
    },
  )

  test.each(['0', 'A', 'Z', '-', 'é', '%'])('of no version is damaged: %s', (version) => {
    const { length } = toShortFragment(smallest)
    expect(messageOf(sealed(toShortFragment(smallest).slice(9, length), version))).toContain('damaged')
  })

  test('with a body that was never written is damaged, though its checksum is right', () => {
    const body = toShortFragment(smallest).slice(9)
    expect(opened(sealed(body))).toEqual(smallest)
    for (const wrong of [
      '',
      body.slice(0, -1),
      body.slice(0, 3),
      `${body}A`,
      `${body}é`,
      `${body} `,
      'AAAA',
      '____',
      `${body.slice(0, -1)}!`,
    ])
      expect(messageOf(sealed(wrong)), wrong).toContain('damaged')
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

  test('names the branches of its own scenario alone', () => {
    const forked = valid({
      version: 1,
      stages: [{ id: 'A' }],
      workers: 1,
      branches: [
        { at: 1, workers: 2 },
        { at: 2, workers: 3 },
      ],
    })
    for (const link of [toShortFragment, toJsonFragment])
      expect(
        [0, 1, 2].map(
          (branch) => (readFragment(link(forked, { branch })) as { problems: readonly unknown[] }).problems.length,
        ),
      ).toEqual([0, 0, 1])
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
    ['#ask=', 'not JSON'],
    ['#ask={', 'not JSON'],
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
  test('comes back in full, at any length beside the steps in which it is read', () => {
    for (const length of [0, 1, 255, 256, 257, 511, 512, 513, 5000]) {
      const bytes = noise(length)
      expect(inflate(deflate(bytes))).toEqual(bytes)
    }
  })

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

  test('differs for texts that differ in one letter, at the beginning, the end or the length', () => {
    const texts = [
      '',
      'a',
      'b',
      'aa',
      'ab',
      'ba',
      'aaa',
      '1aaaaaaaaaaaaaaa',
      '1aaaaaaaaaaaaaab',
      '2aaaaaaaaaaaaaaa',
      '1aaaaaaaaaaaaaa',
    ]
    expect(new Set(texts.map(checksum)).size).toBe(texts.length)
    // In every one of its letters.
    for (let k = 0; k < 5; k++)
      expect(new Set(Array.from({ length: 64 }, (_, n) => checksum(`1${n}`)[k])).size).toBeGreaterThan(20)
  })
})

test('a character outside the alphabet is refused wherever it stands, also one whose low bits are in it', () => {
  for (const strange of ['\0', ' ', '=', '+', '/', '\x7f', '\x80', 'é', 'ŁŁŁŁ', '😀'])
    for (const text of [strange, `AAAA${strange}`, `${strange}AAAA`, `AA${strange}A`])
      expect(fromBase64url(text), JSON.stringify(text)).toBeNull()
  expect(fromBase64url('')).toEqual(new Uint8Array())
})
