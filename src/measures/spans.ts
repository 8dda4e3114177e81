import type { Micros } from '../scenario/scenario.ts'

/**
 * The work of all workers as spans, in columns, ordered by when the core learned of them. Span k: worker[k] served job[k]
 * at stage[k] from began[k] to ended[k].
 */
export interface Spans {
  readonly length: number
  readonly began: Float64Array
  readonly ended: Float64Array
  readonly stage: Int16Array
  readonly worker: Int16Array
  readonly job: Int32Array
}

/** A step function of time: value[k] holds from time[k] to time[k + 1]. */
export interface Series {
  readonly length: number
  readonly time: Float64Array
  readonly value: Float64Array
}

export type Instant = Micros
