import type { Leg } from '../../measures/jobs/journey.ts'
import type { Lanes } from '../../measures/series/lanes.ts'
import type { Marks } from '../../measures/series/marks.ts'
import type { Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Palette } from '../drawing/palette.ts'
import type { TimeRange } from './timelineRange.ts'

/** What a timeline shows. When its series have grown since the last update, as in a live run, `version` must differ. */
export interface TimelineData {
  readonly palette: Palette
  readonly range: TimeRange
  /** How far the run has come. Nothing is drawn after it. */
  readonly end: Micros
  readonly playhead: Micros
  /** The instant in the label of the playhead; may be a little older. Without it: the playhead's. */
  readonly labelTime?: Micros
  readonly stages: readonly { readonly name: string; readonly colourIndex: number }[]
  /** The stage numbers in the order of the pipeline, in which stages are listed and stacked. */
  readonly stageOrder: readonly number[]
  readonly workers: number
  /** The workers whose lanes are shown, up to the second; by default all. See `teamsIn`. */
  readonly opened?: readonly [from: number, to: number] | null
  /** By stage: the jobs waiting, and the seats. */
  readonly queues: readonly Steps[]
  readonly seats: readonly Steps[]
  /** The queues of the run before the last edit, as thin lines; left out: none. */
  readonly ghost?: readonly Steps[] | null
  readonly lanes: Lanes
  /** In a live run, by worker: the stage it works at now and since when; stage -1: none. */
  readonly underway?: readonly { readonly stage: number; readonly since: Micros }[]
  /** By worker: where and when it starts up; left out where no stage needs that. */
  readonly startUps?: readonly (readonly { readonly stage: number; readonly from: Micros; readonly until: Micros }[])[]
  readonly decisions: Marks
  /** A row of marks below the decisions, with its heading; left out where nothing is noted. */
  readonly notes?: { readonly name: string; readonly marks: Marks } | null
  readonly selection?: TimeRange | null
  /** What stands out; the rest is dimmed. */
  readonly highlight?: Highlight | null
  readonly version: number
}

export type Highlight =
  | { readonly kind: 'stage'; readonly stage: number }
  | { readonly kind: 'worker'; readonly worker: number }
  | { readonly kind: 'job'; readonly legs: readonly Leg[] }
