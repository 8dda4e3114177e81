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
import { ownCodeLesson } from './ownCode.ts'
import { parliamentLesson } from './parliament.ts'
import { roomLesson } from './room.ts'
import { slowStartLesson } from './slowStart.ts'
import { snapshotLesson } from './snapshot.ts'
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
  slowStartLesson,
  gainScheduleLesson,
  contentionLesson,
  oneCoreLesson,
  ownCodeLesson,
  roomLesson,
]

const keys = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '))

/** The presets of the gallery in three series, by key, each from simple to hard. A preset is in at most one of them. */
export const ladders = {
  queues: keys(
    'worked-example six-through-three six-through-three-sharded side-by-side side-by-side-sharded one-queue four-at-one-queue',
    'bursts elastic-step elastic-square elastic-bursts elastic-drawn',
  ),
  seats: keys(
    'a-tie rush-hour bottleneck jefferson-differs alabama cold-start batches-and-switches each-stage-alone one-allocator',
    'ten-thousand-workers mandelbrot seahorses',
  ),
  breaks: keys(
    'slow-stage failing-jobs price-of-order single-wins green-threads jobs-contend jobs-spread skip-the-taken cache-locality',
    'elastic-p elastic-pi elastic-pid',
  ),
}

export type Ladder = keyof typeof ladders
