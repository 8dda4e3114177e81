import type { Trace } from '../../../trace/trace.ts'
import { notify } from '../../base/page/notices.ts'
import { part, type Session } from '../../session/session.ts'
import { keepRun, type RunKeeper } from './keepRun.ts'
import { openShelf } from './shelf.ts'
import { UnfinishedNotice } from './UnfinishedNotice.tsx'

const shelf = openShelf()

/** Keeps a run under way; `tell` is told whether anything is kept now. */
export function keepUnderWay(trace: Trace, tell: (kept: boolean) => void): RunKeeper {
  const keeper = keepRun(trace, shelf, { tell })
  keeper.heard()
  return keeper
}

interface Own {
  offered: boolean
}

const own = part(
  (): Own => ({
    offered: false,
  }),
)

/** Offers what was cut short at an earlier visit, once a visit. */
export async function offer(session: Session, tell: (kept: boolean) => void): Promise<void> {
  if (own(session).offered) return
  own(session).offered = true
  const leftovers = await shelf.leftovers().catch(() => [])
  if (leftovers.length > 0) notify(<UnfinishedNotice shelf={shelf} leftovers={leftovers} tell={tell} />)
}
