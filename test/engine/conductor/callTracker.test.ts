import { describe, expect, test } from 'vitest'
import { createCallTracker, createCappedClock } from '../../../src/engine/conductor/callTracker.ts'

const never = () => new Promise<number>(() => {})

describe('a line to another thread', () => {
  test('gives the answer, or the message of what was thrown', async () => {
    const line = createCallTracker()
    expect(await line.ask(1000, async () => 7)).toEqual({ kind: 'answered', value: 7, silence: 0 })
    expect(await line.ask(1000, () => Promise.reject(new Error('no')))).toEqual({ kind: 'threw', reason: 'no' })
    const cannotBeSent = () => {
      throw new TypeError('no clone')
    }
    expect(await line.ask(1000, cannotBeSent)).toEqual({ kind: 'threw', reason: 'no clone' })
  })

  test('settles an unanswered call when patience ends, and not before', async () => {
    const line = createCallTracker()
    let settled = false
    const answer = line.ask(1000, never).finally(() => {
      settled = true
    })
    line.tick(600)
    line.tick(400)
    await Promise.resolve()
    expect(settled).toBe(false)
    line.tick(1)
    expect(await answer).toEqual({ kind: 'silent' })
  })

  test('does not count silence for a call that waits behind another', async () => {
    const line = createCallTracker()
    let answerFirst = (_: number) => {}
    const first = line.ask(1000, () => new Promise<number>((resolve) => (answerFirst = resolve)))
    const second = line.ask(1000, never, true)
    line.tick(900)
    answerFirst(7)
    expect(await first).toEqual({ kind: 'answered', value: 7, silence: 900 })
    let settled = false
    void second.then(() => (settled = true))
    line.tick(900)
    await Promise.resolve()
    expect(settled).toBe(false)
    line.tick(101)
    expect(await second).toEqual({ kind: 'silent' })
  })

  test('settles every call when it is cut, and accepts no more', async () => {
    const line = createCallTracker()
    const calls = [line.ask(Infinity, never), line.ask(Infinity, never)]
    line.cut('crashed')
    line.cut('something else')
    let asked = false
    const later = line.ask(Infinity, async () => {
      asked = true
    })
    for (const answer of await Promise.all([...calls, later]))
      expect(answer).toEqual({ kind: 'gone', reason: 'crashed' })
    expect(asked).toBe(false)
  })

  test('ignores an answer that arrives too late', async () => {
    const line = createCallTracker()
    let answerLate = (_: number) => {}
    const answer = line.ask(
      1000,
      () =>
        new Promise<number>((resolve) => {
          answerLate = resolve
        }),
    )
    line.tick(2000)
    answerLate(1)
    expect(await answer).toEqual({ kind: 'silent' })
  })
})

test('a tick counts the time of the clock, but at most 250 ms, so that a sleeping laptop uses up no patience', () => {
  const tickOf = createCappedClock()
  expect([1000, 101_000, 8 * 3_600_000_000, 8 * 3_600_000_000 + 100_000, 5].map(tickOf)).toEqual([
    0, 100_000, 250_000, 100_000, 0,
  ])
})
