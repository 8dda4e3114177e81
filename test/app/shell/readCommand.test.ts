import { describe, expect, test } from 'vitest'
import { readCommand } from '../../../src/app/shell/embed/readCommand.ts'
import { MAX_TEXT } from '../../../src/scenario/model/limits.ts'

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
    expect(readCommand(message)).toEqual({ apportion: 1, ...command })
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
    [{ apportion: 1 }, null, 'type'],
    [{ apportion: 1, type: 'load', scenario: 'x'.repeat(MAX_TEXT + 1) }, null, 'scenario'],
    [{ apportion: 1, type: 'load', scenario: '{}', run: 'both' }, null, 'run'],
  ])('is refused with its place, and with its number where it has one: case %#', (message, id, path) => {
    const read = readCommand(message)
    expect(read).toMatchObject({ id, problems: [{ path }] })
  })
})
