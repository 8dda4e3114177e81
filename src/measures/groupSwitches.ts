import { FINISHED, HIRED, JOINED, NONE } from '../pipeline/rows.ts'
import { eachRow, type Trace } from '../trace/trace.ts'
import { groupsIn } from './groups.ts'

/**
 * How often a worker served a job of another group than the one before: each time it loses `groupSwitchCost`. Jobs that were
 * never finished are left out, and whoever is hired anew remembers no group. 0 where the source makes no groups.
 */
export function groupSwitches(trace: Trace): number {
  const groups = groupsIn(trace)
  if (groups === null) return 0
  const last = new Int32Array(trace.head.tally.status.length).fill(NONE)
  let switches = 0
  eachRow(trace, 0, trace.length, (rows, i) => {
    const kind = rows.kind[i]
    const worker = rows.worker[i]
    if (kind === HIRED || kind === JOINED) last[worker] = NONE
    if (kind !== FINISHED) return
    const group = groups[rows.job[i]]
    if (last[worker] !== NONE && last[worker] !== group) switches++
    last[worker] = group
  })
  return switches
}
