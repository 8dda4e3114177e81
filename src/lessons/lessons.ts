import { batches } from './batches.ts'
import { bottleneck } from './bottleneck.ts'
import { coldStart } from './coldStart.ts'
import { contentionLesson } from './contention.ts'
import type { Lesson } from './lesson.ts'
import { notJefferson } from './notJefferson.ts'
import { oneCore } from './oneCore.ts'
import { order } from './order.ts'
import { parliament } from './parliament.ts'
import { whyAPipeline } from './whyAPipeline.ts'
import { windUp } from './windUp.ts'

/** All, in the order in which each rests on those before it. */
export const lessons: readonly Lesson[] = [whyAPipeline, bottleneck, parliament, notJefferson, coldStart, batches, order, windUp, contentionLesson, oneCore]
