import type { Scenario } from '../../../scenario/model/scenario.ts'

/** Returns the number of each stage in a scenario, by its id. An edit changes numbers, but not ids. */
export function stageNumbersIn({ stages }: Scenario): ReadonlyMap<string, number> {
  return new Map(stages.map(({ id }, s) => [id, s]))
}
