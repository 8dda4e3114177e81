// Only types, so that the element is built as one small file that shares nothing with the app.
import type { EmbedCommand, EmbedEngine, EmbedEvent, EmbedProblem } from './messages.ts'

type CommandWithoutId = EmbedCommand extends infer Each ? (Each extends EmbedCommand ? Omit<Each, 'id'> : never) : never
/** The events of the element before those of any other. */
type Listening<Own> = (<K extends EmbedEvent['type']>(
  type: K,
  listener: (event: CustomEvent<EmbedEvent & { readonly type: K }>) => void,
) => void) &
  Own
type PendingReply = { resolve(): void; reject(error: Error): void }

/** The error that a refused command rejects with: each problem, and its place. */
class EmbedError extends Error {
  constructor(readonly problems: readonly EmbedProblem[]) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '))
  }
}

/** A page may be made on a server, where there are no elements. */
const ElementHere: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/** `<apportion-embed scenario=… run=… hide=… theme=… height=…>`: Apportion in a frame, loaded when nearly visible. An event's `detail` is its message. */
export class ApportionEmbed extends ElementHere {
  static readonly observedAttributes = ['scenario', 'run', 'hide', 'theme', 'lang', 'height']
  /** The address of the folder of the app. */
  static home = ''

  declare addEventListener: Listening<HTMLElement['addEventListener']>
  declare removeEventListener: Listening<HTMLElement['removeEventListener']>
  #frame: HTMLIFrameElement | null = null
  #ready: Promise<void> | null = null
  #whenReady: PendingReply | null = null
  #pending = new Map<number, PendingReply>()
  #nextId = 0
  #listening = new AbortController()

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const frame = document.createElement('iframe')
    frame.loading = 'lazy'
    frame.allow = 'fullscreen'
    // Without its own origin it could not start workers. It may also open itself in another tab.
    for (const may of ['allow-scripts', 'allow-same-origin', 'allow-popups', 'allow-popups-to-escape-sandbox'])
      frame.sandbox.add(may)
    Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0', colorScheme: 'auto' })
    this.style.display = 'block'
    this.#frame = frame
    this.#listening = new AbortController()
    addEventListener('message', (event) => this.#receive(event), { signal: this.#listening.signal })
    this.#load()
    root.replaceChildren(frame)
  }

  disconnectedCallback(): void {
    this.#listening.abort()
    this.#frame?.remove()
    this.#frame = null
    this.#ready = null
    this.#rejectAll('the element was taken out of the page')
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || this.#frame === null) return
    if (name === 'height') this.#applyHeight()
    else this.#load()
  }

  /** Opens another scenario: a link from Share, JSON, or the name of an example. Rejects with its problems. */
  load(scenario: string | object, run: EmbedEngine | null = null): Promise<void> {
    return this.#send({
      type: 'load',
      scenario: typeof scenario === 'string' ? scenario : JSON.stringify(scenario),
      run,
    })
  }

  /** Plays on from the playhead, or from the beginning if it is at the end. Runs the scenario first if it has no run yet. */
  play(): Promise<void> {
    return this.#send({ type: 'play' })
  }

  pause(): Promise<void> {
    return this.#send({ type: 'pause' })
  }

  /** Moves the playhead to a time of the run, in microseconds. */
  seek(time: number): Promise<void> {
    return this.#send({ type: 'seek', time })
  }

  /** Loads the frame by the attributes. */
  #load(): void {
    const frame = this.#frame
    if (frame === null) return
    this.#rejectAll('another scenario was put into the element')
    this.#ready = new Promise((resolve, reject) => {
      this.#whenReady = { resolve, reject }
    })
    // Perhaps no caller waits for it.
    this.#ready.catch(() => {})
    const scenario = this.getAttribute('scenario') ?? ''
    const parameters = new URLSearchParams({ embed: '', origin: location.origin })
    for (const name of ['run', 'hide', 'theme', 'lang'])
      if (this.hasAttribute(name)) parameters.set(name, this.getAttribute(name) ?? '')
    const hash = scenario.indexOf('#')
    const fragment = scenario.startsWith('{')
      ? `#json=${encodeURIComponent(scenario)}`
      : hash < 0
        ? ''
        : scenario.slice(hash)
    if (fragment === '' && scenario !== '') parameters.set('scenario', scenario)
    frame.title = this.title || 'Apportion'
    frame.src = `${ApportionEmbed.home}?${parameters}${fragment}`
    this.#applyHeight()
  }

  #applyHeight(): void {
    const height = this.getAttribute('height') ?? '400'
    const known = /^\d+$/.test(height)
    this.style.height = known ? `${height}px` : '400px'
    if (known) return
    const problems = [{ path: 'height', message: `found "${height}"; allowed: a whole number of pixels` }]
    console.warn(`apportion-embed: ${problems[0].path}: ${problems[0].message}`)
    this.dispatchEvent(
      new CustomEvent('problem', { detail: { type: 'problem', id: null, problems } satisfies EmbedEvent }),
    )
  }

  async #send(command: CommandWithoutId): Promise<void> {
    const frame = this.#frame
    if (frame === null) throw new Error('the element is not in a page')
    // A page that sends commands must not wait until a person scrolls to the frame.
    frame.loading = 'eager'
    const ready = this.#ready
    await ready
    // The element was removed, moved or changed meanwhile, so the frame would not receive the command.
    if (this.#ready !== ready) throw new Error('the element was changed or taken out of the page meanwhile')
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      frame.contentWindow?.postMessage({ apportion: 1, ...command, id }, new URL(ApportionEmbed.home).origin)
    })
  }

  #receive({ source, origin, data }: MessageEvent<EmbedEvent & { readonly apportion: 1 }>): void {
    if (
      source !== this.#frame?.contentWindow ||
      origin !== new URL(ApportionEmbed.home).origin ||
      data?.apportion !== 1
    )
      return
    const { apportion: _, ...event } = data
    if (event.type === 'done' || (event.type === 'problem' && event.id !== null)) {
      const pending = this.#pending.get(event.id ?? -1)
      this.#pending.delete(event.id ?? -1)
      if (event.type === 'done') {
        pending?.resolve()
        return
      }
      pending?.reject(new EmbedError(event.problems))
    }
    if (event.type === 'ready') this.#whenReady?.resolve()
    this.dispatchEvent(new CustomEvent(event.type, { detail: event }))
  }

  #rejectAll(why: string): void {
    const error = new Error(why)
    this.#whenReady?.reject(error)
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }
}
