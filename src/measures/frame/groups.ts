import type { Trace } from '../../trace/trace.ts'
import { groupsOf } from '../../workload/groups.ts'

const known = new WeakMap<Trace, Int32Array | null>()

/** Returns the group of each job of a run; null where the source makes no groups. Computed once for a trace. */
export function groupsIn(trace: Trace): Int32Array | null {
  const found = known.get(trace)
  if (found !== undefined) return found
  const { source, seed } = trace.scenario
  const groups = groupsOf(source, seed)
  known.set(trace, groups)
  return groups
}

/** The same as a function: 0 for all jobs where the source makes no groups. */
export function groupingIn(trace: Trace): (job: number) => number {
  const groups = groupsIn(trace)
  return groups === null ? () => 0 : (job) => groups[job]
}
