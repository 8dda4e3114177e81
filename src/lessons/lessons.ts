import type { Lesson } from './lesson.ts'
import { whyAPipeline } from './whyAPipeline.ts'

/** All, in the order in which each rests on those before it. */
export const lessons: readonly Lesson[] = [whyAPipeline]
