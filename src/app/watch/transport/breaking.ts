import type { Micros } from '../../../scenario/model/scenario.ts'
import { playback } from '../../session/run/playback.ts'
import type { Run } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'
import { breakpointStore } from './breakpointStore.ts'

/** The search is fetched when there is a condition to look for: most runs are played without. */
const fetchSearch = () => import('./breakSearch.ts')
const fetched = part((): { search: Awaited<ReturnType<typeof fetchSearch>> | null } => ({ search: null }))

/** Returns how far the playhead may go towards `wanted`: less if a breakpoint comes first, or if the search is not that far yet. */
export function withinBreakpoints(session: Session, run: Run, wanted: Micros, live: boolean): Micros {
  if (breakpointStore(session).getState().on.length === 0) return wanted
  const here = fetched(session)
  if (here.search !== null) return here.search.playUpTo(session, run, wanted, live)
  void fetchSearch().then((search) => {
    here.search = search
  })
  return playback(session).time
}

/** Moves the playhead to the next instant that meets a condition, without playing what lies between. */
export async function toNextBreak(session: Session): Promise<void> {
  const { searchNextBreak } = await fetchSearch()
  await searchNextBreak(session)
}
