import { isOutside } from '../../pipeline/counts.ts'
import type { ConductedRun } from './conductedRun.ts'
import type { Comers } from './environment.ts'

/**
 * Gives the threads that are free the lowest numbers without a worker. Numbers whose worker the scenario itself has taken away stay
 * empty. An elastic policy hires for itself. Nobody is asked any more once a run without a worker has waited long enough.
 */
export function seatComers(run: ConductedRun, comers: Comers): void {
  const { counts } = run.core.state
  if (run.controllerClock === null && !counts.stopped && awaitsComers(run)) {
    let free = comers.free()
    for (let worker = 0; worker < run.wanted.length && free > 0; worker++) {
      if (!isOpen(run, worker)) continue
      run.switchCosts.forget(worker)
      run.leaving[worker] = 0
      run.joining.add(worker)
      run.pool.hire(worker)
      free--
    }
  }
  run.emptySince = counts.live > 0 ? Infinity : Math.min(run.emptySince, run.now)
}

/** Whether a run without a worker waits for a comer. */
export function awaitsComers({ comers, emptySince, now }: ConductedRun): boolean {
  return comers !== null && now - emptySince < comers.patience
}

function isOpen({ wanted, joining, inbox, core }: ConductedRun, worker: number): boolean {
  return wanted[worker] === 1 && isOutside(core.state.counts.status[worker]) && !joining.has(worker) && !inbox.joined.includes(worker)
}
