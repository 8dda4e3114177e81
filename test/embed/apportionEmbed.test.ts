import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const APP = 'https://apportion.example'

/** As much of an element and its frame as `<apportion-embed>` uses. */
class MadeUpElement extends EventTarget {
  readonly style: Record<string, string> = {}
  title = ''
  shadowRoot: { replaceChildren(): void } | null = null
  readonly attributes = new Map<string, string>()
  attachShadow() {
    this.shadowRoot = { replaceChildren() {} }
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
  style: {},
  sandbox: new Set<string>(),
  loading: '',
  allow: '',
  src: '',
  title: '',
  contentWindow: { postMessage: vi.fn() },
  remove() {},
})

type Message = { readonly source: unknown; readonly origin: string; readonly data: unknown }

/** An element in a page, its frame, and a way to send it what any window may send. */
async function inPage(attributes: Readonly<Record<string, string>> = { scenario: 'worked-example' }) {
  const frame = madeUpFrame()
  const listeners: ((message: Message) => void)[] = []
  vi.stubGlobal('document', { createElement: () => frame })
  vi.stubGlobal('location', { origin: 'https://blog.example' })
  vi.stubGlobal('addEventListener', (_: string, listener: (message: Message) => void, { signal }: { signal: AbortSignal }) => {
    listeners.push(listener)
    signal.addEventListener('abort', () => listeners.splice(listeners.indexOf(listener), 1))
  })
  const { ApportionEmbed } = await import('../../src/embed/apportionEmbed.ts')
  ApportionEmbed.home = `${APP}/play/`
  const element = new ApportionEmbed()
  for (const [name, value] of Object.entries(attributes)) (element as unknown as MadeUpElement).attributes.set(name, value)
  element.connectedCallback()
  const heard: string[] = []
  for (const type of ['ready', 'playing', 'time', 'problem']) element.addEventListener(type, () => heard.push(type))
  const send = (data: unknown, source: unknown = frame.contentWindow, origin = APP) => {
    for (const listener of listeners) listener({ source, origin, data })
  }
  return { element, frame, heard, send, listeners, posted: frame.contentWindow.postMessage, ready: () => send({ apportion: 1, type: 'ready' }) }
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
  test('listens once while it is in a page, and not any more when it is taken out', async () => {
    const { element, listeners } = await inPage()
    expect(listeners).toHaveLength(1)
    element.disconnectedCallback()
    expect(listeners).toHaveLength(0)
    element.connectedCallback()
    expect(listeners).toHaveLength(1)
  })

  test('hears its own frame, and no other window, origin or kind of message', async () => {
    const { heard, send, ready } = await inPage()
    send({ apportion: 1, type: 'playing' }, { postMessage() {} })
    send({ apportion: 1, type: 'playing' }, null)
    send({ apportion: 1, type: 'playing' }, undefined, 'https://evil.example')
    send({ apportion: 2, type: 'playing' })
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
    expect([...frame.sandbox]).toEqual(['allow-scripts', 'allow-same-origin', 'allow-popups', 'allow-popups-to-escape-sandbox'])
    expect(frame.allow).toBe('fullscreen')
    expect(frame.loading).toBe('lazy')
  })

  test.each([
    [{ scenario: 'worked-example', run: 'threads' }, `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example&run=threads&scenario=worked-example`],
    [{ scenario: 'https://elsewhere.example/evil#s=1abc' }, `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example#s=1abc`],
    [{ scenario: '{"a":"&b#c"}' }, `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example#json=%7B%22a%22%3A%22%26b%23c%22%7D`],
    [{ theme: 'dark&run=threads' }, `${APP}/play/?embed=&origin=https%3A%2F%2Fblog.example&theme=dark%26run%3Dthreads`],
  ])('loads %j from the app, whatever stands in its attributes', async (attributes, address) => {
    const { frame } = await inPage(attributes as Readonly<Record<string, string>>)
    expect(frame.src).toBe(address)
  })

  test('takes a height in whole pixels, and says so of another', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { element, heard } = await inPage({ height: '320' })
    expect(element.style.height).toBe('320px')
    ;(element as unknown as MadeUpElement).attributes.set('height', '50%')
    element.attributeChangedCallback('height', '320', '50%')
    expect(element.style.height).toBe('400px')
    expect(heard).toEqual(['problem'])
    expect(warn).toHaveBeenCalledWith('apportion-embed: height: found "50%"; allowed: a whole number of pixels')
    warn.mockRestore()
  })
})
