// Types alone: what is built of this is one file, which shares nothing with the app.
import type { EmbedCommand, EmbedEngine, EmbedEvent, EmbedProblem } from './messages.ts'

type Sent = EmbedCommand extends infer Each ? (Each extends EmbedCommand ? Omit<Each, 'id'> : never) : never
interface Waiting {
  resolve(): void
  reject(error: Error): void
}

/** A problem that a method is refused with: all that is wrong, each with its place. */
class EmbedError extends Error {
  constructor(readonly problems: readonly EmbedProblem[]) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '))
  }
}

/**
 * `<apportion-embed scenario="…" run="simulation" hide="…" theme="…" height="400">`: Apportion in a frame of another page, fetched when it
 * is about to be seen. Events: ready, playing, paused, time, ended, decision, problem, each with what it tells as `detail`.
 */
export class ApportionEmbed extends HTMLElement {
  static readonly observedAttributes = ['scenario', 'run', 'hide', 'theme', 'lang', 'height']
  /** The folder that the app was put in. */
  static home = ''

  #frame: HTMLIFrameElement | null = null
  #ready: Promise<void> | null = null
  #settle: Waiting | null = null
  #waiting = new Map<number, Waiting>()
  #asked = 0
  #off = new AbortController()

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const frame = document.createElement('iframe')
    frame.loading = 'lazy'
    frame.allow = 'fullscreen'
    // Its own origin, or it could start no worker; it may open itself in another tab, and nothing else.
    for (const may of ['allow-scripts', 'allow-same-origin', 'allow-popups', 'allow-popups-to-escape-sandbox']) frame.sandbox.add(may)
    Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0', colorScheme: 'auto' })
    this.style.display = 'block'
    this.#frame = frame
    this.#off = new AbortController()
    addEventListener('message', (event) => this.#hear(event), { signal: this.#off.signal })
    this.#show()
    root.replaceChildren(frame)
  }

  disconnectedCallback(): void {
    this.#off.abort()
    this.#frame?.remove()
    this.#frame = null
    this.#ready = null
    this.#forget('the element was taken out of the page')
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || this.#frame === null) return
    if (name === 'height') this.#size()
    else this.#show()
  }

  /** Puts another scenario into the frame: a link from Share, JSON, or the name of an example. Rejects with what is wrong with it. */
  load(scenario: string | object, run: EmbedEngine | null = null): Promise<void> {
    return this.#say({ type: 'load', scenario: typeof scenario === 'string' ? scenario : JSON.stringify(scenario), run })
  }

  /** Goes on from where the playhead stands; from the beginning at the end; runs the scenario where it has not been run yet. */
  play(): Promise<void> {
    return this.#say({ type: 'play' })
  }

  pause(): Promise<void> {
    return this.#say({ type: 'pause' })
  }

  /** Puts the playhead at a time of the run, in microseconds. */
  seek(time: number): Promise<void> {
    return this.#say({ type: 'seek', time })
  }

  /** Loads the frame with what the attributes say. */
  #show(): void {
    const frame = this.#frame
    if (frame === null) return
    this.#forget('another scenario was put into the element')
    this.#ready = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // Nobody may be waiting for it.
    this.#ready.catch(() => {})
    const scenario = this.getAttribute('scenario') ?? ''
    const asked = new URLSearchParams({ embed: '', origin: location.origin })
    for (const name of ['run', 'hide', 'theme', 'lang']) if (this.hasAttribute(name)) asked.set(name, this.getAttribute(name) ?? '')
    const hash = scenario.indexOf('#')
    const fragment = scenario.startsWith('{') ? `#json=${encodeURIComponent(scenario)}` : hash < 0 ? '' : scenario.slice(hash)
    if (fragment === '' && scenario !== '') asked.set('scenario', scenario)
    frame.title = this.title || 'Apportion'
    frame.src = `${ApportionEmbed.home}?${asked}${fragment}`
    this.#size()
  }

  #size(): void {
    const height = this.getAttribute('height') ?? ''
    this.style.height = /^\d+$/.test(height) ? `${height}px` : '400px'
  }

  async #say(command: Sent): Promise<void> {
    const frame = this.#frame
    if (frame === null) throw new Error('the element is not in a page')
    // Whoever steers it will not wait until somebody scrolls there.
    frame.loading = 'eager'
    const ready = this.#ready
    await ready
    // Taken out, moved or given another scenario in the same breath: what is said to the frame now, nobody hears.
    if (this.#ready !== ready) throw new Error('the element was changed or taken out of the page meanwhile')
    const id = this.#asked++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      frame.contentWindow?.postMessage({ apportion: 1, ...command, id }, new URL(ApportionEmbed.home).origin)
    })
  }

  #hear({ source, origin, data }: MessageEvent<EmbedEvent & { readonly apportion: 1 }>): void {
    if (source !== this.#frame?.contentWindow || origin !== new URL(ApportionEmbed.home).origin || data?.apportion !== 1) return
    const { apportion: _, ...event } = data
    if (event.type === 'done' || (event.type === 'problem' && event.id !== null)) {
      const waiting = this.#waiting.get(event.id ?? -1)
      this.#waiting.delete(event.id ?? -1)
      if (event.type === 'done') {
        waiting?.resolve()
        return
      }
      waiting?.reject(new EmbedError(event.problems))
    }
    if (event.type === 'ready') this.#settle?.resolve()
    this.dispatchEvent(new CustomEvent(event.type, { detail: event }))
  }

  #forget(why: string): void {
    const error = new Error(why)
    this.#settle?.reject(error)
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
