import { same } from '../model/compact.ts'
import type { Micros, Scenario } from '../model/scenario.ts'
import { idealTimes, queues, seatingPresets } from './knownResults.ts'
import { pools } from './pools.ts'
import { firstRuns, type Preset } from './preset.ts'
import { contentionPresets, realWork, serving } from './serving.ts'

export const presets: readonly Preset[] = [
  ...firstRuns,
  ...realWork,
  ...seatingPresets,
  ...serving,
  ...queues,
  ...contentionPresets,
  ...pools,
  ...idealTimes,
]

export function presetOf(key: string): Preset | undefined {
  return presets.find((each) => each.key === key)
}

/** Returns the instant to look at in a run of this scenario, if it is a preset that names one; else null. */
export function momentOf(scenario: Scenario): Micros | null {
  return presets.find(({ at, scenario: each }) => at !== undefined && same(each, scenario))?.at ?? null
}
