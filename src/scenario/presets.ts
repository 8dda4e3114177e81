import { same } from './compact.ts'
import { contention } from './presets/contention.ts'
import { firstRuns } from './presets/firstRuns.ts'
import { idealTimes } from './presets/idealTimes.ts'
import { pools } from './presets/pools.ts'
import type { Preset } from './presets/preset.ts'
import { queues } from './presets/queues.ts'
import { realWork } from './presets/realWork.ts'
import { seating } from './presets/seating.ts'
import { serving } from './presets/serving.ts'
import type { Micros, Scenario } from './scenario.ts'

/** All, in the order in which the page lists them. */
export const presets: readonly Preset[] = [...firstRuns, ...realWork, ...seating, ...serving, ...queues, ...contention, ...pools, ...idealTimes]

export function presetOf(key: string): Preset | undefined {
  return presets.find((each) => each.key === key)
}

/** The instant to look at in a run of this scenario, if it is a preset that tells of one; null: any. */
export function momentOf(scenario: Scenario): Micros | null {
  return presets.find(({ at, scenario: each }) => at !== undefined && same(each, scenario))?.at ?? null
}
