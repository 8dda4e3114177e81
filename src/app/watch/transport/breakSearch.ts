import { advanceSearch, type BreakpointSearch, createBreakpointSearch } from '../../../measures/decisions/breakpointSearch.ts'
import type { Condition, Hit } from '../../../measures/decisions/breakpoints.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { playback } from '../../session/run/playback.ts'
import { move, type Run, runStore } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'
import { type BreakpointState, breakpointStore } from './breakpointStore.ts'

/** Milliseconds a frame that looking ahead may cost. */
const FRAME_MS = 3
/** Rows looked at between two looks at the clock. */
const ROWS = 500

interface LookAhead {
  search: BreakpointSearch | null
  hit: Hit | null
  /** Where the playhead was left. The search starts again when the playhead has moved since. */
  left: Micros
  /** What the search looks for. */
  sought: BreakpointState
}

const lookAhead = part((session): LookAhead => ({ search: null, hit: null, left: -1, sought: breakpointStore(session).getState() }))

/**
 * How far the playhead may go on its way to `wanted`: less where a condition is met before, or where the search, which runs
 * ahead a few milliseconds' worth a frame, has not come so far yet. Stops the playback, and says why, when it is met.
 */
export function playUpTo(session: Session, run: Run, wanted: Micros, live: boolean): Micros {
  const { conditions, on } = breakpointStore(session).getState()
  const from = playback(session).time
  const ahead = lookAhead(session)
  const same = ahead.search?.trace === run.trace && from === ahead.left && ahead.sought.conditions === conditions && ahead.sought.on === on
  const present = same && ahead.search !== null ? ahead.search : begin(session, run, from)
  // Whoever plays on has read it.
  if (breakpointStore(session).getState().stopped !== null) breakpointStore(session).setState({ stopped: null })
  const whole = knownUntil(run, live)
  const deadline = performance.now() + FRAME_MS
  while (ahead.hit === null && present.clearUntil < whole && performance.now() < deadline) ahead.hit = advanceSearch(present, whole, ROWS)
  const { hit } = ahead
  if (hit !== null && hit.time <= wanted) {
    stopAt(session, run, hit)
    return hit.time
  }
  // A run on threads is followed by the clock: it is not held up where nothing has happened yet.
  ahead.left = hit !== null ? wanted : Math.max(from, Math.min(wanted, present.clearUntil >= whole ? wanted : present.clearUntil))
  return ahead.left
}

/** To the next instant at which a condition is met, without playing what lies between. */
export async function searchNextBreak(session: Session): Promise<void> {
  const { run, phase } = runStore(session).getState()
  if (run === null || breakpointStore(session).getState().searching || breakpointStore(session).getState().on.length === 0) return
  move(session, { playing: false, following: false })
  const search = begin(session, run, playback(session).time)
  lookAhead(session).search = null
  breakpointStore(session).setState({ searching: true, stopped: null })
  let hit: Hit | null = null
  const whole = knownUntil(run, phase === 'running')
  while (hit === null && search.clearUntil < whole && runStore(session).getState().run === run) {
    const deadline = performance.now() + 4 * FRAME_MS
    while (hit === null && search.clearUntil < whole && performance.now() < deadline) hit = advanceSearch(search, whole, ROWS)
    if (hit === null) await new Promise((resolve) => setTimeout(resolve))
  }
  breakpointStore(session).setState({ searching: false })
  if (runStore(session).getState().run !== run) return
  if (hit === null) breakpointStore(session).setState({ stopped: { run, hit } })
  else stopAt(session, run, hit)
}

/** What is met at time 0 counts for who begins there, and not again for who has been stopped by it. */
function begin(session: Session, run: Run, from: Micros): BreakpointSearch {
  const sought = breakpointStore(session).getState()
  const { conditions, on, stopped } = sought
  const been = stopped?.run === run && stopped.hit?.time === from
  const search = createBreakpointSearch(
    run.trace,
    run.estimateHistory,
    on.map((kind) => within(conditions[kind], run)),
    from === 0 && !been ? -1 : from,
  )
  Object.assign(lookAhead(session), { search, hit: null, sought })
  return search
}

/** A stage that the scenario has not got stands for any. */
function within(condition: Condition, { scenario }: Run): Condition {
  return 'stage' in condition && condition.stage !== null && condition.stage >= scenario.stages.length ? { ...condition, stage: null } : condition
}

function stopAt(session: Session, run: Run, hit: Hit): void {
  Object.assign(lookAhead(session), { search: null, hit: null })
  breakpointStore(session).setState({ stopped: { run, hit } })
  move(session, { time: hit.time, playing: false, following: false })
}

/** How far all rows are there. Of the last instant of a run under way some may be to come. */
function knownUntil({ trace }: Run, live: boolean): Micros {
  return live ? endOf(trace) - 1 : endOf(trace)
}
