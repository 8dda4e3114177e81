import type { JobContext, Studies } from '../../runs/remote/studies.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import type { FeederTask } from './study/feederSweep.ts'

const jobs = () => ({
  feeders: async ({ scenario, task }: { scenario: Scenario; task: FeederTask }, context: JobContext) =>
    (await import('./study/feederSweep.ts')).playFeeders(scenario, task, context),
})

type GroupJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends GroupJobs {}
}

export const groupStudies: Studies = { key: 'groups', jobs }
