import type { Browser, CDPSession, Page } from 'playwright-core'

/** The memory, nodes and threads of a page after a garbage collection. */
export interface Reading {
  /** The memory of its scripts and their buffers, in bytes. */
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

/** Returns a gauge that reads the counters of V8 and of the document. Reading leaves nothing in the page. */
export async function createGauge(browser: Browser, page: Page): Promise<Gauge> {
  const session = await page.context().newCDPSession(page)
  const whole = await browser.newBrowserCDPSession()
  await session.send('HeapProfiler.enable')
  const workers = async () =>
    (await whole.send('Target.getTargets', { filter: [{ type: 'worker' }] })).targetInfos.length
  return {
    session,
    workers,
    async read() {
      // One collection frees objects that only the next can collect: finalizers, ports, parts of a document.
      for (let k = 0; k < 4; k++) {
        await session.send('HeapProfiler.collectGarbage')
        await page.waitForTimeout(100)
      }
      const { usedSize, backingStorageSize = 0 } = (await session.send('Runtime.getHeapUsage')) as {
        usedSize: number
        backingStorageSize?: number
      }
      const { nodes, documents, jsEventListeners } = await session.send('Memory.getDOMCounters')
      return {
        heap: usedSize + backingStorageSize,
        nodes,
        documents,
        listeners: jsEventListeners,
        workers: await workers(),
      }
    },
  }
}
