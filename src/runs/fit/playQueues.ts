import { countRow } from '../../pipeline/countRow.ts'
import { createCounts } from '../../pipeline/counts.ts'
import { rowTime } from '../../pipeline/rows.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { playSimulation } from '../play/play.ts'

/** The queues of a run, by stage. */
export interface PlayedQueues {
  /** At each of the times asked for. */
  readonly sampled: readonly Float64Array[]
  /** Means over time until the last row: for a run that ends with its last job, as in its metrics. */
  readonly means: readonly number[]
}

/** Plays a scenario and returns its queues at some times, which ascend. */
export async function playQueues(scenario: Scenario, times: Float64Array): Promise<PlayedQueues> {
  const counts = createCounts(scenario)
  const stages = Array.from(scenario.stages.keys())
  const sampled = stages.map(() => new Float64Array(times.length))
  const areas = new Float64Array(stages.length)
  let k = 0
  let now = 0
  const keep = () => {
    for (const s of stages) sampled[s][k] = counts.waiting[s]
    k++
  }
  await playSimulation(scenario, 0, ({ rows }, { topology }) => {
    for (let i = 0; i < rows.length; i++) {
      const time = rowTime(rows, i)
      if (time > now) {
        while (k < times.length && times[k] < time) keep()
        for (const s of stages) areas[s] += counts.waiting[s] * (time - now)
        now = time
      }
      countRow(topology, counts, rows, i)
    }
  })
  while (k < times.length) keep()
  return { sampled, means: Array.from(areas, (area) => area / Math.max(1, now)) }
}
