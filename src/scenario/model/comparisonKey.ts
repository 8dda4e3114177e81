import { compact } from './compact.ts'
import { playedParts } from './playedParts.ts'
import type { Scenario } from './scenario.ts'

/** Returns a key of all that a run depends on. */
export function comparisonKey(scenario: Scenario): string {
  return JSON.stringify(compact(playedParts(scenario)))
}
