import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const APP = 'https://apportion.example'

/** As much of an element and its frame as `<apportion-embed>` uses. */
class MadeUpElement extends EventTarget {
  readonly style: Record<string, string> = {}
  title = ''
  shadowRoot: { replaceChildren(...children: readonly unknown[]): void } | null = null
  readonly shown: unknown[] = []
  readonly modes: string[] = []
  /** The addresses that frames had when they were put into the page. */
  readonly addresses: string[] = []
  readonly attributes = new Map<string, string>()
  attachShadow({ mode }: { readonly mode: string }) {
    if (this.shadowRoot !== null) throw new Error('an element has one shadow root')
    this.modes.push(mode)
    this.shadowRoot = {
      replaceChildren: (...children) => {
        this.shown.splice(0, Infinity, ...children)
        this.addresses.push(...children.map((child) => (child as HTMLIFrameElement).src))
      },
    }
    return this.shadowRoot
  }
  getAttribute(name: string) {
    return this.attributes.get(name) ?? null
  }
  hasAttribute(name: string) {
    return this.attributes.has(name)
  }
}

const madeUpFrame = () => ({
  style: {} as Record<string, string>,
  sandbox: new Set<string>(),
  loading: '',
  allow: '',
  src: '',
  title: '',
  contentWindow: { postMessage: vi.fn() },
  remove: vi.fn(),
})

type Message = { readonly source: unknown; readonly origin: string; readonly data: unknown }

