import { controlStore } from '../../../app/base/page/hiddenControls.ts'
import { fetchResultSections } from '../../../app/explain/results/runResults.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { publishingStore } from '../publishing.ts'

export const fetchHandout = () => import('./Handout.tsx')

/** How long after a run the code of the handout is fetched. */
const DELAY_MS = 1500

/**
 * Lets the browser print the handout in place of the page, also from its own menu. A browser waits for nothing before it prints, so the
 * code is fetched once a run has ended. Returns an unsubscribe function.
 */
export function followPrinting(session: Session): () => void {
  let page: Awaited<ReturnType<typeof fetchHandout>> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let remove = () => {}
  const fetched = () => {
    if (page !== null || timer !== undefined || runStore(session).getState().phase !== 'ended') return
    timer = setTimeout(() => {
      const loads = Promise.all([fetchHandout(), fetchResultSections(session)])
      loads.then(([loaded]) => (page = loaded)).catch(() => {})
    }, DELAY_MS)
  }
  const before = () => {
    const { run, phase } = runStore(session).getState()
    if (page === null || run === null || phase !== 'ended') return
    if (publishingStore(session).getState().printing || controlStore.getState().hidden.has('more')) return
    remove = page.mountPrinted(session, run)
  }
  const after = () => {
    remove()
    remove = () => {}
  }
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  const end = runStore(session).subscribe(fetched)
  fetched()
  return () => {
    clearTimeout(timer)
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
    end()
    after()
  }
}
