import { topologyOf } from '../../pipeline/topology.ts'
import { countJobs } from '../../scenario/limits.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { Output } from './cargo.ts'
import { kernels } from './kernels.ts'
import { checkBounds, loadCargo } from './loadCargo.ts'

/** How often the one who waits hears of progress. */
const REPORT_MILLISECONDS = 50

/**
 * What a run comes to, worked out in the plainest way: every record through all real stages before the next is begun, by
 * one thread. Records that fail are left out, as in a run. Null if the scenario carries nothing.
 */
export async function runInSequence(scenario: Scenario, file: Blob | null, progress: (done: number, jobs: number) => void): Promise<Output | null> {
  checkBounds(scenario)
  const cargo = await loadCargo(scenario, file)
  if (cargo === null) return null
  const jobs = countJobs(scenario.source)
  const stages = Array.from(topologyOf(scenario).order, (stage) => scenario.stages[stage])
  const failing = new Set(stages.flatMap((stage) => stage.fails?.jobs ?? []))
  let reported = performance.now()
  for (let job = 0; job < jobs; job++) {
    try {
      if (failing.has(job)) continue
      for (const stage of stages) if (stage.work !== 'burn' && stage.work !== 'wait') cargo.put(job, await kernels[stage.work](cargo.at(job)))
      cargo.release(job)
    } catch {
      cargo.drop(job)
    }
    if (performance.now() - reported < REPORT_MILLISECONDS) continue
    reported = performance.now()
    progress(job + 1, jobs)
  }
  progress(jobs, jobs)
  return cargo.output()
}
