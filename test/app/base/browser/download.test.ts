import { expect, test } from 'vitest'
import { fileName } from '../../../../src/app/base/browser/download.ts'

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

test('a file name is never longer than file systems take, and ends with a whole letter', () => {
  const name = fileName('漢'.repeat(80), '.decisions.csv')
  expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255)
  expect(name).toMatch(/^漢+\.decisions\.csv$/)
})
