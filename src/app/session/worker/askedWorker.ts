import { createStore } from 'zustand/vanilla'
import { openPanel } from '../run/panelStore.ts'
import { runStore } from '../run/runStore.ts'
import { part, type Session } from '../session.ts'

/** The worker that the panel of decisions is about, by its number in the scenario; null: the latest decision. */
export const askedWorkerStore = part((session) => {
  const store = createStore<{ readonly worker: number | null }>(() => ({ worker: null }))
  session.onEnd(runStore(session).subscribe(({ run }, before) => run !== before.run && store.setState({ worker: null })))
  return store
})

/** Asks a worker why it is where it is: the side panel answers. Null returns to the latest decision. */
export function askWorker(session: Session, worker: number | null): void {
  askedWorkerStore(session).setState({ worker })
  if (worker !== null) openPanel(session, 'decision')
}
