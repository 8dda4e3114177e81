// The entry `apportion/record` of the package: what the pools of other packages do, as a run.
import {
  createRecording,
  type OpenRecording,
  type RecordedPool,
  type Recording,
  watchPool,
} from './features/spans/record/watchPools.ts'
import { allow, bag, type Checks, hasMethod, text } from './scenario/model/optionChecks.ts'

export type { JobLine, RecordedPool, Recording } from './features/spans/record/watchPools.ts'
export { recordPool as record }

export interface RecordOptions {
  /** The stage that the jobs of this pool are at. Unless given it is the name of the task (piscina, tinypool), of the method (workerpool) or of the queue (BullMQ). */
  readonly stage?: string
  /** Which job it is: a number or a text that is the same in all pools that it passes. It gets what the pool was given, or the job of BullMQ. Unless given each call, and each job of each queue, is a job of its own. */
  readonly job?: (...given: never[]) => string | number
  /** The recording of another pool, so that one run has several stages. */
  readonly into?: Recording
}

const checks: Checks<RecordOptions> = {
  stage: text,
  job: allow((value) => typeof value === 'function', 'a function that returns which job it is'),
  into: allow((value) => hasMethod(value, 'nextJob'), 'what record() returned for another pool'),
}
const requireOptions = bag(checks, "an object such as { stage: 'save' }", { call: 'record' })

/** Records what a pool does from now on, and returns the recording. Throws TypeError for an object that is not a pool of these packages. */
function recordPool(pool: RecordedPool, options: RecordOptions = {}): Recording {
  requireOptions('', options)
  const { stage, job, into } = options
  const recording = (into ?? createRecording()) as OpenRecording
  const ask = job as ((...given: readonly unknown[]) => string | number) | undefined
  const watched = { recording, stage, jobOf: (given: readonly unknown[]) => ask?.(...given) ?? recording.nextJob() }
  if (watchPool(pool, watched, ask !== undefined)) return recording
  throw new TypeError(
    `found ${(pool as object | null | undefined)?.constructor?.name ?? typeof pool}; allowed: a Piscina, a Tinypool, a pool of workerpool, a Worker or QueueEvents of BullMQ, or a PQueue`,
  )
}
