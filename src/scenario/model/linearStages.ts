import type { Link, Scenario } from './scenario.ts'

/** The order in which jobs pass the stages, and the simplest of all pipelines: one line from the source to the sink. */

/** The links of a line over the stages in this order. */
export function linearLinks(ids: readonly string[]): Link[] {
  const ends = ['source', ...ids, 'sink']
  return ends.slice(1).map((to, i) => [ends[i], to])
}

/** Whether links that passed `parse` form one line: each stage is followed by one alone, and so is the source. */
export function isLinear({ links }: Pick<Scenario, 'links'>): boolean {
  return new Set(links.map(([from]) => from)).size === links.length && new Set(links.map(([, to]) => to)).size === links.length
}

/**
 * The ids of the stages so that each stands behind all that feed it: on a line the order in which jobs pass them. Where
 * several might come next, the one that stands first in `ranked` does. What is not reached from the source, or stands in or
 * behind a circle, is left out.
 */
export function orderOf(ranked: readonly string[], links: readonly Link[]): string[] {
  const { next, before } = waysOf(links)
  const rank = new Map(ranked.map((id, i) => [id, i]))
  const awaited = new Map(ranked.map((id) => [id, before.get(id)?.length ?? 0]))
  const order: string[] = []
  /** Ranks of those whose feeders all stand in the order, descending. */
  const ready: number[] = []
  const pass = (from: string) => {
    for (const to of next.get(from) ?? []) {
      const left = (awaited.get(to) ?? 0) - 1
      awaited.set(to, left)
      const own = rank.get(to)
      if (left !== 0 || own === undefined) continue
      let place = ready.length
      while (place > 0 && ready[place - 1] < own) place--
      ready.splice(place, 0, own)
    }
  }
  pass('source')
  for (let own = ready.pop(); own !== undefined; own = ready.pop()) {
    order.push(ranked[own])
    pass(ranked[own])
  }
  return order
}

/** Where links lead from each end, and where they come from, in their order. */
export function waysOf(links: readonly Link[]): {
  readonly next: ReadonlyMap<string, readonly string[]>
  readonly before: ReadonlyMap<string, readonly string[]>
} {
  const next = new Map<string, string[]>()
  const before = new Map<string, string[]>()
  const add = (map: Map<string, string[]>, key: string, id: string) => {
    const list = map.get(key)
    if (list === undefined) map.set(key, [id])
    else list.push(id)
  }
  for (const [from, to] of links) {
    add(next, from, to)
    add(before, to, from)
  }
  return { next, before }
}

/**
 * The ids of the stages in the order in which jobs pass them, from source to sink; on a graph, each behind all that feed it.
 * Links that passed `parse` stand in this very order.
 */
export function linearOrder({ links }: Pick<Scenario, 'links'>): string[] {
  const ids = new Set([...links.map(([from]) => from), ...links.map(([, to]) => to)])
  ids.delete('source')
  ids.delete('sink')
  return orderOf([...ids], links)
}

/** The numbers of the stages, by which rows and decisions know them, in the order in which jobs pass them. */
export function stageNumbers({ stages, links }: Pick<Scenario, 'stages' | 'links'>): number[] {
  const numbers = new Map(stages.map(({ id }, s) => [id, s]))
  return linearOrder({ links }).flatMap((id) => numbers.get(id) ?? [])
}

/**
 * Links in their one normal order, so that equal pipelines are spelled alike: by where they come from, in the order in which
 * jobs pass, and those of one stage by where their ends stand there. On a line, the line.
 */
export function ordered(ids: readonly string[], links: readonly Link[]): Link[] {
  const order = ['source', ...orderOf(ids, links), 'sink']
  const place = new Map(order.map((id, i) => [id, i]))
  const at = (id: string) => place.get(id) ?? order.length
  return [...links].sort((a, b) => at(a[0]) - at(b[0]) || at(a[1]) - at(b[1]))
}
