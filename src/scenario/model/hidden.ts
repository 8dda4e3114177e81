import type { Hidden, Scenario } from './scenario.ts'
import { seal } from './seal.ts'

/**
 * A scenario in memory holds what it hides, since it is played; the page does not show it. Wherever it is written (links, files, JSON),
 * the hidden values are sealed, and `parse` opens the seals.
 */

type Written = Readonly<Record<string, unknown>>

/** The keys of a stage that a hidden service time covers. */
export const serviceKeys = ['service', 'changes'] as const

/** Returns the place that a seal is made for. */
export function placeOf(secret: Hidden): string {
  return secret.kind === 'service' ? `service ${secret.stage} ` : 'policy '
}

export function hides({ hidden }: Scenario, secret: Hidden): boolean {
  return hidden.some((each) => placeOf(each) === placeOf(secret))
}

/** Returns the scenario with this hidden too. */
export function withHidden(scenario: Scenario, secret: Hidden): Scenario {
  return hides(scenario, secret) ? scenario : { ...scenario, hidden: [...scenario.hidden, secret] }
}

/** Returns the scenario with this for all to see. */
export function withoutHidden(scenario: Scenario, secret: Hidden): Scenario {
  const hidden = scenario.hidden.filter((each) => placeOf(each) !== placeOf(secret))
  return hidden.length === scenario.hidden.length ? scenario : { ...scenario, hidden }
}

/** Returns a compact scenario with what is hidden sealed, in place of where it stood. */
export function withSeals(compact: Written, hidden: readonly Hidden[]): Written {
  if (hidden.length === 0) return compact
  const { policy, ...rest } = compact
  const stages = new Map((compact.stages as readonly Written[]).map((stage) => [stage.id, stage]))
  const sealed = hidden.map((secret) => {
    const value = secret.kind === 'policy' ? policy : taken(stages, secret.stage)
    return { ...secret, sealed: seal(value ?? {}, placeOf(secret)) }
  })
  const shown = hidden.some(({ kind }) => kind === 'policy') || policy === undefined ? rest : { ...rest, policy }
  return { ...shown, stages: [...stages.values()], hidden: sealed }
}

/** Takes what a stage costs out of its entry, and returns it. */
function taken(stages: Map<unknown, Written>, id: string): Written {
  const stage = stages.get(id) ?? {}
  const covered = (key: string) => (serviceKeys as readonly string[]).includes(key)
  const entries = Object.entries(stage)
  stages.set(id, Object.fromEntries(entries.filter(([key]) => !covered(key))))
  return Object.fromEntries(entries.filter(([key]) => covered(key)))
}
