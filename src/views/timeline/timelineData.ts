import type { Leg } from '../../measures/jobs/journey.ts'
import type { Lanes } from '../../measures/series/lanes.ts'
import type { Marks } from '../../measures/series/marks.ts'
import type { Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Palette } from '../drawing/palette.ts'
import type { TimeRange } from './timelineRange.ts'

/** What a timeline shows. Columns may grow between two updates, as they do while a run goes on: then `version` must differ. */
export interface TimelineData {
  readonly palette: Palette
  /** The stretch of time across the plot. */
  readonly range: TimeRange
  /** How far the run has come; nothing is drawn beyond. */
  readonly end: Micros
  readonly playhead: Micros
  readonly stages: readonly { readonly name: string; readonly colourIndex: number }[]
  /** The stages by number in the order in which they are listed and stacked: that of the pipeline. */
  readonly line: readonly number[]
  readonly workers: number
  /** By stage: how many wait, and how many seats it has. */
  readonly queues: readonly Steps[]
  readonly seats: readonly Steps[]
  readonly lanes: Lanes
  /** When jobs came in from the source, and when they left for good. */
  readonly arrivals: Marks
  readonly departures: Marks
  /** By worker: what it has in its hands at `end` and since when, while a run goes on; stage -1: nothing. */
  readonly underway?: readonly { readonly stage: number; readonly since: Micros }[]
  readonly decisions: Marks
  /** A stretch somebody has marked. */
  readonly selection?: TimeRange | null
  /** What stands out while the rest is dimmed. */
  readonly highlight?: Highlight | null
  readonly version: number
}

export type Highlight =
  | { readonly kind: 'stage'; readonly stage: number }
  | { readonly kind: 'worker'; readonly worker: number }
  | { readonly kind: 'job'; readonly legs: readonly Leg[] }
