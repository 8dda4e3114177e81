import { isOutside } from '../../pipeline/counts.ts'
import { DISMISSED, FAILED, HIRED, PREFETCH, RELEASED, STARTED } from '../../pipeline/rows.ts'
import { isWaiting } from '../../pipeline/state.ts'
import { silenceLimit, startGranted } from '../engine.ts'
import type { ConductedRun } from './conductedRun.ts'
import type { NewWorkers } from './environment.ts'

/** Carries out the core's orders, the rows from `from` on. Consecutive `started` rows of one worker are one batch. */
export function carryOut(run: ConductedRun, from: number): void {
  const { rows } = run.journal
  const { state } = run.core
  startGranted(state, (worker, stage) => send(run, worker, stage, state.workerJobs[worker].slice(), false))
  for (let i = from; i < rows.length; ) {
    if (rows.kind[i] === RELEASED) run.runPayloads?.release(rows.job[i])
    else if (rows.kind[i] === FAILED) run.runPayloads?.drop(rows.job[i], rows.stage[i])
    else if (rows.kind[i] === HIRED) hire(run, rows.worker[i], rows.stage[i])
    // A busy worker is dismissed when its batch is reported.
    else if (rows.kind[i] === DISMISSED && state.counts.leaving[rows.worker[i]] === 0) run.pool.dismiss(rows.worker[i])
    if (rows.kind[i] !== STARTED) {
      i++
      continue
    }
    const worker = rows.worker[i]
    const behind = i > from && rows.kind[i - 1] === PREFETCH
    const stage = rows.stage[i]
    const jobs: number[] = []
    for (; i < rows.length && rows.kind[i] === STARTED && rows.worker[i] === worker; i++) jobs.push(rows.job[i])
    // A worker that waits for a resource gets its batch when the resource is granted.
    if (isWaiting(state, worker)) run.switchCosts.startUp(worker, stage, run.now)
    else send(run, worker, stage, jobs, behind)
  }
}

/** Starts a new thread, perhaps under the number of an earlier worker. The worker counts at once; its batches wait until the thread has answered. */
function hire(run: ConductedRun, worker: number, stage?: number): void {
  run.switchCosts.forget(worker)
  if (stage !== undefined) run.switchCosts.startUp(worker, stage, run.now)
  run.leaving[worker] = 0
  run.pool.hire(worker)
}

/** Sends a batch. One `behind` another waits in the port of the thread until the other is done. */
function send(run: ConductedRun, worker: number, stage: number, jobs: readonly number[], behind: boolean): void {
  const { scenario, services, runPayloads, core, own } = run
  const { work } = scenario.stages[stage]
  const before = run.switchCosts.before(worker, stage, jobs, run.phases.taken, run.now)
  const switchCosts = jobs.map((job, k) => (k === 0 ? before : run.switchCosts.between(worker, jobs[k - 1], job)))
  const times = jobs.map((job) => services.at(stage, job))
  let expected = 0
  for (let k = 0; k < jobs.length; k++) expected += switchCosts[k] + times[k]
  const failing = run.failing[stage]
  const payloads =
    (own === null && (work === 'burn' || work === 'wait')) || runPayloads === null
      ? null
      : jobs.map((job) => runPayloads.at(job, stage))
  const most =
    payloads === null || runPayloads === null ? 0 : jobs.reduce((total, job) => total + runPayloads.atMost(job), 0)
  if (behind) run.prefetchedAt[worker] = run.now
  else run.givenAt[worker] = run.now
  const { leases, prefetchLeases } = core.state
  run.pool.send(
    worker,
    (behind ? prefetchLeases : leases)[worker],
    {
      work,
      stage,
      switchCosts,
      jobs,
      services: times,
      failing: failing.size === 0 ? none : jobs.filter((job) => failing.has(job)),
      payloads,
    },
    own?.silence[stage] ?? Math.max(silenceLimit(expected * run.slowdown, run.longestBatch), most * run.slowdown),
    behind,
  )
}

const none: readonly number[] = []

/** Gives the free threads the lowest numbers without a worker. An elastic policy hires for itself. A run that has waited long enough asks for none. */
export function seatNewWorkers(run: ConductedRun, newWorkers: NewWorkers): void {
  const { counts } = run.core.state
  if (run.controllerClock === null && !counts.stopped && awaitsNewWorkers(run)) {
    let free = newWorkers.free()
    const last = run.wanted.lastIndexOf(1)
    for (let worker = 0; worker <= last && free > 0; worker++) {
      if (!isOpen(run, worker)) continue
      run.joining.add(worker)
      hire(run, worker)
      free--
    }
  }
  run.emptySince = counts.live > 0 ? Infinity : Math.min(run.emptySince, newWorkers.waited())
}

/** Whether a run without a worker waits for a new one. */
export function awaitsNewWorkers({ newWorkers, emptySince }: ConductedRun): boolean {
  return newWorkers !== null && newWorkers.waited() - emptySince < newWorkers.patience
}

function isOpen({ wanted, joining, inbox, core }: ConductedRun, worker: number): boolean {
  return (
    wanted[worker] === 1 &&
    isOutside(core.state.counts.status[worker]) &&
    !joining.has(worker) &&
    !inbox.joined.includes(worker)
  )
}
