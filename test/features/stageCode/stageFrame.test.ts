import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { threadText } from '../../../src/features/stageCode/threads/prelude.ts'
import { openStageFrame } from '../../../src/features/stageCode/threads/stageFrame.ts'

/** A frame in the made-up document, as far as the page sets it up. */
interface Frame {
  readonly attributes: Record<string, string>
  readonly style: Record<string, string>
  src: string
  title: string
  tabIndex: number
  ariaHidden: string
  readonly contentWindow: { readonly postMessage: ReturnType<typeof vi.fn> }
}

let shown: Frame[]
let listeners: Set<(event: { source: unknown; data: unknown }) => void>
let answers: { readonly policy: string | null } | Error | Promise<never>
let asked: string[]

beforeEach(() => {
  shown = []
  listeners = new Set()
  answers = { policy: null }
  asked = []
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.stubGlobal('document', {
    createElement(tag: string) {
      expect(tag).toBe('iframe')
      const frame = {
        ...{
          attributes: {},
          style: {},
          src: '',
          title: '',
          tabIndex: 0,
          ariaHidden: '',
          contentWindow: { postMessage: vi.fn() },
        },
        setAttribute: (name: string, value: string) => Object.assign(frame.attributes, { [name]: value }),
        remove: () => {
          shown = shown.filter((each) => each !== frame)
        },
      }
      return frame
    },
    body: { append: (frame: Frame) => shown.push(frame) },
  })
  vi.stubGlobal('addEventListener', (type: string, call: never) => type === 'message' && listeners.add(call))
  vi.stubGlobal('removeEventListener', (type: string, call: never) => type === 'message' && listeners.delete(call))
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    const answer = await answers
    if (answer instanceof Error) throw answer
    return { headers: new Headers(answer.policy === null ? {} : { 'Content-Security-Policy': answer.policy }) }
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const say = (source: unknown, data: unknown = 'apportion-stage') => {
  for (const hear of [...listeners]) hear({ source, data })
}
const sandboxed = "sandbox allow-scripts; default-src 'none'"

/** Opens a frame. `state` is what became of it. */
function opening(address?: string) {
  const outcome: { threads?: Awaited<ReturnType<typeof openStageFrame>>; error?: unknown } = {}
  openStageFrame(address).then(
    (threads) => Object.assign(outcome, { threads }),
    (error: unknown) => Object.assign(outcome, { error }),
  )
  return outcome
}
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** What comes through a port, in its order. */
function heardOn(port: MessagePort) {
  const heard: unknown[] = []
  let wake = () => {}
  port.onmessage = ({ data }) => {
    heard.push(data)
    wake()
  }
  return async () => {
    while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return heard.shift()
  }
}

/** The other end of the last port that a frame was given, and what comes there. */
function insideOf({ postMessage }: Frame['contentWindow']) {
  const port: MessagePort = postMessage.mock.calls.at(-1)?.[2][0]
  return { port, next: heardOn(port) }
}

describe('the frame for the code of stages', () => {
  test('has no origin: it may run scripts and nothing else. It cannot be seen or reached by keys, and is not hidden', () => {
    opening()
    expect(shown).toHaveLength(1)
    const [{ attributes, src, tabIndex, ariaHidden, title, style }] = shown
    expect([attributes, src, tabIndex, ariaHidden]).toEqual([{ sandbox: 'allow-scripts' }, 'stage.html?1', -1, 'true'])
    expect(title).toBe('Threads for the code of stages')
    expect(style).toMatchObject({ position: 'fixed', width: '1px', height: '1px', opacity: '0', pointerEvents: 'none' })
    expect([style.display, style.visibility]).toEqual([undefined, undefined])
  })

  test('is open when it says so itself: words of others, and other words, count nothing', async () => {
    const outcome = opening()
    const [{ contentWindow }] = shown
    for (const [source, data] of [
      [null, 'apportion-stage'],
      [undefined, 'apportion-stage'],
      [{}, 'apportion-stage'],
      [contentWindow, 'apportion'],
      [contentWindow, ['apportion-stage']],
      [contentWindow, { toString: () => 'apportion-stage' }],
    ])
      say(source, data)
    await pass(0)
    expect([outcome, listeners.size]).toEqual([{}, 1])
    say(contentWindow)
    await pass(0)
    // Nothing listens or ticks any more.
    expect([Object.keys(outcome), listeners.size, vi.getTimerCount(), shown.length]).toEqual([['threads'], 0, 0, 1])
  })

  test('gets for each port the text of a thread and the other end, until it is thrown away', async () => {
    const outcome = opening()
    const [{ contentWindow }] = shown
    say(contentWindow)
    await pass(0)
    const port = outcome.threads?.port() as MessagePort
    await pass(0)
    expect(contentWindow.postMessage.mock.calls).toEqual([[{ thread: threadText }, '*', [expect.any(MessagePort)]]])
    const inside = insideOf(contentWindow)
    const next = heardOn(port)
    port.postMessage({ start: 3 })
    inside.port.postMessage({ thread: 3, words: 'hello' })
    expect([await next(), await inside.next()]).toEqual([{ thread: 3, words: 'hello' }, { start: 3 }])
    for (const each of [port, inside.port]) each.close()
    outcome.threads?.close()
    await pass(0)
    expect(shown).toEqual([])
  })

  test('is shown again where the conductor says that it is gone, and gets the next orders; the conductor keeps its port', async () => {
    const outcome = opening()
    const [first] = shown
    say(first.contentWindow)
    await pass(0)
    const port = outcome.threads?.port() as MessagePort
    const next = heardOn(port)
    port.postMessage({ start: 0 })
    port.postMessage({ gone: true })
    port.postMessage({ start: 1 })
    await vi.waitUntil(() => shown[0] !== first, 300_000)
    expect(shown).toHaveLength(1)
    say(shown[0].contentWindow)
    await pass(0)
    const [before, now] = [insideOf(first.contentWindow), insideOf(shown[0].contentWindow)]
    now.port.postMessage({ thread: 1, words: 'here' })
    expect([await next(), await before.next(), await now.next()]).toEqual([
      { thread: 1, words: 'here' },
      { start: 0 },
      { start: 1 },
    ])
    outcome.threads?.close()
    port.postMessage({ gone: true })
    port.postMessage({ start: 2 })
    expect([await now.next(), shown]).toEqual([{ start: 2 }, []])
    for (const each of [port, before.port, now.port]) each.close()
  })

  test('that is gone and is not shown again in time refuses each thread in words', async () => {
    const outcome = opening()
    say(shown[0].contentWindow)
    await pass(0)
    const port = outcome.threads?.port() as MessagePort
    const next = heardOn(port)
    const [first] = shown
    for (const order of [{ gone: true }, { start: 1 }, { end: 1 }, { start: 2 }]) port.postMessage(order)
    await vi.waitUntil(() => shown[0] !== first, 300_000)
    await pass(10_000)
    for (const thread of [1, 2])
      expect(await next()).toEqual({
        thread,
        words: expect.stringContaining('starts no threads for the code of stages'),
      })
    outcome.threads?.close()
    port.close()
  })

  test('that does not answer within half a second is asked for again without its attribute, if it is served without an origin', async () => {
    answers = { policy: sandboxed }
    const outcome = opening('own.html')
    await pass(499)
    expect([asked, shown.length]).toEqual([[], 1])
    await pass(1)
    expect(asked).toEqual(['own.html'])
    expect(shown.map(({ src, attributes }) => [src, attributes])).toEqual([
      ['own.html', { sandbox: 'allow-scripts' }],
      ['own.html', {}],
    ])
    await pass(1000)
    expect([asked.length, shown.length]).toEqual([1, 2])
    const [, second] = shown
    say(second.contentWindow)
    await pass(0)
    // The first one is thrown away.
    expect([Object.keys(outcome), shown]).toEqual([['threads'], [second]])
  })

  test.each<[string, typeof answers]>([
    ['is served without a policy', { policy: null }],
    ['may have an origin', { policy: 'sandbox allow-scripts allow-same-origin; x' }],
    ['has a sandbox only somewhere in its policy', { policy: `default-src 'none'; ${sandboxed}` }],
    ['cannot be fetched', new Error('offline')],
  ])('is not asked for again if it %s', async (_, policy) => {
    answers = policy
    const outcome = opening()
    await pass(1900)
    expect([asked.length, shown.length, outcome]).toEqual([1, 1, {}])
  })

  test('that does not answer within ten seconds is given up: both frames are thrown away, and the page says what to do', async () => {
    answers = { policy: sandboxed }
    const outcome = opening()
    await pass(9999)
    expect([outcome, shown.length]).toEqual([{}, 2])
    const [{ contentWindow }] = shown
    await pass(1)
    expect(String(outcome.error)).toMatch(/This browser starts no threads for the code of stages.*Use another browser/)
    expect([shown, listeners.size, vi.getTimerCount()]).toEqual([[], 0, 0])
    // Too late.
    say(contentWindow)
    await pass(3000)
    expect(outcome.threads).toBeUndefined()
  })

  test.each([
    ['has been given up', (_: Frame) => pass(10_000)],
    [
      'has answered',
      async ({ contentWindow }: Frame) => {
        say(contentWindow)
        await pass(0)
      },
    ],
  ])('is not asked for again after it %s, however late its policy is known', async (_, settle) => {
    let know = () => {}
    vi.stubGlobal('fetch', async () => {
      await new Promise<void>((resolve) => (know = resolve))
      return { headers: new Headers({ 'Content-Security-Policy': sandboxed }) }
    })
    opening()
    const [first] = shown
    await pass(600)
    await settle(first)
    const before = [...shown]
    know()
    await pass(0)
    expect(shown).toEqual(before)
  })
})
