import { markDone } from '../../pipeline/counts.ts'
import { applySeats } from '../../pipeline/journal.ts'
import { stageLabels } from '../../scenario/model/linearStages.ts'
import type { Micros, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { createFollower, decisionTime, follow } from '../../trace/follow.ts'
import type { Trace } from '../../trace/trace.ts'
import { readinessBy } from '../frame/startUps.ts'
import { type Decision, policyOf } from './decision.ts'
import { assignmentsOf, factsOf, freeAfter } from './decisionContext.ts'
import { spoken } from './decisionWords.ts'
import { type EstimateHistory, estimatesBefore } from './estimateHistory.ts'
import { createSpeech } from './speech.ts'

const PART = 2048

/**
 * Writes all decisions as CSV in parts, a line each:
 *
 *   decision, time_us, workers, then for every stage: waiting:Parse, mean_us:Parse, done:Parse, seats:Parse, then: sentence
 *
 * mean_us is the scheduler's estimate of a service; seats are those after the decision.
 */
export function* writeDecisionsCsv(trace: Trace, estimateHistory: EstimateHistory): Generator<string, void, undefined> {
  const { scenario, topology, decisions } = trace
  const { stages } = scenario
  // A heading has quotes only where its name needs them.
  const headOf = (text: string) => (/[",]/.test(text) ? quoted(text) : text)
  const heads = stageLabels(scenario).flatMap((label) =>
    ['waiting', 'mean_us', 'done', 'seats'].map((what) => headOf(`${what}:${label}`)),
  )
  yield `${['decision', 'time_us', 'workers', ...heads, 'sentence'].join()}\r\n`
  const speech = createSpeech(scenario)
  const follower = createFollower(trace)
  const { counts } = follower
  const done = new Uint8Array(stages.length)
  const seats = stages.map(() => 0)
  let lines: string[] = []
  for (let d = 0; d < decisions.length; d++) {
    const row = decisions.row[d]
    follow(follower, row - follower.rows, null)
    const seatsBefore = seats.slice()
    applySeats(decisions, d, seats)
    markDone(topology, counts, done)
    const means = estimatesBefore(estimateHistory, row, counts)
    let cells = ''
    for (let s = 0; s < stages.length; s++) cells += `${counts.waiting[s]},${means[s]},${done[s]},${seats[s]},`
    const time = decisionTime(trace, d)
    const { waiting, busy } = counts
    const stageRows = seats.map((n, s) => ({
      waiting: waiting[s],
      done: done[s] === 1,
      busy: busy[s],
      seatsBefore: seatsBefore[s],
      seatsAfter: n,
    }))
    const facts = factsOf(trace, d, time)
    const decision = {
      policy: policyOf(scenario, counts.phase, d).kind,
      former: trace.formerPolicies[counts.phase]?.kind,
      workers: counts.live,
      facts,
      free: freeAfter(facts, counts),
      orders: assignmentsOf(trace, d, time, counts),
      readiness: readinessBy(trace, counts, time),
      stages: stageRows,
    }
    lines.push(`${d + 1},${time},${counts.live},${cells}${quoted(spoken(scenario, speech, decision))}`)
    if (lines.length < PART) continue
    yield `${lines.join('\r\n')}\r\n`
    lines = []
  }
  if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
}

/** Quotes a name (RFC 4180). No cell begins with a name, so none is a formula. */
function quoted(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`
}

/**
 * A decision as a test for another allocator, as JSON. `cpus`, `stats` and `done` are the input of `allocateWorkers`,
 * as plain objects and lists; `expected` are the seats that were given.
 *
 *   { "format": "apportion-decision", "version": 1, "policy": "leastScore", "time": 1040000, "cpus": 8,
 *     "stats": { "A": { "queueLength": 900, "serviceTimesPicos": [1000000000] } }, "done": [], "expected": { "A": 8 } }
 *
 * The scheduler's estimate of a job is written there as one measurement, in whole picoseconds.
 */
export interface TestVector {
  readonly format: 'apportion-decision'
  readonly version: 1
  readonly policy: PolicyKind
  /** Of the policy `power`. */
  readonly power?: number
  readonly time: Micros
  readonly cpus: number
  readonly stats: Readonly<
    Record<string, { readonly queueLength: number; readonly serviceTimesPicos: readonly number[] }>
  >
  readonly done: readonly string[]
  readonly expected: Readonly<Record<string, number>>
}

const PICOS = 1_000_000

export function testVectorOf(scenario: Scenario, decision: Decision): TestVector {
  const { stages, policy } = scenarioAtPhase(scenario, decision.phase)
  const by = <T>(value: (s: number) => T) => Object.fromEntries(stages.map(({ id }, s) => [id, value(s)]))
  const seen = decision.stages
  return {
    format: 'apportion-decision',
    version: 1,
    policy: policy.kind,
    ...(policy.kind === 'power' ? { power: policy.p } : {}),
    time: decision.time,
    cpus: decision.workers,
    stats: by((s) => ({ queueLength: seen[s].waiting, serviceTimesPicos: [Math.round(seen[s].mean * PICOS)] })),
    done: stages.filter((_, s) => seen[s].done).map(({ id }) => id),
    expected: by((s) => seen[s].seatsAfter),
  }
}
