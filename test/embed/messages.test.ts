import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embedderOrigin, isOurs, MAX_SCENARIO, readCommand } from '../../src/embed/messages.ts'

describe('a message from the page around', () => {
  test.each([
    [
      { apportion: 1, type: 'play' },
      { type: 'play', id: null },
    ],
    [
      { apportion: 1, type: 'pause', id: 7 },
      { type: 'pause', id: 7 },
    ],
    [
      { apportion: 1, type: 'seek', id: 0, time: 1_500_000 },
      { type: 'seek', id: 0, time: 1_500_000 },
    ],
    [
      { apportion: 1, type: 'load', scenario: '#s=1abc', run: 'threads' },
      { type: 'load', id: null, scenario: '#s=1abc', run: 'threads' },
    ],
    [
      { apportion: 1, type: 'load', scenario: 'log-lines' },
      { type: 'load', id: null, scenario: 'log-lines', run: null },
    ],
  ])('is read: %j', (message, command) => {
    expect(readCommand(message)).toEqual(command)
  })

  test.each([
    [{ apportion: 2, type: 'play', id: 3 }, 3, 'apportion'],
    [{ apportion: 1, type: 'fly' }, null, 'type'],
    [{ apportion: 1, type: 'toString' }, null, 'type'],
    [{ apportion: 1, type: 'play', time: 5 }, null, 'time'],
    [{ apportion: 1, type: 'play', id: -1 }, null, 'id'],
    [{ apportion: 1, type: 'play', id: '1' }, null, 'id'],
    [{ apportion: 1, type: 'seek', id: 4 }, 4, 'time'],
    [{ apportion: 1, type: 'seek', time: 1.5 }, null, 'time'],
    [{ apportion: 1, type: 'seek', time: Number.NaN }, null, 'time'],
    [{ apportion: 1, type: 'seek', time: -1 }, null, 'time'],
    [{ apportion: 1, type: 'seek', time: 2 ** 52 }, null, 'time'],
    [{ apportion: 1, type: 'load', id: 9, scenario: {} }, 9, 'scenario'],
    [{ apportion: 1, type: 'load', scenario: '' }, null, 'scenario'],
    [{ apportion: 1, type: 'load', scenario: 'x'.repeat(MAX_SCENARIO + 1) }, null, 'scenario'],
    [{ apportion: 1, type: 'load', scenario: '{}', run: 'both' }, null, 'run'],
  ])('is refused with its place, and with its number where it has one: case %#', (message, id, path) => {
    const read = readCommand(message)
    expect(read).toMatchObject({ id, problems: [{ path }] })
  })

  test('of whatever kind is either read whole or refused in few words', () => {
    const value = fc.oneof(
      fc.anything(),
      fc.constantFrom(1, 2, 'load', 'play', 'seek', 'listen', 'threads', '__proto__', Number.MAX_VALUE, -0, null, undefined),
      fc.maxSafeInteger(),
    )
    const key = fc.constantFrom('apportion', 'type', 'id', 'time', 'scenario', 'run', '__proto__', 'constructor')
    const message = fc.oneof(
      fc.anything(),
      fc.array(fc.tuple(key, value)).map((pairs) => Object.fromEntries(pairs)),
      fc.record({ apportion: fc.constant(1), type: value, id: value, time: value, scenario: value, run: value }, { requiredKeys: ['apportion'] }),
    )
    fc.assert(
      fc.property(message, (data) => {
        const read = readCommand(data)
        if ('problems' in read) {
          expect(JSON.stringify(read).length).toBeLessThan(400)
          return
        }
        expect(isOurs(data)).toBe(true)
        expect(read.id === null || Number.isSafeInteger(read.id)).toBe(true)
        if (read.type === 'seek') expect(read.time >= 0 && read.time < 2 ** 52 && Number.isInteger(read.time)).toBe(true)
        if (read.type === 'load') expect(read.scenario.length > 0 && read.scenario.length <= MAX_SCENARIO).toBe(true)
      }),
      { numRuns: 3000, seed: 20_261_121 },
    )
  })
})

describe('the page around', () => {
  test.each([
    ['named in the address of the frame, is that one', 'https://blog.example', 'https://other.example', 'https://third.example/post', 'https://blog.example'],
    ['named with a path, is its origin', 'https://blog.example/post?x#y', undefined, '', 'https://blog.example'],
    ['not named, is what the browser tells', null, 'https://blog.example', '', 'https://blog.example'],
    ['not told of, is who referred here', null, undefined, 'https://blog.example:8443/post', 'https://blog.example:8443'],
    ['that is a file, is nobody', null, 'null', '', null],
    ['named in nonsense, is nobody, whoever it really is', '*', 'https://blog.example', 'https://blog.example/', null],
    ['named as a script, is nobody', 'javascript:alert(1)', undefined, '', null],
    ['of which nothing is known, is nobody', null, undefined, '', null],
  ])('%s', (_, asked, ancestor, referrer, origin) => {
    expect(embedderOrigin(asked, ancestor, referrer)).toBe(origin)
  })
})
