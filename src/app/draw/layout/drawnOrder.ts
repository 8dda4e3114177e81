import { isLinear, linearOrder, orderOf } from '../../../scenario/model/linearStages.ts'
import type { Link } from '../../../scenario/model/scenario.ts'

/**
 * The ids of all stages that are drawn, each behind all that feed it, wherever that can be: where nothing leads to a stage yet it
 * counts as fed by the source, and what stands in a circle comes last. On a pipeline that is sound, the order in which jobs pass.
 */
export function drawnOrder(ids: readonly string[], links: readonly Link[]): string[] {
  const fed = new Set(links.map(([, to]) => to))
  const order = orderOf(ids, [...links, ...ids.filter((id) => !fed.has(id)).map((id): Link => ['source', id])])
  const placed = new Set(order)
  return [...order, ...ids.filter((id) => !placed.has(id))]
}

/** What each leads to. */
export function neighbours(steps: readonly Link[]): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const [from, to] of steps) {
    const known = all.get(from)
    if (known === undefined) all.set(from, [to])
    else known.push(to)
  }
  return all
}

/** The links of a graph; null of a line, or what will be one when what is dragged is dropped. */
export function graphLinks({ stages, links }: { readonly stages: readonly unknown[]; readonly links: readonly Link[] }): readonly Link[] | null {
  return links.length === stages.length + 1 && isLinear({ links }) && linearOrder({ links }).length === stages.length ? null : links
}
