import type { Studies } from '../../runs/remote/studies.ts'
import type { FinderTask } from './finder.ts'

const jobs = () => ({ finder: async (task: FinderTask) => (await import('./finder.ts')).playFinderTask(task) })

type FinderJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends FinderJobs {}
}

export const finderStudies: Studies = { key: 'finder', jobs }
