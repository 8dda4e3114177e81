import type { Steps } from '../../measures/series/steps.ts'
import { chartOf, playTrial, sampledMeans, type TrialOptions } from '../../runs/play/play.ts'
import type { JobContext, Studies } from '../../runs/remote/studies.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { endOf } from '../../trace/trace.ts'

/** The data of a small picture of a run: the queue and seats of each stage, as means over equal parts of the run. */
type Glimpse = { readonly queues: readonly (readonly number[])[]; readonly seats: readonly (readonly number[])[] }

/** Plays a scenario and returns the queue and seats of each stage, in this many samples from time 0 to the end. */
export async function playGlimpse(scenario: Scenario, samples: number, options: TrialOptions = {}): Promise<Glimpse> {
  const trace = await playTrial(scenario, options)
  const { queues, seats } = chartOf(trace)
  const end = Math.max(1, endOf(trace))
  const samplesOf = (steps: Steps) => sampledMeans(steps, end, samples)
  return { queues: queues.map(samplesOf), seats: seats.map(samplesOf) }
}

const jobs = () => ({
  glimpse: ({ scenario, samples }: { scenario: Scenario; samples: number }, context: JobContext) =>
    playGlimpse(scenario, samples, context),
})

type LessonJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends LessonJobs {}
}

export const lessonStudies: Studies = { key: 'lessons', jobs }
