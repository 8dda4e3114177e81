import { batchesLesson } from './batches.ts'
import { beyondPidLesson } from './beyondPid.ts'
import { bottleneckLesson } from './bottleneck.ts'
import { coldStartLesson } from './coldStart.ts'
import { contentionLesson } from './contention.ts'
import { gainScheduleLesson } from './gainSchedule.ts'
import type { Lesson } from './lesson.ts'
import { notJeffersonLesson } from './notJefferson.ts'
import { oneCoreLesson } from './oneCore.ts'
import { orderLesson } from './order.ts'
import { parliamentLesson } from './parliament.ts'
import { roomLesson } from './room.ts'
import { snapshotLesson } from './snapshot.ts'
import { whichPolicyLesson } from './whichPolicy.ts'
import { whyAPipelineLesson } from './whyAPipeline.ts'
import { windUpLesson } from './windUp.ts'

/** All lessons. Each may build on those before it. */
export const lessons: readonly Lesson[] = [
  whyAPipelineLesson,
  bottleneckLesson,
  parliamentLesson,
  notJeffersonLesson,
  snapshotLesson,
  coldStartLesson,
  batchesLesson,
  orderLesson,
  windUpLesson,
  beyondPidLesson,
  gainScheduleLesson,
  contentionLesson,
  oneCoreLesson,
  whichPolicyLesson,
  roomLesson,
]
