import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Engine, Role, Tab } from './tab.ts'

/** A reference to an element, by the key that the standard gives it: https://www.w3.org/TR/webdriver2/#elements */
type Reference = Readonly<Record<string, string>>

/** What may have a role; which of them has which name is asked of the browser. */
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

/** So long something is tried again that cannot be done yet. */
const PATIENCE_MS = 15_000

/** WebKit as Debian ships it, which speaks WebDriver: https://www.w3.org/TR/webdriver2/. It needs a screen, so it gets one that nobody sees. */
export async function openWebKit(): Promise<Engine> {
  const screen = process.env.DISPLAY === undefined ? await openScreen() : undefined
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: screen?.display ?? process.env.DISPLAY },
  })
  const close = async () => {
    driver.kill()
    screen?.process.kill()
  }
  const root = `http://127.0.0.1:${port}`
  try {
    await patiently(() => call('GET', `${root}/status`))
  } catch (error) {
    await close()
    throw error
  }
  return {
    async tab(baseURL) {
      const { sessionId } = await call<{ sessionId: string }>('POST', `${root}/session`, { capabilities: { alwaysMatch: {} } })
      const session = `${root}/session/${sessionId}`
      await call('POST', `${session}/timeouts`, { script: 600_000 })
      return tabOf(session, baseURL)
    },
    close,
  }
}

function tabOf(session: string, baseURL: string): Tab {
  const ask = <T>(script: string, ...args: readonly unknown[]) => call<T>('POST', `${session}/execute/sync`, { script, args })
  const labelOf = (reference: Reference) => call<string>('GET', `${session}/element/${idOf(reference)}/computedlabel`).catch(() => '')
  const act = (reference: Reference, action: string, body: object = {}) => call('POST', `${session}/element/${idOf(reference)}/${action}`, body)
  const seen = (role: Role) => ask<Reference[]>('return [...document.querySelectorAll(arguments[0])].filter((each) => each.checkVisibility())', selectors[role])

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
      await call('POST', `${session}/url`, { url: 'about:blank' })
      await call('POST', `${session}/url`, { url: new URL(address, baseURL).href })
    },
    press: (role, name) => patiently(async () => act(await found(role, name), 'click')),
    fill: (role, name, value) =>
      patiently(async () => {
        const field = await found(role, name)
        await act(field, 'clear')
        await act(field, 'value', { text: value })
      }),
    async select(name, value) {
      const [option] = await ask<Reference[]>(
        'return [...document.querySelectorAll("select")].flatMap((each) => [...each.options]).filter((each) => each.value === arguments[0])',
        value,
      )
      if (option === undefined) throw new Error(`No ${name} is called ${value}.`)
      await act(option, 'click')
    },
    async text(role, name) {
      const reference = await find(role, name)
      return reference === null ? null : ask<string>('return arguments[0].innerText', reference)
    },
    value: (role, name) => patiently(async () => ask<string>('return arguments[0].value', await found(role, name))),
    names: async (role) => Promise.all((await seen(role)).map(labelOf)),
    evaluate: (expression) => ask(`return ${expression}`),
    workers: async () => threads(),
    async picture(width, height) {
      await call('POST', `${session}/window/rect`, { width, height })
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return Buffer.from(await call<string>('GET', `${session}/screenshot`), 'base64')
    },
    close: () => call('DELETE', session),
  }
}

async function call<T = void>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
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

function idOf(reference: Reference): string {
  return Object.values(reference)[0]
}

/** Xvfb chooses a number that is free and writes it to the file it is told of, here its fourth. */
function openScreen(): Promise<{ readonly process: ChildProcess; readonly display: string }> {
  return new Promise((resolve, reject) => {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    screen.on('error', reject)
    screen.on('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
    screen.stdio[3]?.on('data', (number) => resolve({ process: screen, display: `:${String(number).trim()}` }))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** WebDriver knows no threads of a page; the system does, by the name that WebKit gives them. All that was started from here is one group. */
function threads(): number {
  const group = groupOf('self')
  const names = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && groupOf(entry) === group)
    .flatMap((process) => tasksOf(process).map((task) => textOf(`/proc/${process}/task/${task}/comm`)))
  return names.filter((name) => name.startsWith('WebCore: Worker')).length
}

function tasksOf(process: string): string[] {
  try {
    return readdirSync(`/proc/${process}/task`)
  } catch {
    return []
  }
}

function groupOf(process: string): number {
  // The name, in brackets, may have anything in it.
  return Number(
    textOf(`/proc/${process}/stat`)
      .replace(/^.*\) /, '')
      .split(' ')[2],
  )
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
