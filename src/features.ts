import type { Feature } from './app/session/features/feature.ts'
import { codeFeature } from './features/code/feature.ts'
import { compareFeature } from './features/compare/feature.ts'
import { finderFeature } from './features/finder/feature.ts'
import { gameFeature } from './features/game/feature.ts'
import { groupsFeature } from './features/groups/feature.ts'
import { knownFeature } from './features/known/feature.ts'
import { lessonsFeature } from './features/lessons/feature.ts'
import { libraryFeature } from './features/library/feature.ts'
import { logsFeature } from './features/logs/feature.ts'
import { orderFeature } from './features/order/feature.ts'
import { poolsFeature } from './features/pools/feature.ts'
import { publishFeature } from './features/publish/feature.ts'
import { realityFeature } from './features/reality/feature.ts'
import { roomFeature } from './features/room/feature.ts'
import { spansFeature } from './features/spans/feature.ts'
import { stageCodeFeature } from './features/stageCode/feature.ts'
import { theoryFeature } from './features/theory/feature.ts'

/** The features of the page. Each may import those above it. `studies.ts` is the list for threads and the terminal. */
export const features: readonly Feature[] = [
  libraryFeature,
  lessonsFeature,
  gameFeature,
  orderFeature,
  groupsFeature,
  poolsFeature,
  theoryFeature,
  compareFeature,
  knownFeature,
  realityFeature,
  codeFeature,
  stageCodeFeature,
  finderFeature,
  spansFeature,
  logsFeature,
  roomFeature,
  publishFeature,
]
