import { rewired } from '../graph/rewiring.ts'
import { compact } from '../model/compact.ts'
import type { Hidden, Scenario } from '../model/scenario.ts'

/** Returns some stages and the links among them as text, for copy and paste: `readPart` reads it. */
export function writePart(scenario: Scenario, ids: readonly string[]): string {
  const chosen = new Set(ids)
  const stages = scenario.stages.filter(({ id }) => chosen.has(id))
  const links = scenario.links.filter((link) => link.every((id) => chosen.has(id)))
  const { stages: written, hidden } = compact({ ...scenario, ...rewired(stages, links), hidden: hiddenAmong(scenario.hidden, chosen) })
  return JSON.stringify({ stages: written, links, hidden }, null, 2)
}

function hiddenAmong(hidden: readonly Hidden[], chosen: ReadonlySet<string>): readonly Hidden[] {
  return hidden.filter((secret) => secret.kind === 'service' && chosen.has(secret.stage))
}
