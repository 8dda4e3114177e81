import { DISMISSED, FAILED, HIRED, PREFETCH, RELEASED, STARTED } from '../../pipeline/rows.ts'
import { isWaiting } from '../../pipeline/state.ts'
import { sendGranted } from '../granted.ts'
import { patience } from '../patience.ts'
import type { ConductedRun } from './run.ts'

/** Carries out what the core has answered, the rows from `from` on: a run of `started` rows of one worker is a batch. */
export function carryOut(run: ConductedRun, from: number): void {
  const { rows } = run.journal
  const { state } = run.core
  sendGranted(state, (worker, stage) => send(run, worker, stage, state.hands[worker].slice(), false))
  for (let i = from; i < rows.length; ) {
    if (rows.kind[i] === RELEASED) run.runPayloads?.release(rows.job[i])
    else if (rows.kind[i] === FAILED) run.runPayloads?.drop(rows.job[i])
    else if (rows.kind[i] === HIRED) hire(run, rows.worker[i])
    // Whoever is still busy is let go when its batch is reported.
    else if (rows.kind[i] === DISMISSED && state.counts.leaving[rows.worker[i]] === 0) run.pool.dismiss(rows.worker[i])
    if (rows.kind[i] !== STARTED) {
      i++
      continue
    }
    const worker = rows.worker[i]
    const jobs: number[] = []
    const behind = i > from && rows.kind[i - 1] === PREFETCH
    const stage = rows.stage[i]
    for (; i < rows.length && rows.kind[i] === STARTED && rows.worker[i] === worker; i++) jobs.push(rows.job[i])
    // Who waits for a resource is told of its job when that is granted: nothing is awaited of it till then.
    if (!isWaiting(state, worker)) send(run, worker, stage, jobs, behind)
  }
}

/** A new thread under a number that may be an old one. The order counts at once; a batch waits until the thread has answered. */
function hire(run: ConductedRun, worker: number): void {
  run.changes.forget(worker)
  run.leaving[worker] = 0
  run.pool.hire(worker)
}

/** A batch `behind` another waits at its worker, in the port of its thread, until that one is through. */
function send(run: ConductedRun, worker: number, stage: number, jobs: readonly number[], behind: boolean): void {
  const { scenario, services, runPayloads, core, changes } = run
  const { work } = scenario.stages[stage]
  const changing = jobs.map((job, k) => (k === 0 ? changes.before(worker, stage, jobs, run.turns.taken) : changes.between(worker, jobs[k - 1], job)))
  const foretold = jobs.map((job) => services.at(stage, job))
  const sum = foretold.reduce((total, service, k) => total + service + changing[k], 0)
  const failing = run.failing[stage]
  const payloads = work === 'burn' || work === 'wait' || runPayloads === null ? null : jobs.map((job) => runPayloads.at(job, stage))
  const most = payloads === null || runPayloads === null ? 0 : jobs.reduce((total, job) => total + runPayloads.atMost(job), 0)
  if (!behind) run.given[worker] = run.now
  const { leases, prefetchLeases } = core.state
  run.pool.send(
    worker,
    (behind ? prefetchLeases : leases)[worker],
    { work, changing, jobs, services: foretold, failing: failing.size === 0 ? none : jobs.filter((job) => failing.has(job)), payloads },
    Math.max(patience(sum * run.crowding, run.longest), most * run.crowding),
    behind,
  )
}

const none: readonly number[] = []
