import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { BackgroundJob } from './backgroundJob.ts'

interface Props<Result> {
  readonly job: BackgroundJob<Result>
  readonly label: string
  /** Nobody knows yet how long it takes. */
  readonly unknown?: boolean
  /** What the button does instead of stopping the job. */
  readonly cancel?: () => void
}

/** How far a job is, and the button that stops it; nothing while it does not run. */
export function JobProgress<Result>({ job, label, unknown = false, cancel = job.stop }: Props<Result>) {
  const progress = useStore(job.store, (state) => (state.phase === 'running' ? state.progress : null))
  if (progress === null) return null
  return (
    <>
      <progress {...(!unknown && { value: progress })} max={1} aria-label={label} />
      <button type="button" className="link" onClick={cancel}>
        {t('Cancel')}
      </button>
    </>
  )
}
