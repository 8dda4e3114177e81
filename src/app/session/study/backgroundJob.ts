import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { reasonOf } from '../../../engine/conductor/callTracker.ts'
import { type EngineName, isRealTime } from '../../../scenario/model/engines.ts'
import { type Part, part } from '../session.ts'

/** The state of a background job. */
export type JobState<Result> =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly progress: number }
  | { readonly phase: 'done'; readonly result: Result }
  | { readonly phase: 'failed'; readonly sentence: string }

/** The options of the work. `runJob` and `runJobs` take them too. */
export interface JobControl {
  readonly signal: AbortSignal
  /** Reports the share that is done, 0 to 1. */
  progress(share: number): void
}

/** A job that a panel starts, shows and cancels. */
export interface BackgroundJob<Result> {
  readonly store: StoreApi<JobState<Result>>
  /** Starts work, and cancels the previous work. Resolves when the work has ended or was cancelled; never rejects. */
  run(work: (control: JobControl) => Promise<Result>): Promise<void>
  /** Cancels the work and forgets the last result. A late result is not shown. */
  cancel(): void
  /** Cancels the work; an existing result stays. */
  stop(): void
}

export function createJob<Result>(): BackgroundJob<Result> {
  const store = createStore<JobState<Result>>(() => ({ phase: 'idle' }))
  let present = new AbortController()

  function replaceWork(state: JobState<Result>): AbortController {
    present.abort()
    present = new AbortController()
    store.setState(state, true)
    return present
  }

  return {
    store,
    async run(work) {
      const { signal } = replaceWork({ phase: 'running', progress: 0 })
      let over = false
      const show = (state: JobState<Result>) => {
        if (over || signal.aborted) return
        over = state.phase !== 'running'
        store.setState(state, true)
      }
      try {
        show({
          phase: 'done',
          result: await work({ signal, progress: (share) => show({ phase: 'running', progress: share }) }),
        })
      } catch (error) {
        show({ phase: 'failed', sentence: reasonOf(error) })
      }
    },
    cancel() {
      replaceWork({ phase: 'idle' })
    },
    stop() {
      if (store.getState().phase === 'running') replaceWork({ phase: 'idle' })
    },
  }
}

/** Returns a part of a session: a background job that continues when its panel closes and is cancelled when the session ends. */
export function sessionJob<Result>(): Part<BackgroundJob<Result>> {
  return part((session) => {
    const job = createJob<Result>()
    session.onEnd(job.cancel)
    return job
  })
}

/** Returns whether the workers of a running run need the cores for themselves. */
export function coresAreTaken({ phase, engine }: { readonly phase: string; readonly engine: EngineName }): boolean {
  return phase === 'running' && isRealTime(engine)
}

/** Returns a job of this component, which is cancelled when the component is removed, and its state. */
export function useJob<Result>(): readonly [BackgroundJob<Result>, JobState<Result>] {
  const [job] = useState(() => createJob<Result>())
  useEffect(() => job.cancel, [job])
  return [job, useStore(job.store)]
}
