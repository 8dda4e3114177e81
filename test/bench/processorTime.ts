import { readdirSync, readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'

/** Seconds of processor time that a browser has used so far. */
export interface ProcessorTime {
  /** The threads on which pages run. */
  readonly page: number
  /** These and all others that draw: compositor, raster threads, the process for graphics. */
  readonly drawing: number
  /** Dedicated workers, the conductor among them. */
  readonly workers: number
}

/** Ticks of the system's clock in a second, as Linux counts processor time everywhere. */
const TICKS = 100

/** Returns the processor time of a browser by the kind of thread, from the system (Linux). Wall time says little on a machine that others use too. */
export async function processorTime(browser: Browser): Promise<ProcessorTime> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const used = { page: 0, drawing: 0, workers: 0 }
  for (const { type, id } of processInfo) {
    if (type !== 'renderer' && type !== 'GPU') continue
    for (const thread of readdirSync(`/proc/${id}/task`)) {
      const seconds = secondsOf(`/proc/${id}/task/${thread}/stat`)
      if (seconds === null) continue
      if (seconds.name.startsWith('DedicatedWorker')) used.workers += seconds.used
      else used.drawing += seconds.used
      if (type === 'renderer' && thread === `${id}`) used.page += seconds.used
    }
  }
  return used
}

/** Returns the name of a thread and its processor time; null if it has ended meanwhile. */
function secondsOf(stat: string): { readonly name: string; readonly used: number } | null {
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(stat, 'utf8')) ?? []
    const fields = rest.split(' ')
    return { name, used: (Number(fields[11]) + Number(fields[12])) / TICKS }
  } catch {
    return null
  }
}

/** Returns the seconds of processor time that a process has used so far, in all its threads (Linux). */
export function processSeconds(pid: number): number {
  return secondsOf(`/proc/${pid}/stat`)?.used ?? 0
}
