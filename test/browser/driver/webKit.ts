import { type ChildProcess, spawn } from 'node:child_process'
import { threadsOf } from './systemThreads.ts'
import type { Engine } from './tab.ts'
import { freePort, patiently, type Session, tabOf } from './webDriver.ts'

/** A session begins within seconds. One that hangs is dropped, and another is started. */
const START_MILLISECONDS = 60_000
const ATTEMPTS = 3

/** WebKit as Debian ships it, whose driver is controlled by HTTP. It needs a screen, so it gets a virtual one. */
export async function openWebKit(): Promise<Engine> {
  const screen = process.env.DISPLAY === undefined ? await openScreen() : undefined
  const display = screen?.display ?? process.env.DISPLAY
  return {
    tab: async (baseURL) => tabOf(await newSession(display), baseURL),
    close: async () => {
      screen?.process.kill()
    },
  }
}

/** One driver for each session: a driver that has just ended a session sometimes never begins the next. */
async function newSession(display: string | undefined, attempts = ATTEMPTS): Promise<Session> {
  const port = await freePort()
  const root = `http://127.0.0.1:${port}`
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display },
  })
  try {
    await patiently(() => call('GET', `${root}/status`))
    const capabilities = { alwaysMatch: { timeouts: { script: 600_000 } } }
    const { sessionId } = await call<{ sessionId: string }>(
      'POST',
      `${root}/session`,
      { capabilities },
      AbortSignal.timeout(START_MILLISECONDS),
    )
    return sessionAt(`${root}/session/${sessionId}`, driver)
  } catch (error) {
    driver.kill()
    if (attempts === 1) throw error
    return newSession(display, attempts - 1)
  }
}

function sessionAt(session: string, driver: ChildProcess): Session {
  return {
    navigate: (url) => call('POST', `${session}/url`, { url }),
    execute: (script, ...args) => call('POST', `${session}/execute/sync`, { script, args }),
    click: (element) => call('POST', `${session}/element/${element}/click`, {}),
    sendKeys: (element, text) => call('POST', `${session}/element/${element}/value`, { text }),
    computedLabel: (element) => call('GET', `${session}/element/${element}/computedlabel`),
    workers: async () => threadsOf('WebKitWebProces', 'WebCore: Worker'),
    async end() {
      await call('DELETE', session)
      driver.kill()
    },
  }
}

async function call<T = void>(method: string, url: string, body?: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }), ...(signal && { signal }) })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

/** Xvfb chooses a free display number and writes it to the given file descriptor. */
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
