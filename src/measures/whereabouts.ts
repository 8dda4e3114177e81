import type { Micros } from '../scenario/scenario.ts'
import type { Journey, Leg } from './journey.ts'

/** Where a job is at an instant. Parked: served everywhere, waiting to leave in order. */
export type Whereabouts =
  | { readonly at: 'queue'; readonly leg: Leg }
  | { readonly at: 'hands'; readonly stage: number; readonly worker: number }
  | { readonly at: 'parked' }

/** Where the job is at `t`, with all that happened at `t`; null before it has come and once it has left. */
export function whereaboutsAt({ arrivedAt, parkedAt, leftAt, legs }: Journey, t: Micros): Whereabouts | null {
  if (arrivedAt < 0 || t < arrivedAt || (leftAt >= 0 && t >= leftAt)) return null
  if (parkedAt >= 0 && t >= parkedAt) return { at: 'parked' }
  const leg = legs.filter(({ queuedAt }) => queuedAt <= t).at(-1)
  if (leg === undefined) return null
  return leg.startedAt >= 0 && leg.startedAt <= t ? { at: 'hands', stage: leg.stage, worker: leg.worker } : { at: 'queue', leg }
}
