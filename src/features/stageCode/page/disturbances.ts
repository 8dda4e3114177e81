import { createStore } from 'zustand/vanilla'
import { type Run, runStore, runWhen } from '../../../app/session/run/runStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import type { StageThreads } from '../../../runs/remote/remoteRun.ts'
import { duration } from '../../../views/drawing/format.ts'
import { STUCK_THREADS } from '../threads/frameThread.ts'
import { openStageFrame } from '../threads/stageFrame.ts'

/** Chromium ends a thread in an endless loop after 2 to 2.5 s, Firefox after 0.6 s, WebKit after 0.4 s. Until then the thread holds a core. */
const holdsMs = () => (/Chrome\//.test(navigator.userAgent) ? 2500 : 600)
const TICK_MS = 20
/** A page that stands still for longer disturbs a run: WebKit sends messages between threads through it. */
const MAX_GAP_MS = 200

/** What disturbs runs of code. */
export const disturbances = part((session) => {
  const channel = new BroadcastChannel(STUCK_THREADS)
  /** Whether a run waits for a thread of the run before, which still holds a core. */
  const store = createStore(() => ({ waits: false }))
  const state = { store, freeAt: 0 }
  channel.onmessage = () => {
    state.freeAt = performance.now() + holdsMs()
  }
  session.onEnd(() => channel.close())
  return state
})

/** Opens threads for one run, as soon as no thread of a run before holds a core, and watches the page until they are closed. */
export async function openThreads(session: Session): Promise<StageThreads> {
  const { store, freeAt } = disturbances(session)
  const { phase, run } = runStore(session).getState()
  const left = freeAt - performance.now()
  if (left > 0) {
    store.setState({ waits: true })
    await new Promise((resolve) => setTimeout(resolve, left))
    store.setState({ waits: false })
  }
  const threads = await openStageFrame()
  const stopWatching = watchPage()
  return {
    port: () => threads.port(),
    close() {
      const gap = stopWatching()
      // A trial is no run of the page.
      if (run !== null && phase === 'running') void noteGap(session, run, gap)
      threads.close()
    },
  }
}

/** Adds to the status line of a run, when it has ended, that the page stood still during it. */
async function noteGap(session: Session, run: Run, gap: number): Promise<void> {
  if (gap <= MAX_GAP_MS) return
  const ended = await runWhen(session, (now) => now.run !== run || now.phase === 'ended')
  if (ended.run !== run) return
  const still = () =>
    t('The page stood still for {time} during this run: in Safari that delays jobs.', { time: duration(gap * 1000) })
  runStore(session).setState({ status: () => [ended.status(), still()].join(' ') })
}

/** Returns a function that ends the watch and returns the longest time for which the page stood still, in milliseconds. */
function watchPage(): () => number {
  let last = performance.now()
  let worst = 0
  const measure = () => {
    const now = performance.now()
    // Timers of a hidden page are late, though nothing holds it.
    if (!document.hidden) worst = Math.max(worst, now - last - TICK_MS)
    last = now
  }
  const timer = setInterval(measure, TICK_MS)
  return () => {
    clearInterval(timer)
    measure()
    return worst
  }
}
