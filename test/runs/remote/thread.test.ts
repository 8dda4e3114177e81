import { wrap } from 'comlink'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { liveness } from '../../../src/engine/threads/liveness.ts'
import { speak } from '../../../src/language/translate.ts'
import { openThread } from '../../../src/runs/remote/thread.ts'
import { ErrorEventHere, locksHere, workerHere } from './workersHere.ts'

let locks: ReturnType<typeof locksHere>
beforeEach(() => {
  locks = locksHere()
  vi.stubGlobal('navigator', { locks })
  vi.stubGlobal('ErrorEvent', ErrorEventHere)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  speak()
})

/** Functions of a thread that always work. */
const sound = { ...liveness, speak: () => {}, greet: () => 'hello', wait: () => new Promise<never>(() => {}) }

function opened(script: object | null, startLimit?: number) {
  const reasons: string[] = []
  const { worker, ended } = workerHere(script)
  const thread = openThread<typeof sound>(worker, (why) => reasons.push(why), startLimit)
  return { thread, worker, ended, reasons }
}

describe('a thread of the page', () => {
  test('answers, holds its lock, and is not reported when we end it', async () => {
    const { thread, reasons, ended } = opened(sound)
    expect(await thread.calls.ask(Infinity, () => thread.remote.greet())).toMatchObject({
      kind: 'answered',
      value: 'hello',
    })
    await expect.poll(() => locks.contested().length).toBe(1)
    const waits = thread.calls.ask(Infinity, () => thread.remote.wait())
    thread.end('not wanted')
    thread.end('nor wanted twice')
    expect(await waits).toEqual({ kind: 'gone', reason: 'not wanted' })
    locks.free(locks.contested()[0])
    expect([ended(), reasons]).toEqual([1, []])
  })

  test.each([
    ['breaks', new ErrorEventHere('no such luck'), 'a thread of the page broke: no such luck'],
    ['breaks without a word', new ErrorEventHere(''), 'a thread of the page broke'],
    ['cannot be loaded', new Event('error', { cancelable: true }), 'a thread of the page broke'],
    ['sends nonsense', new Event('messageerror'), 'a thread of the page broke'],
  ])('that %s is ended and told of once, and what was asked of it settles', async (_, event, words) => {
    const { thread, worker, reasons, ended } = opened(sound)
    const waits = thread.calls.ask(Infinity, () => thread.remote.wait())
    worker.dispatchEvent(event)
    expect(await waits).toEqual({ kind: 'gone', reason: words })
    expect(event.defaultPrevented).toBe(event.cancelable)
    worker.dispatchEvent(event)
    expect([reasons, ended()]).toEqual([[words], 1])
  })

  test('that ends by itself is reported', async () => {
    const { reasons, ended } = opened(sound)
    await expect.poll(() => locks.contested().length).toBe(1)
    expect(reasons).toEqual([])
    locks.free(locks.contested()[0])
    expect([reasons, ended()]).toEqual([['a thread of the page has ended'], 1])
  })

  test('has ten seconds to take its lock', async () => {
    const asked: unknown[] = []
    opened({ ...sound, live: (...words: unknown[]) => asked.push(words) > 9 })
    await expect.poll(() => asked).toEqual([[expect.stringMatching(/^apportion /), 10_000]])
  })

  test('uses the language of the page from its start, and reports errors in English', async () => {
    const received: string[] = []
    const catalogue = {
      locale: 'ru',
      messages: { 'a thread of the page broke': 'поток прислал нечитаемое' },
    }
    const script = {
      ...sound,
      speak: (message: unknown) => received.push(JSON.stringify(message)),
      answers: () => received.push('answers') > 0,
    }
    const { thread: english } = opened(script)
    await expect.poll(() => received).toEqual(['answers'])
    english.end('done')
    speak(catalogue)
    const { thread, worker, reasons } = opened(script)
    await expect.poll(() => received.slice(1)).toEqual([JSON.stringify(catalogue), 'answers'])
    const waits = thread.calls.ask(Infinity, () => thread.remote.wait())
    worker.dispatchEvent(new Event('messageerror'))
    expect(await waits).toEqual({ kind: 'gone', reason: 'поток прислал нечитаемое' })
    expect(reasons).toEqual(['a thread of the page broke'])
  })

  test('may call the lent functions until it ends', async () => {
    const calls: string[] = []
    const lent = { say: (word: string) => calls.push(word) }
    const { thread } = opened(sound)
    const port = thread.lend(lent)
    const theirs = wrap<typeof lent>(port)
    await theirs.say('one')
    const closed = new Promise((resolve) => port.addEventListener('close', resolve))
    thread.end('over')
    await closed
    expect(calls).toEqual(['one'])
  })
})

describe('a thread that never answers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  })

  test.each([
    [undefined, 30],
    [4_000_000, 4],
  ])('is given up after its limit: %s µs, %i s', async (limit, seconds) => {
    const before = vi.getTimerCount()
    const { reasons, ended } = opened(null, limit)
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    expect(reasons).toEqual([])
    await vi.advanceTimersByTimeAsync(1000)
    expect([reasons, ended()]).toEqual([['a thread of the page does not answer'], 1])
    expect(vi.getTimerCount()).toBe(before)
  })

  test('is no longer watched once it has answered or ended', async () => {
    const before = vi.getTimerCount()
    const { thread, reasons } = opened(sound)
    await thread.calls.ask(Infinity, () => thread.remote.greet())
    expect(vi.getTimerCount()).toBe(before)
    const mute = opened(null)
    expect(vi.getTimerCount()).toBe(before + 1)
    mute.thread.end('not wanted')
    expect([vi.getTimerCount(), reasons, mute.reasons]).toEqual([before, [], []])
    thread.end('done')
  })
})
