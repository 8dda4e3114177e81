import { type Frame, isPresent } from '../../../measures/frame/frame.ts'
import type { StageCrowd } from '../../../views/pipeline/stageCard.ts'
import { stageCrowd } from '../../../views/pipeline/stageCrowd.ts'
import type { Followed } from '../../session/run/follow.ts'

/** Returns the workers of a stage as its card shows them where they are too many for a disc each. */
export function crowdAt({ stages, workers }: Frame, stage: number, followed: readonly Followed[]): StageCrowd {
  const { posted, busy } = stages[stage]
  const has = (worker: number) => workers[worker]?.stage === stage && isPresent(workers[worker])
  return stageCrowd(
    posted,
    busy,
    has,
    followed.some(({ place }) => place.at === 'hands' && has(place.worker)),
  )
}
