import { createServer } from 'node:net'
import type { Role, Tab } from './tab.ts'

/** A reference to an element, by the key that the standard gives it: https://www.w3.org/TR/webdriver2/#elements */
export type Reference = Readonly<Record<string, string>>

/** The commands of WebDriver that a tab uses: https://www.w3.org/TR/webdriver2/#endpoints. Each browser gets them by its own protocol. */
export interface Session {
  navigate(url: string): Promise<void>
  /** The body of a function; a promise is waited for. */
  execute<T>(script: string, ...args: readonly unknown[]): Promise<T>
  click(element: string): Promise<void>
  sendKeys(element: string, text: string): Promise<void>
  computedLabel(element: string): Promise<string>
  workers(): Promise<number>
  end(): Promise<void>
}

/** The elements that may have a role. The browser computes their names. */
const selectors: Readonly<Record<Role, string>> = {
  alert: '[role=alert]',
  article: 'article',
  button: 'button:not([role])',
  group: '[role=group]',
  heading: 'h1, h2, h3',
  menuitem: '[role=menuitem]',
  radio: 'input[type=radio]',
  region: 'section',
  slider: 'input[type=range]',
  spinbutton: 'input[type=number]',
  status: '[role=status]',
  textbox: 'input:not([type]), input[type=text], textarea',
}

/** How long an action is repeated until it succeeds. */
const PATIENCE_MS = 15_000

export function tabOf(session: Session, baseURL: string): Tab {
  // The element may have just been removed: then it has no name.
  const labelOf = (reference: Reference) => session.computedLabel(idOf(reference)).catch(() => '')
  const seen = (role: Role) =>
    session.execute<Reference[]>(
      'return [...document.querySelectorAll(arguments[0])].filter((each) => each.checkVisibility())',
      selectors[role],
    )

  async function find(role: Role, name?: string | RegExp): Promise<Reference | null> {
    for (const reference of await seen(role)) {
      if (name === undefined) return reference
      const label = await labelOf(reference)
      if (typeof name === 'string' ? label === name : name.test(label)) return reference
    }
    return null
  }

  async function found(role: Role, name?: string | RegExp): Promise<Reference> {
    const reference = await find(role, name)
    if (reference === null) throw new Error(`The page has no ${role} called ${name}.`)
    return reference
  }

  return {
    async open(address) {
      // A change of the fragment alone would not load the page again.
      await session.navigate('about:blank')
      await session.navigate(new URL(address, baseURL).href)
    },
    press: (role, name) =>
      patiently(async () => {
        const pressed = await found(role, name)
        const gone = async (error: unknown) => {
          if (await session.execute<boolean>('return arguments[0].isConnected', pressed).catch(() => false)) throw error
        }
        // WebKit sometimes reports a click as failed if the click removed the element, such as a menu item.
        await session.click(idOf(pressed)).catch(gone)
      }),
    fill: (role, name, value) =>
      patiently(async () => {
        const field = await found(role, name)
        // Replaces the whole text.
        await session.click(idOf(field))
        await session.execute('arguments[0].select()', field)
        await session.sendKeys(idOf(field), value)
      }),
    async select(name, value) {
      const [option] = await session.execute<Reference[]>(
        'return [...document.querySelectorAll("select")].flatMap((each) => [...each.options]).filter((each) => each.value === arguments[0])',
        value,
      )
      if (option === undefined) throw new Error(`No ${name} is called ${value}.`)
      await session.click(idOf(option))
    },
    text: (role, name) =>
      patiently(async () => {
        const reference = await find(role, name)
        return reference === null ? null : session.execute<string>('return arguments[0].innerText', reference)
      }),
    value: (role, name) =>
      patiently(async () => session.execute<string>('return arguments[0].value', await found(role, name))),
    names: (role) =>
      patiently(async () => {
        const names: string[] = []
        for (const reference of await seen(role)) names.push(await labelOf(reference))
        return names
      }),
    evaluate: (expression) => session.execute(`return ${expression}`),
    workers: () => session.workers(),
    close: () => session.end(),
  }
}

export async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function idOf(reference: Reference): string {
  return Object.values(reference)[0]
}
