import { describe, expect, test } from 'vitest'
import { fileName } from '../../../../src/app/base/browser/files.ts'
import { allowedFiles, unreadableReason } from '../../../../src/app/share/files/input.ts'

test.each([
  ['Rush hour, 5x', 'rush-hour-5x.svg'],
  ['Очередь: обед', 'очередь-обед.svg'],
  ['昼の行列', '昼の行列.svg'],
  ['Café', 'café.svg'],
  ['../../etc', 'etc.svg'],
  ['', 'apportion.svg'],
  ['???', 'apportion.svg'],
  ['con', 'con-.svg'],
  ['\u202egnp', 'gnp.svg'],
])('a file is called by the letters and digits of the title, in any script: %s', (title, name) => {
  expect(fileName(title, '.svg')).toBe(name)
})

test('a file name is never longer than file systems allow, and ends with a whole letter', () => {
  const name = fileName('漢'.repeat(80), '.decisions.csv')
  expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255)
  expect(name).toMatch(/^漢+\.decisions\.csv$/)
})

const file = (name: string, bytes: readonly number[] | string, type = '') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

describe('a file that is dropped', () => {
  test.each([
    ['a picture', file('cat.png', [0x89, 0x50, 0x4e, 0x47, 0, 0], 'image/png'), 'cat.png is a file of the kind image'],
    ['a drawing, though that is text', file('a.svg', '<svg/>', 'image/svg+xml'), 'a.svg is a file of the kind image'],
    [
      'an archive',
      file('lines.jsonl.gz', [0x1f, 0x8b, 8, 0], 'application/gzip'),
      'lines.jsonl.gz is a file of the kind application/gzip',
    ],
    ['bytes that the browser has no name for', file('a.bin', [0xff, 0xd8, 0x31]), 'a.bin is no UTF-8 text'],
    ['text with a null in it', file('b.txt', 'a\0b', 'text/plain'), 'b.txt is no UTF-8 text'],
  ])('is refused if it is %s, with what is allowed', async (_, dropped, reason) => {
    expect(await unreadableReason(dropped)).toBe(`${reason}. Allowed: ${allowedFiles()}.`)
  })

  test('passes if it is text, under any name, also if the checked part ends within a character', async () => {
    expect(await unreadableReason(file('a.json', '{}', 'application/json'))).toBeNull()
    expect(await unreadableReason(file('notes', 'Grüße\n'))).toBeNull()
    expect(await unreadableReason(file('empty.txt', ''))).toBeNull()
    expect(await unreadableReason(file('long.txt', `x${'ü'.repeat(40_000)}`))).toBeNull()
  })
})
