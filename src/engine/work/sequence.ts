import { topologyOf } from '../../pipeline/topology.ts'
import { countJobs } from '../../scenario/model/limits.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { routingOf } from '../../workload/routes.ts'
import { kernelFunctions } from './kernels.ts'
import { checkBounds, loadPayloads } from './loadPayloads.ts'
import type { Output } from './payloads.ts'

/** How often the one who waits hears of progress. */
const REPORT_MILLISECONDS = 50

/**
 * What a run comes to, worked out in the plainest way: every record through all real stages before the next is begun, by
 * one thread. Records that fail are left out, as in a run. Null if the scenario carries nothing.
 */
export async function runInSequence(scenario: Scenario, file: Blob | null, progress: (share: number) => void): Promise<Output | null> {
  checkBounds(scenario)
  const runPayloads = await loadPayloads(scenario, file)
  if (runPayloads === null) return null
  const jobs = countJobs(scenario.source)
  const wayOf = createWays(scenario)
  const failing = scenario.stages.map((stage) => new Set(stage.fails?.jobs))
  let reported = performance.now()
  for (let job = 0; job < jobs; job++) {
    try {
      const stages = wayOf(job)
      if (stages.some((stage) => failing[stage].has(job))) continue
      for (const stage of stages) {
        const { work } = scenario.stages[stage]
        runPayloads.put(job, stage, work === 'burn' || work === 'wait' ? null : await kernelFunctions[work](runPayloads.at(job, stage)))
      }
      runPayloads.release(job)
    } catch {
      runPayloads.drop(job)
    }
    if (performance.now() - reported < REPORT_MILLISECONDS) continue
    reported = performance.now()
    progress((job + 1) / jobs)
  }
  progress(1)
  return runPayloads.output()
}

/** Tells which stages a job passes, in an order in which each comes behind all that feed it. */
function createWays(scenario: Scenario): (job: number) => readonly number[] {
  const { firsts, order, ways, routes } = topologyOf(scenario)
  const routeOf = routingOf(scenario)
  const all = Array.from(order)
  if (!routes.includes(1)) return () => all
  return (job) => {
    const comes = new Set(firsts)
    return all.filter((stage) => {
      if (!comes.has(stage)) return false
      for (const next of routes[stage] === 1 ? [routeOf(stage, job)] : ways[stage]) comes.add(next)
      return true
    })
  }
}
