import { t } from '../../language/translate.ts'
import { countRow } from '../../pipeline/countRow.ts'
import { createCounts, frontOf, isOutside } from '../../pipeline/counts.ts'
import * as log from '../../pipeline/rows.ts'
import { SINK } from '../../pipeline/topology.ts'
import { createWorkerJobs, updateWorkerJobs } from '../../pipeline/workerJobs.ts'
import { MAX_BATCH } from '../../scenario/model/limits.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import type { Trace } from '../trace.ts'
import { createWorkTimes, endBatch, noteService } from './workTimes.ts'

/** The places of all jobs, to check whether a row can follow those before it. */
export type RowChecker = ReturnType<typeof createRowChecker>
/** Of a policy that is gone the size of batches is not known. */
type CheckedRecord = Pick<Trace, 'scenario' | 'topology' | 'formerPolicies'>

/** Places of a part. */
const NOT_HERE = 0
const WAITING = 1
const HELD = 2
/** It was finished, and a `routed` row must say where it goes. */
const ROUTING = 3
/** States of a job. */
const UNDER_WAY = 1
const AT_SINK = 2
const AWAY = 3
const LOST_WITH_A_PART = 4
/** Its client has taken it back and may send it again. */
const BETWEEN_TRIES = 5

/** Returns a checker for the jobs below `jobs`. */
export function createRowChecker({ scenario, topology, formerPolicies }: CheckedRecord, jobs: number) {
  const counts = createCounts(scenario)
  return {
    topology,
    counts,
    /** When each phase of the scenario begins, and the largest batch in each phase. */
    phaseTimes: scenario.later.map(({ at }) => at),
    batches: phasesOf(scenario).map((phase, n) => (formerPolicies[n] ? MAX_BATCH : (phase.batch.size ?? MAX_BATCH))),
    /** The most jobs that the source makes. */
    most: countJobs(scenario.source),
    jobs,
    /** By part, stage x jobs + job: one of the places above, and how many parts have gathered there. */
    at: new Uint8Array(jobs * topology.stages),
    gathered: new Map<number, number>(),
    /** By job: its state as a whole, and how many parts it has. */
    whole: new Uint8Array(jobs),
    /** How often clients send a job again; -1: they do not give up. By job: how often its client gave up; 255: it was started. */
    retries: scenario.source.retry?.limit ?? -1,
    gaveUp: new Uint8Array(scenario.source.retry === undefined ? 0 : jobs),
    parts: new Int32Array(jobs),
    hands: createWorkerJobs(counts.jobsInHand.length),
    times: createWorkTimes(counts.jobsInHand.length),
    /** The worker whose second batch the last row announced; NONE: it was another row. */
    announced: log.NONE,
  }
}

/** The column of a row that cannot follow the rows before it. */
type WrongColumn = 'time' | 'kind' | 'stage' | 'worker' | 'job' | 'began'

/** Checks and counts row `i`, which must have the numbers its kind needs. Returns null, or the column for which it cannot follow the rows before it. */
export function checkRow(checker: RowChecker, row: log.Row, rows: log.Rows, i: number): WrongColumn | null {
  const wrong = wrongColumn(checker, row)
  if (wrong !== null) return wrong
  const { counts, hands, times, topology } = checker
  const { kind, time, worker } = row
  if (kind === log.PREFETCH) times.prefetched[worker] = time
  checker.announced = kind === log.PREFETCH ? worker : log.NONE
  if (kind === log.STARTED && counts.jobsInHand[worker] === 0) times.given[worker] = time
  const hadPrefetched = worker >= 0 && counts.prefetching[worker] === 1
  for (const job of updateWorkerJobs(hands, counts, rows, i))
    checker.at[partOf(checker, counts.stage[worker], job)] = WAITING
  countRow(topology, counts, rows, i)
  const atPrefetched = hadPrefetched && counts.prefetching[worker] === 0
  if (worker >= 0 && (atPrefetched || counts.jobsInHand[worker] === 0)) endBatch(times, worker, atPrefetched)
  return null
}

