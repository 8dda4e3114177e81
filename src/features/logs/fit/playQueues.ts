import { countRow } from '../../../pipeline/countRow.ts'
import { createCounts } from '../../../pipeline/counts.ts'
import { rowTime, STARTED } from '../../../pipeline/rows.ts'
import { playSimulation } from '../../../runs/play/play.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import type { Trace } from '../../../trace/trace.ts'

/** The queues of a run, by stage. */
export interface PlayedQueues {
  /** At each of the times asked for. */
  readonly sampled: readonly Float64Array[]
  /** Means over time until the last row: for a run that ends with its last job, as in its metrics. */
  readonly means: readonly number[]
  /** The longest queues that lasted, within the time asked for. */
  readonly peaks: readonly number[]
  /** How many jobs had begun before that time. */
  readonly begun: readonly number[]
  readonly trace: Trace
}

/** Plays a scenario and returns its queues at some times, which ascend, and the longest ones from `since` to `until`. */
export async function playQueues(
  scenario: Scenario,
  times: Float64Array,
  { since, until }: { readonly since: Micros; readonly until: Micros } = { since: 0, until: Infinity },
): Promise<PlayedQueues> {
  const counts = createCounts(scenario)
  const stages = Array.from(scenario.stages.keys())
  const sampled = stages.map(() => new Float64Array(times.length))
  const areas = new Float64Array(stages.length)
  const peaks = new Float64Array(stages.length)
  const begun = new Float64Array(stages.length)
  let k = 0
  let now = 0
  const keep = () => {
    for (const s of stages) sampled[s][k] = counts.waiting[s]
    k++
  }
  const trace = await playSimulation(scenario, 0, ({ rows }, { topology }) => {
    for (let i = 0; i < rows.length; i++) {
      const time = rowTime(rows, i)
      if (time > now) {
        while (k < times.length && times[k] < time) keep()
        for (const s of stages) {
          areas[s] += counts.waiting[s] * (time - now)
          if (time > since && now <= until) peaks[s] = Math.max(peaks[s], counts.waiting[s])
        }
        now = time
      }
      if (time < since && rows.kind[i] === STARTED) begun[rows.stage[i]] = Math.max(begun[rows.stage[i]], rows.job[i] + 1)
      countRow(topology, counts, rows, i)
    }
  })
  while (k < times.length) keep()
  return { sampled, means: Array.from(areas, (area) => area / Math.max(1, now)), peaks: Array.from(peaks), begun: Array.from(begun), trace }
}
