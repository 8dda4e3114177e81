import { sum } from 'd3-array'
import { t } from '../../language/translate.ts'
import { type Metrics, metricsOf } from '../../measures/figures/metrics.ts'
import { apply, skipConsequences } from '../../pipeline/apply.ts'
import { IDLE } from '../../pipeline/counts.ts'
import { applySeats } from '../../pipeline/journal.ts'
import { NONE } from '../../pipeline/rows.ts'
import { createState, runnable, type State } from '../../pipeline/state.ts'
import { playSimulation } from '../../runs/play/play.ts'
import { withMoves } from '../../runs/study/compare.ts'
import type { Goal } from '../../scenario/link/opening.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { decisionTime } from '../../trace/follow.ts'
import { beginning, journalBetween } from '../../trace/journalBetween.ts'
import { append, createTrace, eachRow, type Trace, timeOf } from '../../trace/trace.ts'
import { groupingOf } from '../../workload/groups.ts'
import { routingOf, sizesOf } from '../../workload/service.ts'

/** What the player can choose at a decision. Arrays are by stage, in listing order. */
export interface SeatChoice {
  readonly decision: number
  readonly time: Micros
  /** How many idle workers may begin a job: at least one. */
  readonly free: number
  /** How many of them may stay idle: all, unless no other worker is busy and no job arrives. */
  readonly mayWait: number
  readonly busy: readonly number[]
  /** How many workers could begin a job there. */
  readonly open: readonly number[]
  /** Where the policy `leastScore` would send them. */
  readonly rule: readonly number[]
}

/** The state of a game. */
export interface Game {
  /** Holds all allocations so far, also those without a choice. */
  readonly scenario: Scenario
  /** The record up to the decision that the player has to make; of a finished game the whole run. */
  readonly trace: Trace
  readonly choice: SeatChoice | null
  /** How many choices there are in all if the policy `leastScore` plays the rest. */
  readonly choices: number
  /** The scores if the policy `leastScore` plays the rest. The player sees them at the end only. */
  readonly onward: Scores
}

export type Scores = Readonly<Record<Goal, Micros>>

/** The limits of what a person can be asked to play. */
const MAX_SERVICES = 1000
const MAX_CHOICES = 60

/** Returns the allocation that sends this many free workers to each stage, while busy workers stay where they are. */
export function seatsFor({ busy }: SeatChoice, sent: readonly number[]): number[] {
  return busy.map((n, s) => n + sent[s])
}

/** Plays these moves, then until the player has to choose, or to the end. `startedAt` in milliseconds since 1970. */
export async function playByHand(
  base: Scenario,
  allocations: readonly (readonly number[])[],
  startedAt: number,
): Promise<Game> {
  const trace = await playSimulation(withMoves(base, allocations), startedAt)
  const onward = scoresOf(metricsOf(trace))
  const moves = allocations.slice()
  let next: SeatChoice | null = null
  let choices = 0
  for (const { choice, seats, asks } of choicesOf(trace)) {
    if (asks) choices++
    if (next !== null || choice.decision < allocations.length) continue
    if (asks) next = choice
    else moves.push(seats)
  }
  const scenario = withMoves(base, moves)
  return {
    scenario,
    trace: until(trace, scenario, next?.decision ?? trace.decisions.length),
    choice: next,
    choices,
    onward,
  }
}

/** Returns the scores in whole microseconds, as a link carries them. */
export function scoresOf({ makespan, meanFlowTime }: Pick<Metrics, 'makespan' | 'meanFlowTime'>): Scores {
  return { makespan, flow: Math.round(meanFlowTime) }
}