/** Says what a row is that cannot follow the rows before it. */
export function misplaced({ kind, stage, worker, job }: log.Row): string {
  return t('a row {kind} (job {job}, stage {stage}, worker {worker}) cannot follow the rows before it', {
    kind: log.kinds[kind],
    job,
    stage,
    worker,
  })
}

function wrongColumn(checker: RowChecker, row: log.Row): WrongColumn | null {
  const { counts, at, whole, hands, topology, announced } = checker
  const { kind, stage, worker, job } = row
  // The jobs of a second batch are given directly behind the row that announces it.
  if (announced !== log.NONE && kind !== log.STARTED) return 'kind'
  if (announced !== log.NONE && worker !== announced) return 'worker'
  if (counts.stopped) return 'kind'
  switch (kind) {
    case log.ARRIVED:
      if (job >= checker.most) return 'job'
      if (counts.exhausted) return 'kind'
      if (job !== counts.arrived) return 'job'
      whole[job] = UNDER_WAY
      checker.parts[job] = topology.firsts.length
      for (const first of topology.firsts) at[partOf(checker, first, job)] = WAITING
      return null
    case log.STARTED:
      return wrongInStart(checker, row)
    case log.FINISHED: {
      const place = counts.stage[worker] === stage ? hands[worker].indexOf(job) : -1
      if (place < 0) return 'job'
      if (!noteService(checker.times, row, place >= frontOf(counts, worker))) return 'began'
      continueFrom(checker, stage, job)
      return null
    }
    case log.THREW:
      if (isOutside(counts.status[worker]) || counts.stage[worker] !== stage || counts.jobsInHand[worker] === 0)
        return 'worker'
      return job === log.NONE || hands[worker].slice(0, frontOf(counts, worker)).includes(job) ? null : 'job'
    case log.LOST:
      return isOutside(counts.status[worker]) ? 'worker' : null
    case log.PREFETCH:
      return counts.jobsInHand[worker] > 0 && counts.prefetching[worker] === 0 && counts.stage[worker] === stage
        ? null
        : 'worker'
    case log.FAILED:
      if (at[partOf(checker, stage, job)] !== WAITING || whole[job] !== UNDER_WAY) return 'job'
      at[partOf(checker, stage, job)] = NOT_HERE
      whole[job] = LOST_WITH_A_PART
      return null
    case log.RELEASED:
      if (whole[job] !== AT_SINK) return 'job'
      whole[job] = AWAY
      return null
    case log.ROUTED:
      return wrongInRoute(checker, row)
    case log.GATHERED:
      return wrongInGathering(checker, row)
    case log.WITHDRAWN:
      if (at[partOf(checker, stage, job)] !== WAITING || whole[job] !== LOST_WITH_A_PART) return 'job'
      at[partOf(checker, stage, job)] = NOT_HERE
      return null
    case log.DISCARDED: {
      const part = partOf(checker, stage, job)
      const here = checker.gathered.get(part) ?? 0
      if (here === 0 || whole[job] !== LOST_WITH_A_PART) return 'job'
      checker.gathered.set(part, here - 1)
      return null
    }
    case log.EXHAUSTED:
      return counts.exhausted ? 'kind' : null
    case log.JOINED:
    case log.HIRED:
      return isOutside(counts.status[worker]) ? null : 'worker'
    case log.DISMISSED:
      if (counts.leaving[worker] === 1 || counts.stage[worker] !== stage || isOutside(counts.status[worker]))
        return 'worker'
      // A worker that waits for a resource returns its job.
      return job !== log.NONE && !hands[worker].includes(job) ? 'job' : null
    case log.PHASE:
      if (job !== counts.phase || job >= checker.phaseTimes.length) return 'job'
      return row.time >= checker.phaseTimes[job] ? null : 'time'
    case log.RENEGED:
    case log.GAVE_UP:
    case log.RETRIED:
      return wrongInTry(checker, row)
    default:
      return null
  }
}

function partOf({ jobs }: RowChecker, stage: number, job: number): number {
  return stage * jobs + job
}

