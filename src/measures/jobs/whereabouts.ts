import type { Micros } from '../../scenario/model/scenario.ts'
import type { Journey, Leg } from './journey.ts'

/** Where a job, or a part of it, is at an instant. Parked: served everywhere, waiting to leave in order. */
export type Whereabouts =
  | { readonly at: 'queue'; readonly leg: Leg }
  | { readonly at: 'hands'; readonly stage: number; readonly worker: number }
  | { readonly at: 'parked' }

/**
 * Where the job is at `t`, with all that happened at `t`: in one place, or in several where it is copied. Nowhere before it has
 * come, once it has left or failed, and where all there is of it gathers for the rest.
 */
export function whereaboutsAt({ arrivedAt, parkedAt, leftAt, legs }: Journey, t: Micros): Whereabouts[] {
  if (arrivedAt < 0 || t < arrivedAt || (leftAt >= 0 && t >= leftAt)) return []
  if (parkedAt >= 0 && t >= parkedAt) return [{ at: 'parked' }]
  return legs
    .filter(({ queuedAt, overAt }) => queuedAt <= t && (overAt < 0 || t < overAt))
    .map((leg) => (leg.startedAt >= 0 && leg.startedAt <= t ? { at: 'hands', stage: leg.stage, worker: leg.worker } : { at: 'queue', leg }))
}
