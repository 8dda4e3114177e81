import { topologyOf } from '../../pipeline/topology.ts'
import { countJobs } from '../../scenario/limits.ts'
import type { Scenario, Stage } from '../../scenario/scenario.ts'
import { routingOf } from '../../workload/routes.ts'
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
  const wayOf = createWays(scenario)
  const failing = new Map(scenario.stages.map((stage) => [stage, new Set(stage.fails?.jobs)]))
  let reported = performance.now()
  for (let job = 0; job < jobs; job++) {
    try {
      const stages = wayOf(job)
      if (stages.some((stage) => failing.get(stage)?.has(job))) continue
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

/** Tells which stages a job passes, in order: where several follow, it is routed to one of them. */
function createWays(scenario: Scenario): (job: number) => readonly Stage[] {
  const { first, order, ways, routes } = topologyOf(scenario)
  const routeOf = routingOf(scenario)
  const line = Array.from(order, (stage) => scenario.stages[stage])
  if (!routes.includes(1)) return () => line
  return (job) => {
    const passed: Stage[] = []
    for (let stage = first; stage !== undefined; stage = routes[stage] === 1 ? routeOf(stage, job) : ways[stage][0]) passed.push(scenario.stages[stage])
    return passed
  }
}
