import { same } from './compact.ts'
import { presetOf } from './presets.ts'
import type { Micros, Scenario } from './scenario.ts'

/** When, in the simulation, that happens which a preset tells of, by its key. */
const moments: Readonly<Record<string, Micros>> = { alabama: 300_000, 'a-tie': 1_000_000 }

/** The instant to look at in a run of this scenario, if it is a preset that tells of one; null: any. */
export function momentOf(scenario: Scenario): Micros | null {
  const [, at] = Object.entries(moments).find(([key]) => same(presetOf(key)?.scenario, scenario)) ?? [null, null]
  return at
}
