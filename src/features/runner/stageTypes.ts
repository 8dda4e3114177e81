import type { StageFunctions } from './serve.ts'
import type { PipelineOptions, StageOptions } from './settings.ts'
import type { WorkerLike } from './workerThread.ts'

// How the types of the stages' functions become those of a pipeline. Nothing here is there at run time.

declare const served: unique symbol

/** A Worker whose module serves these functions: `worker: (): WorkerOf<Stages> => new Worker(...)`. Any Worker is one. */
export type WorkerOf<F extends StageFunctions> = WorkerLike & { readonly [served]?: F }

export type StageChoice = string | StageOptions
type Links = PipelineOptions['links']

/** The options of a pipeline whose Workers serve the functions F. In a line, each stage must take what the one before returns. */
export interface TypedOptions<F extends StageFunctions, S extends readonly StageChoice[], L extends Links>
  extends Omit<PipelineOptions, 'worker' | 'stages' | 'links'> {
  readonly worker: () => WorkerOf<F>
  readonly stages: string extends keyof F
    ? readonly StageChoice[]
    : { readonly [K in keyof S]: Stage<F, S[K], Before<S, K, L>> }
  readonly links?: L
}

/** What `run` takes: the input of the first stage. `I` holds where the functions are not known. */
export type InputOf<I, F, S extends readonly StageChoice[], L> = string extends keyof F
  ? I
  : Line<S, L> extends readonly [infer First, ...unknown[]]
    ? Taken<F, First>
    : unknown

/** What `run` returns: the output of the last stage. */
export type OutputOf<O, F, S extends readonly StageChoice[], L> = string extends keyof F
  ? O
  : Line<S, L> extends readonly [...unknown[], infer Last]
    ? Returned<F, Last>
    : unknown

/** The stages if they are a line of known length, without links; else none. */
type Line<S extends readonly StageChoice[], L> = L extends undefined
  ? number extends S['length']
    ? readonly []
    : S
  : readonly []

/** The stage before; never where there is none, or none that is known. */
type Before<S extends readonly StageChoice[], K, L> = readonly [never, ...Line<S, L>] extends infer Shifted
  ? Shifted[K & keyof Shifted]
  : never

/** The name of the function of a stage. */
type Called<S> = S extends string
  ? S
  : S extends { readonly call: infer Name extends string }
    ? Name
    : S extends { readonly id: infer Name }
      ? Name
      : never

type Taken<F, S> =
  Called<S> extends keyof F
    ? F[Called<S>] extends (value: infer Value, ...rest: never) => unknown
      ? Value
      : unknown
    : unknown

type Returned<F, S> = [S] extends [never]
  ? never
  : Called<S> extends keyof F
    ? F[Called<S>] extends (...given: never) => infer Value
      ? Awaited<Value>
      : unknown
    : never

/** The type of a stage as it is written. The conditions name S itself, so that the compiler finds it. */
type Stage<F, S, BeforeIt> =
  Called<S> extends keyof F
    ? [Returned<F, BeforeIt>] extends [Taken<F, S>]
      ? S extends string
        ? S
        : StageOptions<keyof F & string> & Pick<S, Extract<keyof S, 'id' | 'call'>>
      : StageMismatch<{ stage: Called<S>; takes: Taken<F, S>; gets: Returned<F, BeforeIt> }>
    : S extends string
      ? keyof F
      : StageOptions<keyof F & string> & (S extends { readonly call: unknown } ? unknown : { readonly id: keyof F })

/** Stands where a stage does not take what the one before it returns. */
export interface StageMismatch<Difference> {
  readonly mismatch: Difference
}
