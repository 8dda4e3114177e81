import { Pipeline } from './features/runner/pipeline.ts'
import type { StageFunctions } from './features/runner/serve.ts'
import type { PipelineOptions } from './features/runner/settings.ts'
import type { InputOf, OutputOf, StageChoice, TypedOptions } from './features/runner/stageTypes.ts'

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
export type { StageMismatch, WorkerOf } from './features/runner/stageTypes.ts'
export type { PipelineFigures, StageFigures, TimeFigures } from './features/runner/stats.ts'
export type { WorkerLike } from './features/runner/workerThread.ts'

/**
 * Returns a pipeline. Creating it starts nothing. Throws TypeError if the options are wrong. `I` and `O` are the types of inputs and results; they
 * follow from the functions where `worker` names them: `worker: (): WorkerOf<Stages> => new Worker(...)`.
 */
export function createPipeline<
  I = unknown,
  O = unknown,
  F extends StageFunctions = StageFunctions,
  const S extends readonly StageChoice[] = readonly StageChoice[],
  const L extends PipelineOptions['links'] = undefined,
>(options: TypedOptions<F, S, L>): Pipeline<InputOf<I, F, S, L>, OutputOf<O, F, S, L>> {
  return new Pipeline(options as unknown as PipelineOptions)
}
