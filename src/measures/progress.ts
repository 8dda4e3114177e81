import type { Micros } from '../scenario/scenario.ts'
import type { Lanes } from './lanes.ts'
import { firstAtLeast } from './search.ts'

/** How far a worker is with the job in hand at time t, 0 to 1, from the recorded spans; null when none covers t. */
export function progressAt({ lanes }: Lanes, worker: number, t: Micros): number | null {
  const lane = lanes[worker]
  if (lane === undefined) return null
  const k = firstAtLeast(lane.ended, lane.length, t, 0, true)
  if (k >= lane.length || lane.began[k] > t) return null
  return (t - lane.began[k]) / (lane.ended[k] - lane.began[k])
}
