import { topologyOf } from '../../pipeline/topology.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { routingOf } from '../../workload/service.ts'
import { kernelOf } from './kernels.ts'
import { checkBounds, loadPayloads } from './loadPayloads.ts'
import type { Output } from './payloads.ts'

const REPORT_MILLISECONDS = 50

/** Returns a run's output made by one thread, record by record, without failed ones: if order is kept, its checksum is the same. Null without payload. */
export async function runInSequence(scenario: Scenario, file: Blob | null, progress: (share: number) => void): Promise<Output | null> {
  checkBounds(scenario)
  const runPayloads = await loadPayloads(scenario, file)
  if (runPayloads === null) return null
  const jobs = countJobs(scenario.source)
  const stagesOf = createStagesOf(scenario)
  const failing = scenario.stages.map((stage) => new Set(stage.fails?.jobs))
  let reported = performance.now()
  for (let job = 0; job < jobs; job++) {
    try {
      const stages = stagesOf(job)
      if (stages.some((stage) => failing[stage].has(job))) continue
      for (const stage of stages) {
        const kernel = kernelOf(scenario.stages[stage].work)
        runPayloads.put(job, stage, kernel === null ? null : await kernel(runPayloads.at(job, stage)))
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

/** Returns a function that returns the stages that a job passes, each after all that feed it. */
function createStagesOf(scenario: Scenario): (job: number) => readonly number[] {
  const { firsts, order, ways, routes } = topologyOf(scenario)
  const routeOf = routingOf(scenario)
  const all = Array.from(order)
  if (!routes.includes(1)) return () => all
  return (job) => {
    const reached = new Set(firsts)
    return all.filter((stage) => {
      if (!reached.has(stage)) return false
      for (const next of routes[stage] === 1 ? [routeOf(stage, job)] : ways[stage]) reached.add(next)
      return true
    })
  }
}
