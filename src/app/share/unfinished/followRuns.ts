import { isRealTime } from '../../../scenario/model/engines.ts'
import { readStored, writeStored } from '../../base/browser/browserStorage.ts'
import type { Run } from '../../session/run/runStore.ts'
import { onRows } from '../../session/run/startStop.ts'
import type { Session } from '../../session/session.ts'
import type { RunKeeper } from './keepRun.ts'

/** Set while the database may hold rows of a run. Only then is it opened. */
const KEPT = 'apportion.run'
/** A run that ends sooner is not kept. */
const SHORT_MS = 1000

/**
 * Keeps the rows of each run in real time until it has ended, since it cannot be played again. Offers runs that were cut short at an
 * earlier visit. The code for both is fetched when it is needed. Returns a function that stops both.
 */
export function followRuns(session: Session): () => void {
  let kept: Run | null = null
  let keeper: RunKeeper | null = null
  const end = onRows(session, (run) => {
    if (!isRealTime(run.trace.engine)) return
    if (run !== kept) {
      kept = run
      keeper = null
      setTimeout(async () => {
        if (kept !== run) return
        const { keepUnfinishedRun: keep } = await import('./unfinished.tsx')
        if (kept === run) keeper = keep(run.trace, tell)
      }, SHORT_MS)
    }
    keeper?.rowsAdded()
    if (run.trace.ending !== null) kept = keeper = null
  })
  const stay = session.address.onLeave(() => void keeper?.write())
  if (readStored(KEPT) !== null) void import('./unfinished.tsx').then(({ offerUnfinishedRun: offer }) => offer(session, tell))
  return () => {
    stay()
    end()
  }
}

function tell(kept: boolean): void {
  if ((readStored(KEPT) !== null) !== kept) writeStored(KEPT, kept ? '1' : null)
}
