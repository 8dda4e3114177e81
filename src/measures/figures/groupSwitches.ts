import { beganAt, FINISHED, HIRED, JOINED, NONE, PHASE, rowTime } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import { eachRow, type Trace } from '../../trace/trace.ts'
import { groupsIn } from '../frame/groups.ts'

/**
 * Returns what workers lost by serving a job of another group than the one before: the `groupSwitchCost` of the phase in which
 * the job was begun. Unfinished jobs do not count, and a newly hired worker has no group. 0 where the source makes no groups.
 */
export function groupSwitchLoss(trace: Trace): Micros {
  const groups = groupsIn(trace)
  if (groups === null) return 0
  const costs = phasesOf(trace.scenario).map(({ groupSwitchCost }) => groupSwitchCost)
  const phaseTimes: Micros[] = []
  const last = new Int32Array(trace.head.counts.status.length).fill(NONE)
  let loss = 0
  eachRow(trace, 0, trace.length, (rows, i) => {
    const kind = rows.kind[i]
    const worker = rows.worker[i]
    if (kind === HIRED || kind === JOINED) last[worker] = NONE
    if (kind === PHASE) phaseTimes.push(rowTime(rows, i))
    if (kind !== FINISHED) return
    const group = groups[rows.job[i]]
    if (last[worker] !== NONE && last[worker] !== group) loss += costs[phaseTimes.filter((at) => at <= beganAt(rows, i)).length]
    last[worker] = group
  })
  return loss
}
