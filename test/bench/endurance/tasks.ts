import type { Browser, Page } from 'playwright-core'

/** An event of Chromium's tracing. Times in microseconds; `tdur` is the processor time of the thread, which does not depend on other work. */
export interface Traced {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: Readonly<Record<string, unknown>>
}

/** The tasks of the page's own thread, the longest first. */
export interface Task {
  readonly at: number
  readonly wall: number
  readonly own: number
}

/** Returns all tasks of the page's own thread during `act`, as Chromium recorded them. */
export async function traceOf(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
  more: readonly string[] = [],
): Promise<readonly Traced[]> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', ...more],
  })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: Traced[] }
  return traceEvents
}

/** The tasks of the renderer with most work. */
export function tasksOf(events: readonly Traced[]): readonly Task[] {
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const byThread = new Map<string, Task[]>()
  for (const { name, ph, pid, tid, ts, dur = 0, tdur = Number.NaN } of events) {
    const thread = `${pid} ${tid}`
    if (name !== 'RunTask' || ph !== 'X' || !main.has(thread)) continue
    const tasks = byThread.get(thread) ?? []
    byThread.set(thread, tasks)
    tasks.push({ at: ts, wall: dur / 1000, own: tdur / 1000 })
  }
  const all = [...byThread.values()].sort((a, b) => busy(b) - busy(a))[0] ?? []
  return all.sort((a, b) => b.own - a.own)
}

function busy(tasks: readonly Task[]): number {
  return tasks.reduce((sum, { own }) => sum + own, 0)
}
