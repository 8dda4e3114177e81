import type { Micros } from '../../../scenario/model/scenario.ts'
import { playback } from '../../session/run/playback.ts'
import type { Run } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { breakpointStore } from './breakpointStore.ts'

type Search = typeof import('./breakSearch.ts')
let search: Search | null = null

/** The search is fetched when the first condition is to be met: most runs are played without. */
async function fetched(): Promise<Search> {
  search ??= await import('./breakSearch.ts')
  return search
}

/** How far the playhead may go on its way to `wanted`: less where a breakpoint comes before, or where nobody has looked yet. */
export function withinBreakpoints(session: Session, run: Run, wanted: Micros, live: boolean): Micros {
  if (breakpointStore(session).getState().on.length === 0) return wanted
  if (search !== null) return search.playUpTo(session, run, wanted, live)
  void fetched()
  return playback(session).time
}

/** To the next instant at which a condition is met, without playing what lies between. */
export async function toNextBreak(session: Session): Promise<void> {
  await (await fetched()).searchNextBreak(session)
}
