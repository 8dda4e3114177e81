import { createStore } from 'zustand/vanilla'
import type { Condition, Hit } from '../measures/breakpoints.ts'
import { advance, createHunt, type Hunt } from '../measures/hunt.ts'
import type { Micros } from '../scenario/scenario.ts'
import { endOf } from '../trace/trace.ts'
import { playback } from './playback.ts'
import { move, type Run, runStore } from './runStore.ts'

export type ConditionKind = Condition['kind']

/** No more jobs than that can wait; so many moves in a second are kept for every worker. */
export const MOST_JOBS = 1_000_000
export const MOST_MOVES = 1000

interface BreakpointState {
  /** What each sort of condition asks for, whether it is on or not. */
  readonly conditions: { readonly [K in ConditionKind]: Extract<Condition, { kind: K }> }
  readonly on: readonly ConditionKind[]
  /** What the last break was for; `null` hit: looked for, and there is none. */
  readonly stopped: { readonly run: Run; readonly hit: Hit | null } | null
  /** The next break is being looked for. */
  readonly searching: boolean
}

export const breakpointStore = createStore<BreakpointState>(() => ({
  conditions: {
    deserted: { kind: 'deserted', stage: null },
    queue: { kind: 'queue', stage: null, above: 20 },
    disagree: { kind: 'disagree', rule: 'jefferson', power: 1 },
    moves: { kind: 'moves', times: 5 },
  },
  on: [],
  stopped: null,
  searching: false,
}))

/** Milliseconds a frame that looking ahead may cost. */
const FRAME_MS = 3
/** Rows looked at between two looks at the clock. */
const ROWS = 500

let hunt: Hunt | null = null
let ahead: Hit | null = null
/** Where the playhead was left: where it stands elsewhere somebody has moved it, and the search begins anew. */
let left: Micros = -1

export function changeCondition(condition: Condition): void {
  const { conditions } = breakpointStore.getState()
  breakpointStore.setState({ conditions: { ...conditions, [condition.kind]: condition } })
  forget()
}

export function switchCondition(kind: ConditionKind, on: boolean): void {
  const others = breakpointStore.getState().on.filter((each) => each !== kind)
  breakpointStore.setState({ on: on ? [...others, kind] : others })
  forget()
}

function forget(): void {
  hunt = null
  ahead = null
  breakpointStore.setState({ stopped: null })
}

/**
 * How far the playhead may go on its way to `wanted`: less where a condition is met before, or where the search, which runs
 * ahead a few milliseconds' worth a frame, has not come so far yet. Stops the playback, and says why, when it is met.
 */
export function withinBreakpoints(run: Run, wanted: Micros, live: boolean): Micros {
  const { on } = breakpointStore.getState()
  if (on.length === 0) return wanted
  const from = playback.time
  const anew = hunt === null || hunt.trace !== run.trace || from !== left
  const present = anew || hunt === null ? begin(run, from) : hunt
  // Whoever plays on has read it.
  if (breakpointStore.getState().stopped !== null) breakpointStore.setState({ stopped: null })
  const whole = knownUntil(run, live)
  const deadline = performance.now() + FRAME_MS
  while (ahead === null && present.clearUntil < whole && performance.now() < deadline) ahead = advance(present, whole, ROWS)
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
export async function toNextBreak(): Promise<void> {
  const { run, phase } = runStore.getState()
  if (run === null || breakpointStore.getState().searching || breakpointStore.getState().on.length === 0) return
  move({ playing: false, following: false })
  const search = begin(run, playback.time)
  hunt = null
  breakpointStore.setState({ searching: true, stopped: null })
  let hit: Hit | null = null
  const whole = knownUntil(run, phase === 'running')
  while (hit === null && search.clearUntil < whole && runStore.getState().run === run) {
    const deadline = performance.now() + 4 * FRAME_MS
    while (hit === null && search.clearUntil < whole && performance.now() < deadline) hit = advance(search, whole, ROWS)
    if (hit === null) await new Promise((resolve) => setTimeout(resolve))
  }
  breakpointStore.setState({ searching: false })
  if (runStore.getState().run !== run) return
  if (hit === null) breakpointStore.setState({ stopped: { run, hit } })
  else stopAt(run, hit)
}

/** What is met at time 0 counts for who begins there, and not again for who has been stopped by it. */
function begin(run: Run, from: Micros): Hunt {
  const { conditions, on, stopped } = breakpointStore.getState()
  const been = stopped?.run === run && stopped.hit?.time === from
  hunt = createHunt(
    run.trace,
    run.beliefs,
    on.map((kind) => within(conditions[kind], run)),
    from === 0 && !been ? -1 : from,
  )
  ahead = null
  return hunt
}

/** A stage that the scenario has not got stands for any. */
function within(condition: Condition, { scenario }: Run): Condition {
  return 'stage' in condition && condition.stage !== null && condition.stage >= scenario.stages.length ? { ...condition, stage: null } : condition
}

function stopAt(run: Run, hit: Hit): void {
  hunt = null
  ahead = null
  breakpointStore.setState({ stopped: { run, hit } })
  move({ time: hit.time, playing: false, following: false })
}

/** How far all rows are there. Of the last instant of a run under way some may be to come. */
function knownUntil({ trace }: Run, live: boolean): Micros {
  return live ? endOf(trace) - 1 : endOf(trace)
}
