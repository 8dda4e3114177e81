import type { Micros } from '../../scenario/model/scenario.ts'
import type { Lanes } from './lanes.ts'
import { firstMark, markAt } from './marks.ts'

/** Returns how far a worker is with its job at time t, 0 to 1, from the recorded spans; null when none covers t. */
export function progressAt({ lanes }: Lanes, worker: number, t: Micros): number | null {
  const rims = lanes[worker]?.rims
  if (rims === undefined) return null
  const end = firstMark(rims, t, 0, 0, true)
  // Between the end of one span and the beginning of the next.
  if (end % 2 === 0) return null
  const began = markAt(rims, end - 1)
  return (t - began) / (markAt(rims, end) - began)
}
