import { setFeeders } from '../../../scenario/edit/edits.ts'
import { MAX_FEEDERS } from '../../../scenario/model/limits.ts'
import type { Scenario, Source } from '../../../scenario/model/scenario.ts'
import { type Gaps, gapsOf } from './gaps.ts'
import { spreadingOf } from './spreading.ts'

/** How far apart so many feeders keep the jobs of one group. */
export interface FeederGaps {
  readonly jobs: number
  /** Over all jobs; null where no two jobs share a group. */
  readonly whole: Gaps | null
  /**
   * Over the jobs before `tail`, the first of a round with fewer groups than feeders. Before it every distance is the number of
   * feeders.
   */
  readonly beforeTail: Gaps | null
  readonly tail: number
}

/** Returns the gaps of the scenario with so many feeders; null for a source without groups. */
export function feederGaps(scenario: Scenario, feeders: number): FeederGaps | null {
  const spreading = spreadingOf(setFeeders(scenario, feeders).source, scenario.seed)
  if (spreading === null) return null
  const { group, jobs } = spreading
  const tail = spreading.tail ?? jobs
  return { jobs, whole: gapsOf(group), beforeTail: gapsOf(group, tail), tail }
}

/** Up to so many groups every number is compared. Beyond, steps of a half or a third are enough. */
const EVERY = 16
const STEPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256]

/** Returns the numbers of feeders worth comparing: up to the number of groups with jobs, and what the source has now. */
export function sensibleFeeders(source: Source): readonly number[] {
  if (source.kind !== 'groups') return []
  const groups = Math.max(1, Math.min(MAX_FEEDERS, source.groups.filter((size) => size > 0).length))
  const steps = groups <= EVERY ? Array.from({ length: groups }, (_, k) => k + 1) : [...STEPS.filter((step) => step < groups), groups]
  return [...new Set([...steps, ...(isSpread(source) ? [source.feeders] : [])])].sort((a, b) => a - b)
}

function isSpread(source: Extract<Source, { kind: 'groups' }>): boolean {
  return source.order === 'spread' || source.order === 'largestFirst'
}
