import type { Link, Scenario } from './scenario.ts'

/** Returns the links of a linear pipeline: source, the stages in this order, sink. */
export function linearLinks(ids: readonly string[]): Link[] {
  const ends = ['source', ...ids, 'sink']
  return ends.slice(1).map((to, i) => [ends[i], to])
}

/** Whether the pipeline is linear: each stage has one successor, and so has the source. The links must have passed `parse`. */
export function isLinear({ links }: Pick<Scenario, 'links'>): boolean {
  return (
    new Set(links.map(([from]) => from)).size === links.length &&
    new Set(links.map(([, to]) => to)).size === links.length
  )
}

/** Returns stage ids, feeders first, otherwise in the order of `ranked`. Stages that the source does not reach, or in or after a cycle, are left out. */
export function orderOf(ranked: readonly string[], links: readonly Link[]): string[] {
  const { next, before } = waysOf(links)
  const rank = new Map(ranked.map((id, i) => [id, i]))
  const awaited = new Map(ranked.map((id) => [id, before.get(id)?.length ?? 0]))
  const order: string[] = []
  /** Ranks of stages whose feeders are all in the order, descending. */
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

/** Returns the successors and predecessors of each stage, in the order of the links. */
export function waysOf(
  links: readonly Link[],
): Readonly<Record<'next' | 'before', ReadonlyMap<string, readonly string[]>>> {
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

/** Returns the stage ids in the order in which jobs pass them: each stage after all its feeders. The links must have passed `parse`. */
export function linearOrder({ links }: Pick<Scenario, 'links'>): string[] {
  const ids = new Set([...links.map(([from]) => from), ...links.map(([, to]) => to)])
  ids.delete('source')
  ids.delete('sink')
  return orderOf([...ids], links)
}

/** Returns the stage numbers, which rows and decisions use, in the order in which jobs pass. */
export function stageNumbers({ stages, links }: Pick<Scenario, 'stages' | 'links'>): number[] {
  const numbers = new Map(stages.map(({ id }, s) => [id, s]))
  return linearOrder({ links }).flatMap((id) => numbers.get(id) ?? [])
}

/** Returns the links in normal order, so that equal pipelines have equal text: by the place of their start, then of their end. */
export function ordered(ids: readonly string[], links: readonly Link[]): Link[] {
  const order = ['source', ...orderOf(ids, links), 'sink']
  const place = new Map(order.map((id, i) => [id, i]))
  const at = (id: string) => place.get(id) ?? order.length
  return [...links].sort((a, b) => at(a[0]) - at(b[0]) || at(a[1]) - at(b[1]))
}

/** Returns the label of each stage in files and other programs: its name, or its id where the name is ambiguous. */
export function stageLabels({ stages }: Pick<Scenario, 'stages'>): readonly string[] {
  const uses = new Map<string, number>()
  for (const word of stages.flatMap(({ id, name }) => (id === name ? [id] : [id, name])))
    uses.set(word, (uses.get(word) ?? 0) + 1)
  return stages.map(({ id, name }) => (uses.get(name) === 1 ? name : id))
}

/** Returns stage numbers in the order that breaks ties: ids ascending, which are ASCII, so `<` compares code points. */
export function tieOrder({ stages }: Scenario): number[] {
  return Array.from(stages.keys()).sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))
}
