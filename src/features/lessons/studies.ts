import type { JobContext, Studies } from '../../runs/remote/studies.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'

const jobs = () => ({
  glimpse: async ({ scenario, samples }: { scenario: Scenario; samples: number }, context: JobContext) =>
    (await import('./page/playGlimpse.ts')).playGlimpse(scenario, samples, context),
})

type LessonJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends LessonJobs {}
}

export const lessonStudies: Studies = { key: 'lessons', jobs }
