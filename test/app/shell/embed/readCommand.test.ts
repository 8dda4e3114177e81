import { describe, expect, test } from 'vitest'
import { isApportionMessage, readAttributes, readCommand } from '../../../../src/app/shell/embed/readCommand.ts'
import { MAX_MICROS, MAX_TEXT } from '../../../../src/scenario/model/limits.ts'

describe('a message', () => {
  test.each([
    [null, false],
    [undefined, false],
    ['apportion', false],
    [1, false],
    [[], false],
    [{ type: 'play' }, false],
    [Object.create({ apportion: 1 }), false],
    [{ apportion: undefined }, true],
    [{ apportion: 2 }, true],
    [Object.assign(Object.create(null), { apportion: 1 }), true],
  ])('is meant for this page by a key of its own: case %#', (data, meant) => {
    expect(isApportionMessage(data)).toBe(meant)
  })

  test.each(['play', 'pause', 'listen'])('to %s needs nothing more', (type) => {
    expect(readCommand({ apportion: 1, type })).toEqual({ apportion: 1, type, id: null })
    expect(readCommand({ apportion: 1, type, id: null })).toEqual({ apportion: 1, type, id: null })
    expect(readCommand({ apportion: 1, type, id: 0 })).toEqual({ apportion: 1, type, id: 0 })
  })

  test('to load may have a text up to the limit, and to seek a time up to it', () => {
    expect(readCommand({ apportion: 1, type: 'load', scenario: 'x'.repeat(MAX_TEXT) })).not.toHaveProperty('problems')
    expect(readCommand({ apportion: 1, type: 'load', scenario: 'x'.repeat(MAX_TEXT + 1) })).toHaveProperty('problems')
    for (const time of [0, 1, MAX_MICROS])
      expect(readCommand({ apportion: 1, type: 'seek', time })).toMatchObject({ type: 'seek', time })
    for (const time of [-1, 0.5, MAX_MICROS + 1, Number.NaN, Infinity, '5', null])
      expect(readCommand({ apportion: 1, type: 'seek', time })).toHaveProperty('problems')
  })

  test.each(['room', 'functions', 'constructor', '', 'Simulation', 5, ['threads']])(
    'to load starts no other engine: %j',
    (run) => {
      expect(readCommand({ apportion: 1, type: 'load', id: 2, scenario: 'bursts', run })).toMatchObject({
        id: 2,
        problems: [{ path: 'run' }],
      })
    },
  )

  test.each([
    [7, 7],
    [0, 0],
    [null, null],
    [-1, null],
    [1.5, null],
    ['7', null],
    [{}, null],
    [2 ** 60, null],
  ])('that is refused keeps its number if that is one: %j', (id, kept) => {
    expect(readCommand({ apportion: 1, type: 'fly', id })).toMatchObject({ id: kept, problems: [expect.anything()] })
  })

  test('that is none is refused without an error, whatever it is', () => {
    for (const data of [
      null,
      undefined,
      5,
      'x',
      [],
      [1],
      {},
      { apportion: {} },
      { apportion: 1, type: '__proto__' },
      { apportion: 1, type: ['play'] },
    ])
      expect(readCommand(data)).toMatchObject({
        id: null,
        problems: [expect.objectContaining({ message: expect.any(String) })],
      })
  })
})

describe('the address of a frame', () => {
  const read = (text: string) => readAttributes(new URLSearchParams(text))

  test.each([
    ['', null],
    ['run=', null],
    ['run=simulation', 'simulation'],
    ['run=threads', 'threads'],
    ['run=simulation&run=room', 'simulation'],
    ['lang=ru&lang=xx', null],
    ['theme=dark&lang=ru', null],
    ['theme=light&lang=en', null],
    ['lang=RU-ru', null],
    ['lang=en-GB', null],
    ['hide=everything&other=x', null],
  ])('may say %j', (text, run) => {
    expect(read(text)).toEqual({ run, problems: [] })
  })

  test.each([
    ['run=room', 'run'],
    ['run=Threads', 'run'],
    ['run=threads-x', 'run'],
    ['theme=Dark', 'theme'],
    ['theme=dark-x', 'theme'],
    ['theme=auto', 'theme'],
    ['theme=toString', 'theme'],
    ['lang=xx', 'lang'],
    ['lang=-ru', 'lang'],
  ])('may not say %j: that is reported at its place with what is allowed, and starts nothing', (text, path) => {
    expect(read(text)).toEqual({
      run: null,
      problems: [{ path, message: expect.stringMatching(/found ".*allowed: ".*" or "/) }],
    })
  })

  test('is reported as it is written', () => {
    for (const [key, given] of [
      ['lang', 'XX-YY'],
      ['theme', 'Dark'],
      ['run', 'ROOM'],
    ])
      expect(read(`${key}=${given}`).problems).toEqual([
        { path: key, message: expect.stringContaining(`found "${given}"; `) },
      ])
  })

  test('may be wrong in several places, each of which is named', () => {
    expect(read('run=x&theme=y&lang=z').problems.map(({ path }) => path)).toEqual(['run', 'theme', 'lang'])
  })
})
