import { createStore } from 'zustand/vanilla'
import { part } from '../../../app/session/session.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import type { SpanChoice } from '../read/spanJobs.ts'
import type { SpanFileRead } from '../study/importSpans.ts'

export type ReadSpanFile = Exclude<SpanFileRead, { readonly problems: unknown }>

/** A file of spans that is being opened. */
export interface ComingSpans {
  readonly name: string
  readonly size: number
  /** The share that is read, 0 to 1. */
  readonly share: number
  /** What was read last; null until then. `problems` say why the choice is refused. */
  readonly read: ReadSpanFile | null
  readonly choice: SpanChoice
  readonly problems: readonly Problem[]
  /** Reads the same spans with another choice. */
  choose(choice: SpanChoice): Promise<void>
  stop(): void
}

export const spanStore = part(() => createStore<{ readonly coming: ComingSpans | null }>(() => ({ coming: null })))
