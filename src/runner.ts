import { Pipeline } from './features/runner/pipeline.ts'
import type { PipelineOptions } from './features/runner/settings.ts'

// The entry `apportion` of the package: pipelines of a person's own functions.

export type { DecideSeats, DecisionView } from './features/runner/decide.ts'
export {
  type Inputs,
  Pipeline,
  type PipelineEvent,
  type PipelineEvents,
  type Results,
} from './features/runner/pipeline.ts'
export type { PolicyChoice } from './features/runner/policyChoice.ts'
export { transfer } from './features/runner/protocol.ts'
export { PipelineError } from './features/runner/run.ts'
export type { PipelineOptions, RunOptions, StageOptions } from './features/runner/settings.ts'
export type { ContextLike, SpanLike, SpanTime, TracerLike } from './features/runner/spans.ts'
export type { PipelineFigures, StageFigures, TimeFigures } from './features/runner/stats.ts'
export type { WorkerLike } from './features/runner/workerThread.ts'

/** Returns a pipeline. Creating it starts nothing. Throws TypeError if the options are wrong. */
export function createPipeline<I = unknown, O = unknown>(options: PipelineOptions): Pipeline<I, O> {
  return new Pipeline<I, O>(options)
}
