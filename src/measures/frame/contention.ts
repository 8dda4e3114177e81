import { BUSY, type Counts } from '../../pipeline/counts.ts'
import { NONE } from '../../pipeline/rows.ts'
import { ordersInHand } from '../../trace/ordersInHand.ts'
import { rowsUntil, type Trace, traceRow } from '../../trace/trace.ts'
import { groupsIn } from './groups.ts'

/** By worker: its group, and whether it waits. */
interface Contention {
  /** The group of the first job in its hands; NONE without. */
  readonly group: Int32Array
  /** 1: it waits for a resource that another worker has. */
  readonly waits: Uint8Array
}

/**
 * Returns each worker's group and whether it waits at the instant of `counts`; null where the source makes no groups. Of the
 * workers with one group at one stage, the one that was ordered first is served.
 */
export function contentionIn(trace: Trace, counts: Counts): Contention | null {
  const groups = groupsIn(trace)
  if (groups === null) return null
  const { stages } = trace.scenario
  const group = new Int32Array(counts.status.length).fill(NONE)
  const waits = new Uint8Array(counts.status.length)
  const first = new Map<number, { readonly worker: number; readonly row: number }>()
  for (let w = 0; w < group.length; w++) {
    if (counts.status[w] !== BUSY) continue
    const [row] = ordersInHand(trace, counts, w, rowsUntil(trace, counts.time))
    group[w] = groups[traceRow(trace, row).job]
    const { resource, whenTaken } = stages[counts.stage[w]]
    if (resource === null || whenTaken === 'skip') continue
    const key = group[w] * 256 + counts.stage[w]
    const other = first.get(key)
    if (other !== undefined) waits[row < other.row ? other.worker : w] = 1
    if (other === undefined || row < other.row) first.set(key, { worker: w, row })
  }
  return { group, waits }
}
