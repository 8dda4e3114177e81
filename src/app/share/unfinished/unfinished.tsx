import type { Trace } from '../../../trace/trace.ts'
import { notify } from '../../base/page/notices.ts'
import { SessionProvider } from '../../session/scenario/SessionProvider.tsx'
import { part, type Session } from '../../session/session.ts'
import { keepRun, type RunKeeper } from './keepRun.ts'
import { openShelf } from './shelf.ts'
import { UnfinishedNotice } from './UnfinishedNotice.tsx'

const shelf = openShelf()

/** Stores a run while it is under way. Calls `tell` with whether anything is stored now. */
export function keepUnfinishedRun(trace: Trace, tell: (kept: boolean) => void): RunKeeper {
  const keeper = keepRun(trace, shelf, { tell })
  keeper.heard()
  return keeper
}

const offers = part(() => ({ made: false }))

/** Offers the runs that were cut short at an earlier visit, once a visit. */
export async function offerUnfinishedRun(session: Session, tell: (kept: boolean) => void): Promise<void> {
  const offered = offers(session)
  if (offered.made) return
  offered.made = true
  const leftovers = await shelf.leftovers().catch(() => [])
  if (leftovers.length === 0) return
  notify(
    <SessionProvider session={session}>
      <UnfinishedNotice shelf={shelf} leftovers={leftovers} tell={tell} />
    </SessionProvider>,
  )
}
