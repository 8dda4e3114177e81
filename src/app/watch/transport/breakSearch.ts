import {
  advanceSearch,
  type BreakpointSearch,
  type Condition,
  createBreakpointSearch,
  type Hit,
} from '../../../measures/decisions/breakpoints.ts'
import { estimateHistoryOf } from '../../../measures/decisions/estimateHistory.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { playback } from '../../session/run/playback.ts'
import { movePlayback, type Run, runStore } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'
import { type BreakpointState, breakpointStore } from './breakpointStore.ts'

/** The search ahead may take this long in each frame. */
const FRAME_MS = 3
/** This many rows are read before the clock is checked again. */
const ROWS = 500

interface LookAhead {
  search: BreakpointSearch | null
  hit: Hit | null
  /** Where the playhead was left. The search starts again when the playhead has moved since. */
  left: Micros
  searchedFor: BreakpointState
}

const lookAhead = part(
  (session): LookAhead => ({ search: null, hit: null, left: -1, searchedFor: breakpointStore(session).getState() }),
)

/** Returns how far the playhead may go towards `wanted`: less if a condition is met first, which stops the playback, or if the search is not that far yet. */
export function playUpTo(session: Session, run: Run, wanted: Micros, live: boolean): Micros {
  const store = breakpointStore(session)
  const { conditions, on, stopped } = store.getState()
  const from = playback(session).time
  const ahead = lookAhead(session)
  const same =
    ahead.search?.trace === run.trace &&
    from === ahead.left &&
    ahead.searchedFor.conditions === conditions &&
    ahead.searchedFor.on === on
  const search = same && ahead.search !== null ? ahead.search : begin(session, run, from)
  // The user plays on, so the reason for the last stop has been read.
  if (stopped !== null) store.setState({ stopped: null })
  const whole = knownUntil(run, live)
  const deadline = performance.now() + FRAME_MS
  while (ahead.hit === null && search.clearUntil < whole && performance.now() < deadline)
    ahead.hit = advanceSearch(search, whole, ROWS)
  const { hit } = ahead
  if (hit !== null && hit.time <= wanted) {
    stopAt(session, run, hit)
    return hit.time
  }
  // A run in real time follows the clock: where all known rows are searched, the playhead goes on.
  ahead.left =
    hit !== null ? wanted : Math.max(from, Math.min(wanted, search.clearUntil >= whole ? wanted : search.clearUntil))
  return ahead.left
}

/** Moves the playhead to the next instant that meets a condition, without playing what lies between. */
export async function searchNextBreak(session: Session): Promise<void> {
  const { run, phase } = runStore(session).getState()
  const store = breakpointStore(session)
  const { searching, on } = store.getState()
  if (run === null || searching || on.length === 0) return
  movePlayback(session, { playing: false, following: false })
  const search = begin(session, run, playback(session).time)
  lookAhead(session).search = null
  store.setState({ searching: true, stopped: null })
  let hit: Hit | null = null
  const whole = knownUntil(run, phase === 'running')
  const isShown = () => runStore(session).getState().run === run
  while (hit === null && search.clearUntil < whole && isShown()) {
    const deadline = performance.now() + 4 * FRAME_MS
    while (hit === null && search.clearUntil < whole && performance.now() < deadline)
      hit = advanceSearch(search, whole, ROWS)
    if (hit === null) await new Promise((resolve) => setTimeout(resolve))
  }
  store.setState({ searching: false })
  if (!isShown()) return
  if (hit === null) store.setState({ stopped: { run, hit } })
  else stopAt(session, run, hit)
}

/** Begins a search. A condition that is met at time 0 counts, unless the playback has already stopped for it. */
function begin(session: Session, run: Run, from: Micros): BreakpointSearch {
  const searchedFor = breakpointStore(session).getState()
  const { conditions, on, stopped } = searchedFor
  const stoppedHere = stopped?.run === run && stopped.hit?.time === from
  const wanted = on.map((kind) => within(conditions[kind], run))
  const search = createBreakpointSearch(
    run.trace,
    estimateHistoryOf(run.trace),
    wanted,
    from === 0 && !stoppedHere ? -1 : from,
  )
  Object.assign(lookAhead(session), { search, hit: null, searchedFor })
  return search
}

/** Returns the condition for this run: a stage that its scenario does not have becomes any stage. */
function within(condition: Condition, { scenario }: Run): Condition {
  return 'stage' in condition && condition.stage !== null && condition.stage >= scenario.stages.length
    ? { ...condition, stage: null }
    : condition
}

function stopAt(session: Session, run: Run, hit: Hit): void {
  Object.assign(lookAhead(session), { search: null, hit: null })
  breakpointStore(session).setState({ stopped: { run, hit } })
  movePlayback(session, { time: hit.time, playing: false, following: false })
}

/** Returns until when all rows are there. The last instant of a running run may not be complete. */
function knownUntil({ trace }: Run, live: boolean): Micros {
  return live ? endOf(trace) - 1 : endOf(trace)
}
