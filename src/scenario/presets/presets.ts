import { same } from '../model/compact.ts'
import type { Micros, Scenario } from '../model/scenario.ts'
import { contentionPresets } from './contention.ts'
import { firstRuns } from './firstRuns.ts'
import { idealTimes } from './idealTimes.ts'
import { pools } from './pools.ts'
import type { Preset } from './preset.ts'
import { queues } from './queues.ts'
import { realWork } from './realWork.ts'
import { seatingPresets } from './seating.ts'
import { serving } from './serving.ts'

/** All, in the order in which the page lists them. */
export const presets: readonly Preset[] = [...firstRuns, ...realWork, ...seatingPresets, ...serving, ...queues, ...contentionPresets, ...pools, ...idealTimes]

export function presetOf(key: string): Preset | undefined {
  return presets.find((each) => each.key === key)
}

/** The instant to look at in a run of this scenario, if it is a preset that tells of one; null: any. */
export function momentOf(scenario: Scenario): Micros | null {
  return presets.find(({ at, scenario: each }) => at !== undefined && same(each, scenario))?.at ?? null
}
