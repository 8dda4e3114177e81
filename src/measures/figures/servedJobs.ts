import { ARRIVED, FINISHED, rowTime } from '../../pipeline/rows.ts'
import { workersEver } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import type { Trace } from '../../trace/trace.ts'

/** By job: when it arrived, how long it was served at all stages, and how long of that it kept a core busy. */
export interface ServedJobs {
  readonly arrival: Float64Array
  readonly work: Float64Array
  readonly burning: Float64Array
}

/** Returns what the jobs of a run took; null unless it served each job at each stage just once, for as long as the scenario says. */
export function servedJobs(trace: Trace): ServedJobs | null {
  if (!servesAsDrawn(trace)) return null
  const { scenario, chunks } = trace
  const arrival: Micros[] = []
  for (const chunk of chunks) for (let i = 0; i < chunk.length; i++) if (chunk.kind[i] === ARRIVED) arrival.push(rowTime(chunk, i))
  const work = new Float64Array(arrival.length)
  const burning = new Float64Array(arrival.length)
  const burns = scenario.stages.map((stage) => stage.work !== 'wait')
  for (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++) {
      if (chunk.kind[i] !== FINISHED) continue
      const service = chunk.lasted[i]
      work[chunk.job[i]] += service
      if (burns[chunk.stage[i]]) burning[chunk.job[i]] += service
    }
  }
  return { arrival: Float64Array.from(arrival), work, burning }
}

function servesAsDrawn({ scenario, engine, ending, topology }: Trace): boolean {
  const workers = workersEver(scenario)
  return (
    engine === 'simulation' &&
    ending === 'drained' &&
    topology.linear &&
    scenario.workerEvents.length === 0 &&
    scenario.stages.every(({ fails, resource }) => fails === null && resource === null) &&
    (scenario.stages.every(({ work }) => work === 'wait') || phasesOf(scenario).every(({ cores }) => workers <= cores))
  )
}