function wrongInStart(checker: RowChecker, row: log.Row): WrongColumn | null {
  const { counts, at, hands } = checker
  const { stage, worker, job } = row
  const part = partOf(checker, stage, job)
  if (at[part] !== WAITING) return 'job'
  if (isOutside(counts.status[worker]) || (hands[worker].length > 0 && !takesMore(checker, row))) return 'worker'
  at[part] = HELD
  if (checker.gaveUp.length > 0) checker.gaveUp[job] = STARTED_ONCE
  return null
}

const STARTED_ONCE = 255

function wrongInTry(
  { at, counts, gaveUp, jobs, retries, topology, whole }: RowChecker,
  { kind, stage, job }: log.Row,
): WrongColumn | null {
  const { first } = topology
  const part = first * jobs + job
  if (kind === log.RETRIED) {
    if (whole[job] !== BETWEEN_TRIES) return 'job'
    whole[job] = UNDER_WAY
    at[part] = WAITING
    return null
  }
  if (retries < 0) return 'kind'
  if (at[part] !== WAITING || gaveUp[job] === STARTED_ONCE) return 'job'
  if (stage !== first && !(stage === log.NONE && counts.outside > 0)) return 'stage'
  const lastTry = gaveUp[job] === retries
  if (lastTry !== (kind === log.GAVE_UP)) return 'kind'
  gaveUp[job]++
  at[part] = NOT_HERE
  whole[job] = lastTry ? AWAY : BETWEEN_TRIES
  return null
}

/** Whether the batch that a worker is being given has room for one more job. */
function takesMore({ batches, counts, times }: RowChecker, { time, stage, worker }: log.Row): boolean {
  if (counts.stage[worker] !== stage) return false
  const most = batches[counts.phase]
  return counts.prefetching[worker] === 1
    ? times.prefetched[worker] === time && counts.prefetched[worker] < most
    : counts.since[worker] === time && counts.jobsInHand[worker] < most
}

/** Moves a job on that was finished at a stage. */
function continueFrom(checker: RowChecker, stage: number, job: number): void {
  const { at, topology, parts, whole } = checker
  const part = partOf(checker, stage, job)
  const next = topology.next[stage]
  at[part] = NOT_HERE
  if (next >= 0) at[partOf(checker, next, job)] = WAITING
  else if (next === SINK) whole[job] = AT_SINK
  else if (topology.routes[stage] === 1) at[part] = ROUTING
  else {
    const ways = topology.ways[stage]
    parts[job] += ways.length - 1
    for (const way of ways) arriveAt(checker, way, job)
  }
}

function arriveAt(checker: RowChecker, stage: number, job: number): void {
  const { at, gathered, topology } = checker
  const part = partOf(checker, stage, job)
  if (topology.joins[stage] > 0) gathered.set(part, (gathered.get(part) ?? 0) + 1)
  else at[part] = WAITING
}

function wrongInRoute(checker: RowChecker, { stage, job }: log.Row): WrongColumn | null {
  const { at, topology, whole } = checker
  const from = topology.before[stage].find((each) => at[partOf(checker, each, job)] === ROUTING)
  if (from === undefined || whole[job] !== UNDER_WAY) return 'job'
  at[partOf(checker, from, job)] = NOT_HERE
  arriveAt(checker, stage, job)
  return null
}

function wrongInGathering(checker: RowChecker, { stage, job }: log.Row): WrongColumn | null {
  const { at, gathered, parts, topology, whole } = checker
  if (whole[job] !== UNDER_WAY) return 'job'
  if (stage === log.NONE) {
    if (parts[job] !== 0 || !topology.leavesInParts) return 'job'
    whole[job] = AT_SINK
    return null
  }
  const part = partOf(checker, stage, job)
  const waitsFor = topology.joins[stage]
  if (waitsFor === 0 || gathered.get(part) !== waitsFor) return 'job'
  gathered.delete(part)
  parts[job] -= waitsFor - 1
  at[part] = WAITING
  return null
}
