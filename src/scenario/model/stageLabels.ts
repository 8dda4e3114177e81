import type { Scenario } from './scenario.ts'

/**
 * Returns by stage what files and other programs call it: its name, or its id where the name is that of another stage or the id of one.
 * No two stages are called the same.
 */
export function stageLabels({ stages }: Pick<Scenario, 'stages'>): readonly string[] {
  const uses = new Map<string, number>()
  for (const word of stages.flatMap(({ id, name }) => (id === name ? [id] : [id, name]))) uses.set(word, (uses.get(word) ?? 0) + 1)
  return stages.map(({ id, name }) => (uses.get(name) === 1 ? name : id))
}
