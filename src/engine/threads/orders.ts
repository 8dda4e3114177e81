import { DISMISSED, FAILED, HIRED, NONE, RELEASED, SECOND, STARTED } from '../../pipeline/rows.ts'
import { patience } from '../patience.ts'
import type { Run } from './run.ts'

/** Carries out what the core has answered, the rows from `from` on: a run of `started` rows of one worker is a batch. */
export function carryOut(run: Run, from: number): void {
  const { rows } = run.journal
  for (let i = from; i < rows.length; ) {
    if (rows.kind[i] === RELEASED) run.cargo?.release(rows.job[i])
    else if (rows.kind[i] === FAILED) run.cargo?.drop(rows.job[i])
    else if (rows.kind[i] === HIRED) hire(run, rows.worker[i])
    // Whoever is still busy is let go when its batch is reported.
    else if (rows.kind[i] === DISMISSED && run.core.state.tally.leaving[rows.worker[i]] === 0) run.pool.dismiss(rows.worker[i])
    if (rows.kind[i] !== STARTED) {
      i++
      continue
    }
    const worker = rows.worker[i]
    const jobs: number[] = []
    const behind = i > from && rows.kind[i - 1] === SECOND
    const stage = rows.stage[i]
    for (; i < rows.length && rows.kind[i] === STARTED && rows.worker[i] === worker; i++) jobs.push(rows.job[i])
    send(run, worker, stage, jobs, behind)
  }
}

/** A new thread under a number that may be an old one. The order counts at once; a batch waits until the thread has answered. */
function hire(run: Run, worker: number): void {
  run.stageBefore[worker] = NONE
  run.leaving[worker] = 0
  run.pool.hire(worker)
}

/** A batch `behind` another waits at its worker, in the port of its thread, until that one is through. */
function send(run: Run, worker: number, stage: number, jobs: readonly number[], behind: boolean): void {
  const { scenario, services, cargo, core } = run
  const { work } = scenario.stages[stage]
  const before = run.stageBefore[worker]
  const changing = before === NONE || before === stage ? 0 : scenario.switchCost
  const foretold = jobs.map((job) => services.at(stage, job))
  const sum = foretold.reduce((total, service) => total + service, changing)
  const failing = run.failing[stage]
  const payloads = work === 'burn' || work === 'wait' || cargo === null ? null : jobs.map((job) => cargo.at(job))
  run.stageBefore[worker] = stage
  if (!behind) run.given[worker] = run.now
  const { leases, nextLeases } = core.state
  run.pool.send(
    worker,
    (behind ? nextLeases : leases)[worker],
    { work, changing, jobs, services: foretold, failing: failing.size === 0 ? none : jobs.filter((job) => failing.has(job)), payloads },
    patience(sum * run.crowding, run.longest),
    behind,
  )
}

const none: readonly number[] = []
