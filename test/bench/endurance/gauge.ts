import type { Browser, CDPSession, Page } from 'playwright-core'

/** What a page holds when all that can be collected has been. */
export interface Reading {
  /** What its scripts hold, and the buffers that these stand for, in bytes. */
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
  readonly documents: number
  /** Threads of the page, and of its threads. */
  readonly workers: number
}

export interface Gauge {
  read(): Promise<Reading>
  /** How many threads there are. */
  workers(): Promise<number>
  readonly session: CDPSession
}

/** What V8 and the document say of themselves; asking costs the page nothing that it keeps. */
export async function createGauge(browser: Browser, page: Page): Promise<Gauge> {
  const session = await page.context().newCDPSession(page)
  const whole = await browser.newBrowserCDPSession()
  await session.send('HeapProfiler.enable')
  const workers = async () => (await whole.send('Target.getTargets', { filter: [{ type: 'worker' }] })).targetInfos.length
  return {
    session,
    workers,
    async read() {
      // Of what is collected some is only let go of then: what was registered for its end, ports, what a document held.
      for (let k = 0; k < 4; k++) {
        await session.send('HeapProfiler.collectGarbage')
        await page.waitForTimeout(100)
      }
      const { usedSize, backingStorageSize = 0 } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number }
      const { nodes, documents, jsEventListeners } = await session.send('Memory.getDOMCounters')
      return { heap: usedSize + backingStorageSize, nodes, documents, listeners: jsEventListeners, workers: await workers() }
    },
  }
}
