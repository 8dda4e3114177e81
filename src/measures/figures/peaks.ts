import { countRow } from '../../pipeline/countRow.ts'
import { createCounts } from '../../pipeline/counts.ts'
import { rowTime } from '../../pipeline/rows.ts'
import { eachRow, type Trace } from '../../trace/trace.ts'
import type { Metrics } from './metrics.ts'

/** Returns, by stage, the greatest number of workers that were busy there at once, for longer than an instant. */
export function peakWorkers(trace: Trace): number[] {
  const counts = createCounts(trace.scenario)
  const most = trace.scenario.stages.map(() => 0)
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rowTime(rows, i) > counts.time) for (const [s, busy] of counts.busy.entries()) if (busy > most[s]) most[s] = busy
    countRow(trace.topology, counts, rows, i)
  })
  return most
}

/** Returns the stages where a job waits longest for its start, on average: more than one if they are equal, none if no job waits. */
export function longestWaits({ stages }: Pick<Metrics, 'stages'>): number[] {
  const most = Math.max(0, ...stages.map(({ meanWait }) => meanWait))
  return most === 0 ? [] : stages.flatMap(({ meanWait }, s) => (meanWait === most ? [s] : []))
}
