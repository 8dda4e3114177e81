import type { JobContext, Studies } from '../../runs/remote/studies.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'

const gainSearch = () => import('./study/gainSearch.ts')

const jobs = () => ({
  swing: async ({ scenario, from, to }: { scenario: Scenario; from: Micros; to: Micros }, context: JobContext) =>
    (await gainSearch()).playSwing(scenario, from, to, context),
  trajectory: async ({ scenario, samples }: { scenario: Scenario; samples: number }, context: JobContext) =>
    (await gainSearch()).playTrajectory(scenario, samples, context),
})

type PoolJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends PoolJobs {}
}

export const poolStudies: Studies = { key: 'pools', jobs }