/** An element in a page, its frame, and a way to send it what any window may send. */
async function inPage(attributes: Readonly<Record<string, string>> = { scenario: 'worked-example' }) {
  const frame = madeUpFrame()
  const listeners: ((message: Message) => void)[] = []
  vi.stubGlobal('document', { createElement: () => frame })
  vi.stubGlobal('location', { origin: 'https://blog.example' })
  vi.stubGlobal(
    'addEventListener',
    (_: string, listener: (message: Message) => void, { signal }: { signal: AbortSignal }) => {
      listeners.push(listener)
      signal.addEventListener('abort', () => listeners.splice(listeners.indexOf(listener), 1))
    },
  )
  const { ApportionEmbed } = await import('../../src/embed/apportionEmbed.ts')
  ApportionEmbed.home = `${APP}/play/`
  const element = new ApportionEmbed()
  for (const [name, value] of Object.entries(attributes))
    (element as unknown as MadeUpElement).attributes.set(name, value)
  element.connectedCallback()
  const heard: string[] = []
  const details: unknown[] = []
  for (const type of ['ready', 'playing', 'time', 'problem']) {
    element.addEventListener(type, (event) => {
      heard.push(type)
      details.push((event as CustomEvent).detail)
    })
  }
  const send = (data: unknown, source: unknown = frame.contentWindow, origin = APP) => {
    for (const listener of listeners) listener({ source, origin, data })
  }
  return {
    element,
    made: element as unknown as MadeUpElement,
    frame,
    heard,
    details,
    send,
    listeners,
    posted: frame.contentWindow.postMessage,
    ready: () => send({ apportion: 1, type: 'ready' }),
  }
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('HTMLElement', MadeUpElement)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const turn = () => new Promise((resolve) => setTimeout(resolve))

describe('the element around a frame', { timeout: 60_000 }, () => {
  test('hears its own frame, and no other window, origin or kind of message', async () => {
    const { heard, send, ready } = await inPage()
    send({ apportion: 1, type: 'playing' }, { postMessage() {} })
    send({ apportion: 1, type: 'playing' }, null)
    send({ apportion: 1, type: 'playing' }, undefined, 'https://evil.example')
    for (const near of [
      APP.slice(0, -1),
      `${APP}:444`,
      `${APP}.evil.example`,
      APP.replace('https', 'http'),
      `${APP}/`,
      'https://',
      '',
      'null',
    ])
      send({ apportion: 1, type: 'playing' }, undefined, near)
    send({ apportion: 2, type: 'playing' })
    send({ apportion: '1', type: 'playing' })
    send({ type: 'playing' })
    send('playing')
    send(null)
    expect(heard).toEqual([])
    ready()
    send({ apportion: 1, type: 'playing' })
    expect(heard).toEqual(['ready', 'playing'])
  })

  test('sends commands to the origin of the app alone, once its page is there', async () => {
    const { element, frame, posted, ready, send } = await inPage()
    const sought = element.seek(2500)
    await turn()
    expect(posted).not.toHaveBeenCalled()
    // Its page must not wait until a person scrolls to the frame.
    expect(frame.loading).toBe('eager')
    ready()
    await turn()
    expect(posted.mock.calls).toEqual([[{ apportion: 1, type: 'seek', time: 2500, id: 0 }, APP]])
    send({ apportion: 1, type: 'done', id: 0 })
    await sought
  })

  test('rejects a command with its problems, and each by its own number', async () => {
    const { element, ready, send, heard } = await inPage()
    ready()
    const first = element.load({ version: 1 })
    const second = element.play()
    await turn()
    send({ apportion: 1, type: 'done', id: 1 })
    send({
      apportion: 1,
      type: 'problem',
      id: 0,
      problems: [
        { path: 'stages', message: 'is missing' },
        { path: '', message: 'nothing was opened' },
      ],
    })
    await second
    await expect(first).rejects.toThrow('stages: is missing; nothing was opened')
    expect(heard).toEqual(['ready', 'problem'])
  })

  test('rejects what waits when it is taken out of the page or shows another scenario', async () => {
    const { element, ready } = await inPage()
    const early = element.play()
    element.attributeChangedCallback('scenario', 'a', 'b')
    await expect(early).rejects.toThrow('another scenario was put into the element')
    ready()
    const under = element.play()
    await turn()
    element.disconnectedCallback()
    await expect(under).rejects.toThrow('the element was taken out of the page')
    await expect(element.play()).rejects.toThrow('the element is not in a page')
  })

  test('sends no command to a page that came in the place of the one it was for', async () => {
    const { element, posted, ready } = await inPage()
    ready()
    const late = element.play()
    element.attributeChangedCallback('scenario', 'a', 'b')
    await expect(late).rejects.toThrow(/meanwhile/)
    expect(posted).not.toHaveBeenCalled()
  })

  test('lets the frame run scripts of its own origin and open itself in a tab, and nothing else', async () => {
    const { frame } = await inPage()
    expect([...frame.sandbox]).toEqual([
      'allow-scripts',
      'allow-same-origin',
      'allow-popups',
      'allow-popups-to-escape-sandbox',
    ])
    expect(frame.allow).toBe('fullscreen')
    expect(frame.loading).toBe('lazy')
  })

  test.each([
    [
      { scenario: 'worked-example', run: 'threads' },
      `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example&run=threads&scenario=worked-example`,
    ],
    [
      { scenario: 'https://elsewhere.example/evil#s=1abc' },
      `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example#s=1abc`,
    ],
    [{ scenario: '#s=1abc' }, `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example#s=1abc`],
    [
      { scenario: '{"a":"&b#c"}' },
      `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example#json=%7B%22a%22%3A%22%26b%23c%22%7D`,
    ],
    [{ theme: 'dark&run=threads' }, `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example&theme=dark%26run%3Dthreads`],
  ])('loads %j from the app, whatever stands in its attributes', async (attributes, address) => {
    const { frame } = await inPage(attributes as Readonly<Record<string, string>>)
    expect(frame.src).toBe(address)
  })

  test('takes a height in whole pixels, and says so of another', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { element, heard, details } = await inPage({ height: '320' })
    expect(element.style.height).toBe('320px')
    ;(element as unknown as MadeUpElement).attributes.set('height', '50%')
    element.attributeChangedCallback('height', '320', '50%')
    expect(element.style.height).toBe('400px')
    expect(heard).toEqual(['problem'])
    expect(details).toEqual([
      {
        type: 'problem',
        id: null,
        problems: [{ path: 'height', message: 'found "50%"; allowed: a whole number of pixels' }],
      },
    ])
    expect(warn).toHaveBeenCalledWith('apportion-embed: height: found "50%"; allowed: a whole number of pixels')
    warn.mockRestore()
  })

  test('hears its frame again after it was moved, until it is taken out for good', async () => {
    const { element, heard, send, listeners } = await inPage()
    for (let moves = 1; moves <= 3; moves++) {
      element.disconnectedCallback()
      send({ apportion: 1, type: 'playing' })
      element.connectedCallback()
      expect(listeners).toHaveLength(1)
      send({ apportion: 1, type: 'playing' })
      expect(heard).toHaveLength(moves)
    }
    element.disconnectedCallback()
    expect(listeners).toEqual([])
  })

  test('follows each of its attributes, and nothing else', async () => {
    const { ApportionEmbed } = await import('../../src/embed/apportionEmbed.ts')
    expect([...ApportionEmbed.observedAttributes].sort()).toEqual([
      'height',
      'hide',
      'lang',
      'run',
      'scenario',
      'theme',
    ])
    const all = {
      scenario: 'bursts',
      run: 'threads',
      hide: 'run,link',
      theme: 'dark',
      lang: 'ru',
      height: '300',
      onload: 'alert(1)',
    }
    const { frame } = await inPage(all)
    const { searchParams } = new URL(frame.src)
    expect([...searchParams].sort()).toEqual(
      Object.entries({
        embed: '',
        origin: 'https://blog.example',
        scenario: 'bursts',
        run: 'threads',
        hide: 'run,link',
        theme: 'dark',
        lang: 'ru',
      }).sort(),
    )
  })

  test('without a scenario asks for none', async () => {
    const { frame, made } = await inPage({})
    expect(frame.src).toBe(`${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example`)
    expect([frame.title, made.style.height]).toEqual(['Apportion', '400px'])
  })

  test('passes on an attribute that is there and empty, and takes text as JSON by its first character alone', async () => {
    expect((await inPage({ scenario: 'a{b', hide: '' })).frame.src).toBe(
      `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example&hide=&scenario=a%7Bb`,
    )
  })

  test('loads its page again if an attribute changes, but neither for a height nor for the same value nor out of a page', async () => {
    const { element, made, frame, ready } = await inPage({ scenario: 'bursts' })
    ready()
    frame.src = 'untouched'
    element.attributeChangedCallback('scenario', 'bursts', 'bursts')
    made.attributes.set('height', '250')
    element.attributeChangedCallback('height', null, '250')
    expect([frame.src, made.style.height]).toEqual(['untouched', '250px'])
    made.attributes.set('theme', 'dark')
    element.attributeChangedCallback('theme', null, 'dark')
    expect(frame.src).toContain('&theme=dark&scenario=bursts')
    expect(made.style.height).toBe('250px')
    element.disconnectedCallback()
    frame.src = 'gone'
    element.attributeChangedCallback('theme', 'dark', 'light')
    expect(frame.src).toBe('gone')
  })

  test('takes the title of the element for its frame', async () => {
    const { element, made, frame } = await inPage()
    expect(frame.title).toBe('Apportion')
    made.title = 'Rush hour'
    element.attributeChangedCallback('scenario', 'a', 'b')
    expect(frame.title).toBe('Rush hour')
  })

  test.each(['50%', '1e3', '-5', '4 00', '', '400px'])('refuses the height %j', async (height) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { made } = await inPage({ height })
    expect([made.style.height, warn.mock.calls.length]).toEqual(['400px', 1])
    warn.mockRestore()
  })

  test('sends a text as it is, an object as JSON, and the engine that is asked for', async () => {
    const { element, ready, posted, send } = await inPage()
    ready()
    const all = [
      element.load('#s=1abc'),
      element.load({ version: 1 }, 'threads'),
      element.play(),
      element.pause(),
      element.seek(5),
    ]
    await turn()
    expect(posted.mock.calls.map(([message]) => message)).toEqual([
      { apportion: 1, id: 0, type: 'load', scenario: '#s=1abc', run: null },
      { apportion: 1, id: 1, type: 'load', scenario: '{"version":1}', run: 'threads' },
      { apportion: 1, id: 2, type: 'play' },
      { apportion: 1, id: 3, type: 'pause' },
      { apportion: 1, id: 4, type: 'seek', time: 5 },
    ])
    for (const id of [4, 2, 0, 3, 1]) send({ apportion: 1, type: 'done', id })
    await Promise.all(all)
  })

  test('is ready only when its page says so', async () => {
    const { element, send, posted } = await inPage()
    void element.play().catch(() => {})
    for (const type of ['playing', 'time', 'problem', 'done']) send({ apportion: 1, type, id: null, problems: [] })
    await turn()
    expect(posted).not.toHaveBeenCalled()
  })

  test('tells a problem that belongs to no command, which rejects none', async () => {
    const { element, ready, send, details } = await inPage()
    ready()
    let settled = false
    const played = element.play().finally(() => (settled = true))
    await turn()
    send({ apportion: 1, type: 'problem', id: null, problems: [{ path: 'a', message: 'b' }] })
    send({ apportion: 1, type: 'done', id: 99 })
    send({ apportion: 1, type: 'done', id: null })
    send({ apportion: 1, type: 'done' })
    await turn()
    expect(settled).toBe(false)
    // The mark of the message stays behind.
    expect(details).toEqual([{ type: 'ready' }, { type: 'problem', id: null, problems: [{ path: 'a', message: 'b' }] }])
    send({ apportion: 1, type: 'done', id: 0 })
    await played
  })

  test('rejects with the problems themselves, for a program to read', async () => {
    const { element, ready, send } = await inPage()
    ready()
    const played = element.play()
    await turn()
    const problems = [{ path: 'type', message: 'not now' }]
    send({ apportion: 1, type: 'problem', id: 0, problems })
    await expect(played).rejects.toMatchObject({ problems, message: 'type: not now' })
  })

  test('taken out of a page without a command waiting leaves no rejection unheard', async () => {
    const unheard = vi.fn()
    process.on('unhandledRejection', unheard)
    const { element } = await inPage()
    element.attributeChangedCallback('scenario', 'a', 'b')
    element.disconnectedCallback()
    await turn()
    process.off('unhandledRejection', unheard)
    expect(unheard).not.toHaveBeenCalled()
  })
})
