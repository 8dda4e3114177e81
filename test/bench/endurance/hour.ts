import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'

/** The speed of the clock of a run after its threads have started. */
export const FACTOR = 60
/** How long threads may start at the usual speed, in real time. */
const START_MS = 10_000

/**
 * Prepended to the scripts of conductor and pool, it speeds up their clock, timers and sleep; nothing else in them changes.
 * The interval that counts silence is set while threads start and keeps real time, so that a busy machine gives up no worker.
 */
function fastClock(from: number, factor: number): string {
  return `{
const origin = performance.timeOrigin, now = performance.now.bind(performance), wait = Atomics.wait, after = setTimeout
const fast = (wall) => wall < ${from} ? wall : ${from} + (wall - ${from}) * ${factor}
const speed = () => origin + now() < ${from} ? 1 : ${factor}
Object.defineProperty(performance, 'timeOrigin', { value: ${from} })
performance.now = () => fast(origin + now()) - ${from}
Atomics.wait = (cell, at, value, left) => wait(cell, at, value, left / speed())
self.setTimeout = (call, left, ...more) => after(call, left / speed(), ...more)
}
`
}

/** From now on the runs of the page on threads use the fast clock. `folder` is served: a script is added to it. */
export async function playFast(page: Page, folder: string): Promise<void> {
  const from = Date.now() + START_MS
  const assets = join(folder, 'assets')
  const workerApi = (await readdir(assets)).find((file) => /^pool\.worker-.*\.js$/.test(file))
  if (workerApi === undefined) throw new Error('there is no script of the pool')
  await writeFile(
    join(assets, 'pool-fast.js'),
    fastClock(from, FACTOR) + (await readFile(join(assets, workerApi), 'utf8')),
  )
  await page.route(/conductor\.worker/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: fastClock(from, FACTOR) + (await response.text()).replaceAll(workerApi, 'pool-fast.js'),
    })
  })
}

/** Ten jobs a second for an hour through three stages that wait, with sixteen workers of which twelve are busy on average. */
export const hourOfTraffic = {
  version: 1,
  title: 'An hour',
  seed: 5,
  source: { kind: 'poisson', rate: 10, jobs: 36_000 },
  stages: ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'exponential', mean: 400_000 }, work: 'wait' })),
  workers: 16,
}

/** Returns the memory of the scripts of a thread after a collection, in bytes; null if it has ended. */
export async function heapOfThread(browser: Browser, script: RegExp): Promise<number | null> {
  const session = await browser.newBrowserCDPSession()
  try {
    const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'worker' }] })
    const target = targetInfos.find(({ url }) => script.test(url))
    if (target === undefined) return null
    const { sessionId } = await session.send('Target.attachToTarget', { targetId: target.targetId, flatten: false })
    for (let k = 0; k < 3; k++) await ask(session, sessionId, 'HeapProfiler.collectGarbage')
    const { usedSize, backingStorageSize = 0 } = await ask(session, sessionId, 'Runtime.getHeapUsage')
    return usedSize + backingStorageSize
  } catch {
    return null
  } finally {
    await session.detach()
  }
}

let asked = 0

function ask(
  session: CDPSession,
  sessionId: string,
  method: string,
): Promise<{ usedSize: number; backingStorageSize?: number }> {
  const id = ++asked
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), 20_000)
    session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const answer = JSON.parse(message)
      if (answer.id !== id) return
      clearTimeout(timer)
      resolve(answer.result)
    })
    session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) }).catch(reject)
  })
}
