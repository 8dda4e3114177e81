import { codeStudies } from './features/code/studies.ts'
import { compareStudies } from './features/compare/studies.ts'
import { finderStudies } from './features/finder/studies.ts'
import { groupStudies } from './features/groups/studies.ts'
import { knownStudies } from './features/known/studies.ts'
import { lessonStudies } from './features/lessons/studies.ts'
import { logStudies } from './features/logs/studies.ts'
import { orderStudies } from './features/order/studies.ts'
import { poolStudies } from './features/pools/studies.ts'
import { replayStudies } from './features/replay/studies.ts'
import { roomStudies } from './features/room/studies.ts'
import { spanStudies } from './features/spans/studies.ts'
import { stageCodeStudies } from './features/stageCode/studies.ts'
import type { Studies } from './runs/remote/studies.ts'

/** The parts of features for threads and the terminal. `features.ts` is the list for the page. */
export const studies: readonly Studies[] = [
  lessonStudies,
  orderStudies,
  groupStudies,
  replayStudies,
  poolStudies,
  compareStudies,
  knownStudies,
  codeStudies,
  finderStudies,
  spanStudies,
  logStudies,
  roomStudies,
  stageCodeStudies,
]
