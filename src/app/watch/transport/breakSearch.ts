import { advanceSearch, type BreakpointSearch, createBreakpointSearch } from '../../../measures/decisions/breakpointSearch.ts'
import type { Condition, Hit } from '../../../measures/decisions/breakpoints.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { playback } from '../../session/run/playback.ts'
import { move, type Run, runStore } from '../../session/run/runStore.ts'
import { breakpointStore } from './breakpointStore.ts'

/** Milliseconds a frame that looking ahead may cost. */
const FRAME_MS = 3
/** Rows looked at between two looks at the clock. */
const ROWS = 500

let breakpointSearch: BreakpointSearch | null = null
let ahead: Hit | null = null
/** Where the playhead was left: where it stands elsewhere somebody has moved it, and the search begins anew. */
let left: Micros = -1
/** What is being looked for. */
let sought = breakpointStore.getState()

/**
 * How far the playhead may go on its way to `wanted`: less where a condition is met before, or where the search, which runs
 * ahead a few milliseconds' worth a frame, has not come so far yet. Stops the playback, and says why, when it is met.
 */
export function playUpTo(run: Run, wanted: Micros, live: boolean): Micros {
  const { conditions, on } = breakpointStore.getState()
  const from = playback.time
  const anew = breakpointSearch === null || breakpointSearch.trace !== run.trace || from !== left || sought.conditions !== conditions || sought.on !== on
  const present = anew || breakpointSearch === null ? begin(run, from) : breakpointSearch
  // Whoever plays on has read it.
  if (breakpointStore.getState().stopped !== null) breakpointStore.setState({ stopped: null })
  const whole = knownUntil(run, live)
  const deadline = performance.now() + FRAME_MS
  while (ahead === null && present.clearUntil < whole && performance.now() < deadline) ahead = advanceSearch(present, whole, ROWS)
  const hit = ahead
  if (hit !== null && hit.time <= wanted) {
    stopAt(run, hit)
    return hit.time
  }
  // A run on threads is followed by the clock: it is not held up where nothing has happened yet.
  left = hit !== null ? wanted : Math.max(from, Math.min(wanted, present.clearUntil >= whole ? wanted : present.clearUntil))
  return left
}

/** To the next instant at which a condition is met, without playing what lies between. */
export async function searchNextBreak(): Promise<void> {
  const { run, phase } = runStore.getState()
  if (run === null || breakpointStore.getState().searching || breakpointStore.getState().on.length === 0) return
  move({ playing: false, following: false })
  const search = begin(run, playback.time)
  breakpointSearch = null
  breakpointStore.setState({ searching: true, stopped: null })
  let hit: Hit | null = null
  const whole = knownUntil(run, phase === 'running')
  while (hit === null && search.clearUntil < whole && runStore.getState().run === run) {
    const deadline = performance.now() + 4 * FRAME_MS
    while (hit === null && search.clearUntil < whole && performance.now() < deadline) hit = advanceSearch(search, whole, ROWS)
    if (hit === null) await new Promise((resolve) => setTimeout(resolve))
  }
  breakpointStore.setState({ searching: false })
  if (runStore.getState().run !== run) return
  if (hit === null) breakpointStore.setState({ stopped: { run, hit } })
  else stopAt(run, hit)
}

/** What is met at time 0 counts for who begins there, and not again for who has been stopped by it. */
function begin(run: Run, from: Micros): BreakpointSearch {
  sought = breakpointStore.getState()
  const { conditions, on, stopped } = sought
  const been = stopped?.run === run && stopped.hit?.time === from
  breakpointSearch = createBreakpointSearch(
    run.trace,
    run.estimateHistory,
    on.map((kind) => within(conditions[kind], run)),
    from === 0 && !been ? -1 : from,
  )
  ahead = null
  return breakpointSearch
}

/** A stage that the scenario has not got stands for any. */
function within(condition: Condition, { scenario }: Run): Condition {
  return 'stage' in condition && condition.stage !== null && condition.stage >= scenario.stages.length ? { ...condition, stage: null } : condition
}

function stopAt(run: Run, hit: Hit): void {
  breakpointSearch = null
  ahead = null
  breakpointStore.setState({ stopped: { run, hit } })
  move({ time: hit.time, playing: false, following: false })
}

/** How far all rows are there. Of the last instant of a run under way some may be to come. */
function knownUntil({ trace }: Run, live: boolean): Micros {
  return live ? endOf(trace) - 1 : endOf(trace)
}
