import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadsOf } from './systemThreads.ts'
import type { Engine } from './tab.ts'
import { freePort, patiently, type Session, tabOf } from './webDriver.ts'

type Tell = <T = void>(command: string, parameters?: object) => Promise<T>

/**
 * Firefox as shipped, driven by its own protocol (Marionette) with WebDriver commands. WebDriver BiDi does not work here: Firefox
 * reports each new thread of a page to it, and then some threads never begin: see README.md.
 */
export function openFirefox(path: string): Engine {
  return { tab: async (baseURL) => tabOf(await newSession(path), baseURL), close: async () => {} }
}

/** A new browser with an empty profile. */
async function newSession(path: string): Promise<Session> {
  const profile = mkdtempSync(join(tmpdir(), 'apportion-firefox-'))
  const port = await freePort()
  // A service worker would fetch the whole app for offline use, as in the specs of the other engines.
  writeFileSync(
    join(profile, 'user.js'),
    `user_pref("marionette.port", ${port});\nuser_pref("dom.serviceWorkers.enabled", false);\n`,
  )
  const firefox = spawn(
    path,
    ['--headless', '--no-remote', '--marionette', '--profile', profile, '--width', '1280', '--height', '720'],
    { stdio: 'ignore' },
  )
  const gone = new Promise((resolve) => firefox.on('exit', resolve))
  const tell = await patiently(async () => tellBy(await connected(port)))
  await tell('WebDriver:NewSession', { timeouts: { script: 600_000 } })
  const value = async <T>(command: string, parameters?: object): Promise<T> =>
    (await tell<{ value: T }>(command, parameters)).value
  return {
    navigate: (url) => tell('WebDriver:Navigate', { url }),
    execute: (script, ...args) => value('WebDriver:ExecuteScript', { script, args }),
    click: (id) => tell('WebDriver:ElementClick', { id }),
    sendKeys: (id, text) => tell('WebDriver:ElementSendKeys', { id, text }),
    computedLabel: (id) => value('WebDriver:GetComputedLabel', { id }),
    workers: async () => threadsOf('Isolated Web Co', 'DOM Worker'),
    async end() {
      firefox.kill()
      await gone
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}

/** Each message is its length in bytes, a colon and JSON: a greeting, then [0, number, command, parameters] and [1, number, error, result]. */
function tellBy(socket: Socket): Promise<Tell> {
  return new Promise((resolve) => {
    const waiting: ((error: { error: string; message: string } | null, result: unknown) => void)[] = []
    const tell: Tell = (command, parameters = {}) =>
      new Promise((answer, reject) => {
        const text = JSON.stringify([0, waiting.length, command, parameters])
        waiting.push((error, result) =>
          error ? reject(new Error(`${error.error}: ${error.message}`)) : answer(result as never),
        )
        socket.write(`${Buffer.byteLength(text)}:${text}`)
      })
    let come = Buffer.alloc(0)
    socket.on('data', (more) => {
      come = Buffer.concat([come, more])
      for (let colon = come.indexOf(':'); colon >= 0; colon = come.indexOf(':')) {
        const end = colon + 1 + Number(come.subarray(0, colon))
        if (come.length < end) return
        const message = JSON.parse(come.subarray(colon + 1, end).toString())
        come = come.subarray(end)
        if (Array.isArray(message)) waiting[message[1]](message[2], message[3])
        else resolve(tell)
      }
    })
  })
}
