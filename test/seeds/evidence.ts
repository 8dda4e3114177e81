import { castForeseen, createBallot, hashBallot } from '../../src/allocation/ballot.ts'
import { createEstimates, estimateInto, observe } from '../../src/allocation/estimate.ts'
import { markDone } from '../../src/pipeline/counts.ts'
import { createJournal } from '../../src/pipeline/journal.ts'
import { createOutlook, lookAhead } from '../../src/pipeline/outlook.ts'
import { ARRIVED, FINISHED, kinds, pushFinished, pushRow, type Row, rowAt, rowTime } from '../../src/pipeline/rows.ts'
import { declaredMeans } from '../../src/scenario/model/distributions.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { phasesOf, scenarioAtPhase } from '../../src/scenario/model/schedule.ts'
import type { StartCode } from '../../src/scheduler/codePolicy.ts'
import { createCore } from '../../src/scheduler/core.ts'
import { dispatch } from '../../src/scheduler/dispatch.ts'
import { eachRow, stateBefore, type Trace } from '../../src/trace/trace.ts'
import { groupingOf } from '../../src/workload/groups.ts'
import { routingOf } from '../../src/workload/service.ts'
import type { Chance } from '../fixtures/chance.ts'
import { claim } from './claim.ts'

/** One dispatch: how many rows were facts, how many there were in all. */
export interface Instant {
  readonly facts: number
  readonly rows: number
}

/** One decision: how many rows stand before it, the hash of what it saw, the seats by stage after it. */
export interface Decided {
  readonly row: number
  readonly hash: number
  readonly seats: readonly number[]
}

/** Plays the facts through a fresh core: the same orders and decisions must come out. */
export function replayInstants(
  scenario: Scenario,
  rows: readonly Row[],
  decided: readonly Decided[],
  instants: readonly Instant[],
  cost: (stage: number, job: number) => number,
  startCode?: StartCode,
): void {
  const core = createCore(scenario, cost, groupingOf(scenario), routingOf(scenario), startCode)
  const journal = createJournal()
  let row = 0
  for (const { facts, rows: all } of instants) {
    const from = journal.rows.length
    for (const { time, kind, stage, worker, job, began, ended } of rows.slice(row, row + facts)) {
      if (kind === FINISHED) pushFinished(journal.rows, time, stage, worker, job, began, ended)
      else pushRow(journal.rows, time, kind, stage, worker, job)
    }
    dispatch(core, journal, from)
    for (let i = row + facts; i < row + all; i++) {
      const told = i < journal.rows.length ? rowAt(journal.rows, i) : null
      claim(told !== null && sameRow(told, rows[i]), () => `replayed, row ${i} is ${told === null ? 'not there' : spell(told)} instead of ${spell(rows[i])}`)
    }
    row += all
    claim(journal.rows.length === row, () => `replayed, row ${row} is row ${journal.rows.length}`)
  }
  const { decisions } = journal
  claim(decisions.length === decided.length, () => `replayed, there are ${decisions.length} decisions instead of ${decided.length}`)
  const seats = scenario.stages.map(() => 0)
  let change = 0
  decided.forEach((one, d) => {
    for (; change < decisions.ends[d]; change++) seats[decisions.stage[change]] = decisions.seats[change]
    const same = decisions.row[d] === one.row && decisions.hash[d] === one.hash && seats.every((seat, s) => seat === one.seats[s])
    claim(same, () => `replayed, decision ${d} gives seats ${seats} instead of ${one.seats}`)
  })
}

function sameRow(a: Row, b: Row): boolean {
  return a.time === b.time && a.kind === b.kind && a.stage === b.stage && a.worker === b.worker && a.job === b.job
}

/** What a decision saw is folded again from the rows before it, and has the hash that stands in the trace. */
export function rehash(trace: Trace, chance: Chance): void {
  const { scenario } = trace
  const { stages } = scenario
  const ties = stages.map((_, s) => s).sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))
  const ballot = createBallot(stages.length)
  const means = new Float64Array(stages.length)
  const done = new Uint8Array(stages.length)
  const outlook = createOutlook(stages.length)
  const arrivals: number[] = []
  const learners = phasesOf(scenario).map(({ estimator }) => createEstimates(estimator, estimator.prior, declaredMeans(scenario)))
  let row = 0
  for (let d = 0; d < trace.decisions.length; d++) {
    const at = trace.decisions.row[d]
    eachRow(trace, row, at, (rows, i) => {
      if (rows.kind[i] === ARRIVED) arrivals.push(rowTime(rows, i))
      if (rows.kind[i] === FINISHED) for (const estimates of learners) observe(estimates, rows.stage[i], rows.lasted[i])
    })
    row = at
    if (trace.decisions.length > 20 && !chance.percent(10)) continue
    const { counts } = stateBefore(trace, at)
    markDone(trace.topology, counts, done)
    estimateInto(learners[counts.phase], means)
    ballot.workers = counts.live
    ties.forEach((s, k) => {
      ballot.waiting[k] = counts.waiting[s]
      ballot.means[k] = means[s]
      ballot.eligible[k] = 1 - done[s]
    })
    lookAhead(scenarioAtPhase(scenario, counts.phase).policy, trace.topology, counts, arrivals, outlook)
    castForeseen(ballot, ties, outlook, 0)
    claim(hashBallot(ballot) === trace.decisions.hash[d], () => `decision ${d} did not see what the trace says`)
  }
}

/** A row as text. */
export function spell({ time, kind, stage, worker, job, began, ended }: Row): string {
  return `${time} ${kinds[kind]} stage ${stage} worker ${worker} job ${job}${kind === FINISHED ? ` from ${began} to ${ended}` : ''}`
}