/** Returns how many choices a game of this scenario has under `leastScore`, or in words why it cannot be played by hand. */
export async function isPlayable(
  scenario: Scenario,
): Promise<{ readonly choices: number } | { readonly reason: string }> {
  const { source, order, batch, later, stages } = scenario
  const refuse = (reason: string) => ({ reason })
  if (source.kind === 'lines' || order.kind === 'shard' || batch.adaptive || batch.inHand > 1 || later.length > 0)
    return refuse(t('a player cannot choose with a file, shards, adaptive or several batches, or a change midway'))
  const tooLong = () => refuse(t('it is too long'))
  if (countJobs(source) * stages.length > MAX_SERVICES) return tooLong()
  const choices = countChoices(await playSimulation(withMoves(scenario, []), 0))
  if (choices === 0) return refuse(t('there is never anything to choose'))
  return choices > MAX_CHOICES ? tooLong() : { choices }
}

/** Returns how often a player would have to choose in a run. */
export function countChoices(trace: Trace): number {
  return [...choicesOf(trace)].filter(({ asks }) => asks).length
}

/**
 * Yields every decision of a run, with the allocation that was given, and whether the player is asked: where several stages have work, more
 * than the free workers could begin, or where a worker that may stay idle was idle before or would have to change stage.
 */
function* choicesOf(
  trace: Trace,
): Generator<{ readonly choice: SeatChoice; readonly seats: number[]; readonly asks: boolean }> {
  const { scenario, decisions } = trace
  const state = createState(scenario, sizesOf(scenario), groupingOf(scenario), routingOf(scenario))
  const seats = scenario.stages.map(() => 0)
  let waited = false
  let row = 0
  const goTo = (end: number) => {
    eachRow(trace, row, end, (rows, i) => {
      apply(state, rows, i)
      skipConsequences(state)
    })
    row = end
  }
  for (let d = 0; d < decisions.length; d++) {
    goTo(decisions.row[d])
    applySeats(decisions, d, seats)
    const { live } = state.counts
    const busy = Array.from(state.counts.busy)
    const open = scenario.stages.map(({ resource }, s) =>
      Math.ceil(runnable(state, s) / (resource === null ? (scenario.batch.size ?? 1) : 1)),
    )
    const changesStage = scenario.switchCost > 0 && mustChangeStage(state, open)
    const time = decisionTime(trace, d)
    let end = row
    while (
      end < trace.length &&
      timeOf(trace, end) === time &&
      (d + 1 === decisions.length || end < decisions.row[d + 1])
    )
      end++
    goTo(end)
    const rule = Array.from(state.counts.busy, (n, s) => n - busy[s])
    const free = Math.min(live - sum(busy), sum(open))
    const choice = {
      decision: d,
      time,
      free,
      mayWait: sum(busy) > 0 || !state.counts.exhausted ? free : free - 1,
      busy,
      open,
      rule,
    }
    const differs = open.filter((n) => n > 0).length > 1 && free < sum(open)
    yield { choice, seats: seats.slice(), asks: differs || (choice.mayWait > 0 && (waited || changesStage)) }
    waited = sum(rule) < free && sum(seats.map((n, s) => Math.max(n, busy[s]))) < live
  }
}

/** Returns whether a worker that may begin has to change stage. A place goes to an idle worker of the stage first, then to the lowest number. */
function mustChangeStage({ counts: { status, stage } }: State, open: readonly number[]): boolean {
  const left = open.slice()
  const others = Array.from(stage).filter((at, w) => {
    if (status[w] !== IDLE) return false
    if (at === NONE || left[at] === 0) return true
    left[at]--
    return false
  })
  return others.slice(0, sum(left)).some((at) => at !== NONE)
}

/** Returns the record up to decision d, as the record of this scenario. */
function until(trace: Trace, scenario: Scenario, d: number): Trace {
  const { decisions, engine, startedAt, length, failures, ending } = trace
  const whole = d === decisions.length
  const end = whole ? length : decisions.row[d]
  const cut = createTrace(scenario, engine, startedAt)
  append(cut, journalBetween(trace, beginning, { rows: end, decisions: d }))
  const last = end === 0 ? 0 : timeOf(cut, end - 1)
  cut.failures.push(...failures.filter(({ time }) => time <= last))
  cut.ending = whole ? ending : null
  return cut
}
