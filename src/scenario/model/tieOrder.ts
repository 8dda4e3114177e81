import type { Scenario } from './scenario.ts'

/** Returns stage numbers in the order that breaks ties: ids ascending, which are ASCII, so `<` compares code points. */
export function tieOrder({ stages }: Scenario): number[] {
  return Array.from(stages.keys()).sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))
}
