import type { Studies } from '../../runs/remote/studies.ts'
import { createStageEngine } from './threads/stageEngine.ts'
import type { ThreadStart } from './threads/stageSandbox.ts'

const jobs = () => ({
  stageSandbox: async (start: ThreadStart) => (await import('./threads/stageSandbox.ts')).serveStageCode(start),
})

type StageJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends StageJobs {}
}

export const stageCodeStudies: Studies = {
  key: 'stageCode',
  jobs,
  conduct: ({ threads }, environment, options) =>
    threads === undefined ? null : createStageEngine(threads, environment, options),
}
