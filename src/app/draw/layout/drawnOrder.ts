import { isLinear, linearOrder, orderOf } from '../../../scenario/model/linearStages.ts'
import type { Link } from '../../../scenario/model/scenario.ts'

/**
 * Returns the ids of all stages, each after all that feed it where possible. A stage without an incoming link counts as fed by the source;
 * stages in a cycle come last. For a valid pipeline this is the order in which jobs pass.
 */
export function drawnOrder(ids: readonly string[], links: readonly Link[]): string[] {
  const fed = new Set(links.map(([, to]) => to))
  const order = orderOf(ids, [...links, ...ids.filter((id) => !fed.has(id)).map((id): Link => ['source', id])])
  const placed = new Set(order)
  return [...order, ...ids.filter((id) => !placed.has(id))]
}

/** Returns the links of a graph; null for a line, or for what becomes one after a drop. */
export function graphLinks({ stages, links }: { readonly stages: readonly unknown[]; readonly links: readonly Link[] }): readonly Link[] | null {
  return links.length === stages.length + 1 && isLinear({ links }) && linearOrder({ links }).length === stages.length ? null : links
}
