import { type StoreApi, useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import type { BackgroundJob } from './backgroundJob.ts'

/** A background job, or a study. */
interface Shown extends Pick<BackgroundJob<unknown>, 'stop'> {
  readonly store: Omit<
    StoreApi<{ readonly phase: string; readonly progress?: number; readonly sentence?: string }>,
    'setState'
  >
}

interface Props {
  readonly job: Shown
  readonly label?: string
  readonly unknown?: boolean
  /** Whether it shares its row with other elements. */
  readonly inline?: boolean
  /** What the button does instead of stopping the job, and what it is called. */
  readonly cancel?: () => void
  readonly cancelText?: string
}

/** How far a job is, and the button that stops it; nothing while it does not run. */
export function JobProgress({
  job,
  label = t('Playing'),
  unknown = false,
  inline = false,
  cancel = job.stop,
  cancelText = t('Cancel'),
}: Props) {
  const progress = useStore(job.store, (state) => (state.phase === 'running' ? (state.progress ?? 0) : null))
  if (progress === null) return null
  const both = (
    <>
      <progress {...(!unknown && { value: progress })} max={1} aria-label={label} />
      <Button className="link" onClick={cancel} text={cancelText} />
    </>
  )
  return inline ? both : <div className="progress-row">{both}</div>
}

export function JobFailure({ job }: { readonly job: Shown }) {
  const failure = useStore(job.store, (state) => (state.phase === 'failed' ? (state.sentence ?? '') : null))
  return failure === null ? null : <p className="warning">{failure}</p>
}
