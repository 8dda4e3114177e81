import type { Micros } from '../../scenario/model/scenario.ts'
import type { Journey, Leg } from './journey.ts'

/** Where a job, or a part of it, is at an instant. Parked: served everywhere, waiting to leave in order. */
export type Whereabouts =
  | { readonly at: 'queue'; readonly leg: Leg }
  | { readonly at: 'hands'; readonly stage: number; readonly worker: number }
  | { readonly at: 'parked' }

/**
 * Returns where the job is at `t`, after all that happened at `t`: several places where it is copied. Empty before it arrives,
 * after it leaves, and while all its parts wait at a join.
 */
export function whereaboutsAt({ arrivedAt, parkedAt, leftAt, legs }: Journey, t: Micros): Whereabouts[] {
  if (arrivedAt < 0 || t < arrivedAt || (leftAt >= 0 && t >= leftAt)) return []
  if (parkedAt >= 0 && t >= parkedAt) return [{ at: 'parked' }]
  return legs
    .filter(({ queuedAt, overAt }) => queuedAt <= t && (overAt < 0 || t < overAt))
    .map((leg) => (leg.startedAt >= 0 && leg.startedAt <= t ? { at: 'hands', stage: leg.stage, worker: leg.worker } : { at: 'queue', leg }))
}
