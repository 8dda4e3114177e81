import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { resultsNow } from '../../../app/explain/results/runResults.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { SessionProvider } from '../../../app/session/scenario/SessionProvider.tsx'
import type { Session } from '../../../app/session/session.ts'
import { Handout } from './Handout.tsx'

/** Puts the handout of a run into the page at once, with its figures. Returns what removes it. */
export function mountPrinted(session: Session, run: Run): () => void {
  resultsNow(session, run)
  const root = createRoot(document.createElement('div'))
  flushSync(() =>
    root.render(
      <SessionProvider session={session}>
        <Handout byBrowser />
      </SessionProvider>,
    ),
  )
  return () => root.unmount()
}
