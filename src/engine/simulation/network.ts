import { MAX_RESENDS, resendAfter } from '../../scenario/model/limits.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { createRandom, randomKey } from '../../workload/random.ts'

/** How long the two messages of a batch are under way. A batch is named by its stage and its first job. */
export interface MessageTimes {
  /** From the scheduler to the worker. */
  there(stage: number, job: number): Micros
  /** The answer, from the worker to the scheduler. */
  back(stage: number, job: number): Micros
}

/**
 * Returns how long messages take over the network of a scenario; null if it has none. A message takes half the round trip. One that is lost is sent
 * again, `resendAfter` it was, until one arrives. Which are lost depends on (seed, stage, job), the way and
 * the try, so one seed gives one run.
 */
export function messageTimesOf({ network, seed, stages }: Pick<Scenario, 'network' | 'seed' | 'stages'>): MessageTimes | null {
  if (network === null) return null
  const { roundTrip, loss } = network
  const there = Math.floor(roundTrip / 2)
  const again = resendAfter(roundTrip)
  // No stage id has a space, so no stage has this key.
  const random = stages.map(({ id }) => createRandom(seed, randomKey(`${id} messages`)))
  const waited = (stage: number, job: number, way: 0 | 1): Micros => {
    let lost = 0
    if (loss > 0) while (lost < MAX_RESENDS && random[stage](job, 2 * lost + way) < loss) lost++
    return lost * again
  }
  return {
    there: (stage, job) => there + waited(stage, job, 0),
    back: (stage, job) => roundTrip - there + waited(stage, job, 1),
  }
}
