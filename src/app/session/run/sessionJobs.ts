import { type EngineName, isRealTime } from '../../../scenario/model/engines.ts'
import { type Part, part } from '../session.ts'
import { type BackgroundJob, createJob } from './backgroundJob.ts'

/** Returns a part of a session: a background job that continues when its panel closes and is cancelled when the session ends. */
export function sessionJob<Result>(): Part<BackgroundJob<Result>> {
  return part((session) => {
    const job = createJob<Result>()
    session.onEnd(job.cancel)
    return job
  })
}

/** Returns whether the workers of a run under way need the cores for themselves. */
export function coresAreTaken({ phase, engine }: { readonly phase: string; readonly engine: EngineName }): boolean {
  return phase === 'running' && isRealTime(engine)
}
