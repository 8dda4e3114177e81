import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type BackgroundJob, createJob, type JobState } from './backgroundJob.ts'

/** Returns a job of this component, which is cancelled when the component goes, and where it stands. */
export function useJob<Result>(): readonly [BackgroundJob<Result>, JobState<Result>] {
  const [job] = useState(() => createJob<Result>())
  useEffect(() => job.cancel, [job])
  return [job, useStore(job.store)]
}
