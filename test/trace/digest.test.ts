import { expect, test } from 'vitest'
import { createDigest, digestInSteps, digestOf } from '../../src/trace/digest.ts'
import { madeUpTrace } from './madeUpTrace.ts'

test('a digest is the same in steps of any size, with a pause between two of them', () => {
  const trace = madeUpTrace(10)
  for (const [size, pauses] of [
    [1, 9],
    [3, 3],
    [5, 1],
    [10, 0],
    [99, 0],
  ]) {
    const steps = digestInSteps(trace, size)
    let paused = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) paused++
    expect([step.value, paused], `steps of ${size}`).toEqual([digestOf(trace), pauses])
  }
})

test('a digest is two lanes of FNV-1a', () => {
  /** In whole numbers without bounds. */
  const plain = (words: readonly number[]) => {
    let [a, b] = [0x811c9dc5n, 0x9e3779b9n]
    for (const word of words.map((each) => BigInt.asUintN(32, BigInt(each)))) {
      a = BigInt.asUintN(32, (a ^ word) * 0x01000193n)
      b = BigInt.asUintN(32, (b ^ word) * 0x85ebca6bn)
      b ^= b >> 13n
    }
    return [a, b].map((lane) => lane.toString(16).padStart(8, '0')).join('')
  }
  const words = [0, 1, 0xffffffff, 12, 13, 14, 400, 77]
  for (let count = 0; count <= words.length; count++) {
    const digest = createDigest()
    for (const word of words.slice(0, count)) digest.mix(word)
    expect(digest.toString()).toBe(plain(words.slice(0, count)))
  }
  const time = createDigest()
  time.mixTime(5 * 2 ** 32 + 9)
  expect(time.toString()).toBe(plain([9, 5]))
})
