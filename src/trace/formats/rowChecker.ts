import { t } from '../../language/translate.ts'
import { countRow } from '../../pipeline/countRow.ts'
import { createCounts, frontOf, isOutside } from '../../pipeline/counts.ts'
import * as log from '../../pipeline/rows.ts'
import { SINK } from '../../pipeline/topology.ts'
import { createWorkerJobs, updateWorkerJobs } from '../../pipeline/workerJobs.ts'
import { CLOCK_END, MAX_BATCH } from '../../scenario/model/limits.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { countText, foundText, listed } from '../../scenario/model/words.ts'
import { wholeText } from '../../scenario/parse/shape.ts'
import type { Trace } from '../trace.ts'
import { createWorkTimes, endBatch, type Objection, objectionToService, wrong } from './workTimes.ts'

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

/** Checks and counts row `i`, which must have the numbers its kind needs. Returns null, or why it cannot follow the rows before it. */
export function checkRow(checker: RowChecker, row: log.Row, rows: log.Rows, i: number): Objection | null {
  const objection = objectionTo(checker, row)
  if (objection !== null) return objection
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

function objectionTo(checker: RowChecker, row: log.Row): Objection | null {
  const { counts, at, whole, hands, topology } = checker
  const { kind, stage, worker, job } = row
  const { announced } = checker
  if (announced !== log.NONE && (kind !== log.STARTED || worker !== announced)) return announcedElse(announced, row)
  if (counts.stopped)
    return wrong('kind', t('nothing can be {kinds} after the run was stopped', { kinds: log.kinds[kind] }))
  switch (kind) {
    case log.ARRIVED:
      if (job >= checker.most) return wrong('job', foundText(job, wholeText(0, checker.most - 1)))
      if (counts.exhausted) return wrong('kind', t('the source has run dry already'))
      if (job !== counts.arrived) return wrong('job', foundText(job, countText(counts.arrived)))
      whole[job] = UNDER_WAY
      checker.parts[job] = topology.firsts.length
      for (const first of topology.firsts) at[partOf(checker, first, job)] = WAITING
      return null
    case log.STARTED:
      return objectionToStart(checker, row)
    case log.FINISHED: {
      const place = counts.stage[worker] === stage ? hands[worker].indexOf(job) : -1
      if (place < 0) return notInHand(row)
      const objection = objectionToService(checker.times, row, place >= frontOf(counts, worker))
      if (objection !== null) return objection
      continueFrom(checker, stage, job)
      return null
    }
    case log.THREW:
    case log.LOST:
      if (isOutside(counts.status[worker])) return wrong('worker', t('worker {worker} is not there', { worker }))
      if (kind === log.THREW && (counts.stage[worker] !== stage || counts.jobsInHand[worker] === 0))
        return withoutJob(row)
      return kind === log.THREW && job !== log.NONE && !hands[worker].slice(0, frontOf(counts, worker)).includes(job)
        ? notInHand(row)
        : null
    case log.PREFETCH:
      if (counts.jobsInHand[worker] > 0 && counts.prefetching[worker] === 0 && counts.stage[worker] === stage)
        return null
      return withoutJob(row)
    case log.FAILED:
      if (at[partOf(checker, stage, job)] !== WAITING || whole[job] !== UNDER_WAY) return notWaiting(row)
      at[partOf(checker, stage, job)] = NOT_HERE
      whole[job] = LOST_WITH_A_PART
      return null
    case log.RELEASED:
      if (whole[job] !== AT_SINK)
        return wrong('job', t('job {job} has not been through all stages, or has left', { job }))
      whole[job] = AWAY
      return null
    case log.ROUTED:
      return objectionToRoute(checker, row)
    case log.GATHERED:
      return objectionToGathering(checker, row)
    case log.WITHDRAWN:
      if (at[partOf(checker, stage, job)] !== WAITING) return notWaiting(row)
      if (whole[job] !== LOST_WITH_A_PART) return notFailed(row)
      at[partOf(checker, stage, job)] = NOT_HERE
      return null
    case log.DISCARDED: {
      const part = partOf(checker, stage, job)
      const here = checker.gathered.get(part) ?? 0
      if (here === 0) return notWaiting(row)
      if (whole[job] !== LOST_WITH_A_PART) return notFailed(row)
      checker.gathered.set(part, here - 1)
      return null
    }
    case log.EXHAUSTED:
      return counts.exhausted ? wrong('kind', t('the source has run dry already')) : null
    case log.JOINED:
    case log.HIRED:
      return !isOutside(counts.status[worker])
        ? wrong('worker', t('worker {worker} is there already', { worker }))
        : null
    case log.DISMISSED:
      if (counts.leaving[worker] === 1 || counts.stage[worker] !== stage || isOutside(counts.status[worker]))
        return wrong('worker', t('worker {worker} is not there', { worker }))
      // A worker that waits for a resource returns its job.
      return job !== log.NONE && !hands[worker].includes(job) ? notInHand(row) : null
    case log.PHASE:
      return objectionToPhase(checker, row)
    case log.RENEGED:
    case log.GAVE_UP:
    case log.RETRIED:
      return objectionToClient(checker, row)
    default:
      return null
  }
}

function partOf({ jobs }: RowChecker, stage: number, job: number): number {
  return stage * jobs + job
}

function objectionToStart(checker: RowChecker, row: log.Row): Objection | null {
  const { counts, at, hands } = checker
  const { stage, worker, job } = row
  const part = partOf(checker, stage, job)
  if (at[part] !== WAITING) return notWaiting(row)
  if (isOutside(counts.status[worker])) return wrong('worker', t('worker {worker} is not there', { worker }))
  const [first] = hands[worker]
  if (first === undefined || takesMore(checker, row)) {
    at[part] = HELD
    if (checker.gaveUp.length > 0) checker.gaveUp[job] = STARTED_ONCE
    return null
  }
  return wrong('worker', t('worker {worker} is given job {job} while it has job {first}', { worker, job, first }))
}

const STARTED_ONCE = 255

function objectionToClient(
  { at, counts, gaveUp, jobs, retries, topology, whole }: RowChecker,
  row: log.Row,
): Objection | null {
  const { kind, stage, job } = row
  const { first } = topology
  const part = first * jobs + job
  if (kind === log.RETRIED) {
    if (whole[job] !== BETWEEN_TRIES)
      return wrong('job', t('job {job} was not taken back, so it cannot be sent again', { job }))
    whole[job] = UNDER_WAY
    at[part] = WAITING
    return null
  }
  if (retries < 0) return wrong('kind', t('the source has no retry'))
  if (at[part] !== WAITING || gaveUp[job] === STARTED_ONCE) return notWaiting({ ...row, stage: first })
  if (stage !== first && !(stage === log.NONE && counts.outside > 0))
    return wrong('stage', foundText(stage, listed([String(first), '-1'], 'or')))
  const lastTry = gaveUp[job] === retries
  if (lastTry !== (kind === log.GAVE_UP))
    return wrong('kind', foundText(log.kinds[kind], lastTry ? 'gaveUp' : 'reneged'))
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

function objectionToRoute(checker: RowChecker, { stage, job }: log.Row): Objection | null {
  const { at, topology, whole } = checker
  const from = topology.before[stage].find((each) => at[partOf(checker, each, job)] === ROUTING)
  if (from === undefined || whole[job] !== UNDER_WAY)
    return wrong('job', t('job {job} is not on its way to stage {stage}', { job, stage }))
  at[partOf(checker, from, job)] = NOT_HERE
  arriveAt(checker, stage, job)
  return null
}

function objectionToGathering(checker: RowChecker, { stage, job }: log.Row): Objection | null {
  const { at, gathered, parts, topology, whole } = checker
  if (stage === log.NONE) {
    if (whole[job] !== UNDER_WAY || parts[job] !== 0 || !topology.leavesInParts)
      return wrong('job', t('job {job} has not been through all stages, or has left', { job }))
    whole[job] = AT_SINK
    return null
  }
  const part = partOf(checker, stage, job)
  const waitsFor = topology.joins[stage]
  const here = gathered.get(part) ?? 0
  if (waitsFor === 0 || here !== waitsFor || whole[job] !== UNDER_WAY)
    return wrong(
      'job',
      t('{here} parts of job {job} are at stage {stage}; allowed: {waitsFor}', {
        here,
        job,
        stage,
        waitsFor,
      }),
    )
  gathered.delete(part)
  parts[job] -= waitsFor - 1
  at[part] = WAITING
  return null
}

function objectionToPhase({ counts, phaseTimes }: RowChecker, { time, job }: log.Row): Objection | null {
  if (job !== counts.phase || job >= phaseTimes.length)
    return wrong('job', foundText(job, wholeText(counts.phase, phaseTimes.length - 1)))
  return time >= phaseTimes[job] ? null : wrong('time', foundText(time, wholeText(phaseTimes[job], CLOCK_END)))
}

/** The jobs of a second batch are given directly behind the row that announces it. */
function announcedElse(announced: number, { kind, worker }: log.Row): Objection {
  return kind === log.STARTED
    ? wrong('worker', foundText(worker, countText(announced)))
    : wrong('kind', foundText(log.kinds[kind], 'started'))
}

function notWaiting({ stage, job }: log.Row): Objection {
  return wrong('job', t('job {job} is not waiting at stage {stage}', { job, stage }))
}

function notFailed({ job }: log.Row): Objection {
  return wrong('job', t('job {job} has not failed', { job }))
}

function notInHand({ stage, worker, job }: log.Row): Objection {
  return wrong('job', t('worker {worker} does not have job {job} at stage {stage}', { job, worker, stage }))
}

function withoutJob({ stage, worker }: log.Row): Objection {
  return wrong('worker', t('worker {worker} has no job of stage {stage} in hand', { worker, stage }))
}
