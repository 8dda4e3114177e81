import { waysOf } from '../../../scenario/model/linearStages.ts'
import type { Link } from '../../../scenario/model/scenario.ts'
import { drawnOrder } from './drawnOrder.ts'

/**
 * The layers of a graph from the source on, each a list from one side to the other. A stage stands one layer behind the last that
 * feeds it (the longest path). A link that spans layers passes each of them in a lane, which all links to its end share:
 *
 *     source   A   B         D   sink          C feeds sink: in the layer of D it has the lane "sink|3"
 *                  C  ...................
 *
 * Lanes are told from stages by their bar, which is in no id.
 */
export interface Layers {
  readonly layers: readonly (readonly string[])[]
  readonly depth: ReadonlyMap<string, number>
  /** Pairs of neighbours in consecutive layers. */
  readonly steps: readonly Link[]
}

export const laneOf = (to: string, layer: number): string => `${to}|${layer}`
export const isLane = (id: string): boolean => id.includes('|')

export function layersOf(ids: readonly string[], links: readonly Link[]): Layers {
  const order = ['source', ...drawnOrder(ids, links), 'sink']
  const place = new Map(order.map((id, i) => [id, i]))
  // A link that leads back, as in a cycle, is drawn but does not affect the layers.
  const forward = links.filter(([from, to]) => (place.get(from) ?? 0) < (place.get(to) ?? 0))
  const depth = new Map(order.map((id, i) => [id, i === 0 ? 0 : 1]))
  const { before } = waysOf(forward)
  for (const id of order) for (const from of before.get(id) ?? []) depth.set(id, Math.max(depth.get(id) ?? 0, (depth.get(from) ?? 0) + 1))
  const last = Math.max(...order.slice(0, -1).map((id) => depth.get(id) ?? 0)) + 1
  depth.set('sink', last)

  const layers: string[][] = Array.from({ length: last + 1 }, () => [])
  for (const id of order) layers[depth.get(id) ?? 0].push(id)
  const steps = new Map<string, Link>()
  const step = (from: string, to: string) => steps.set(`${from} ${to}`, [from, to])
  for (const [from, to] of forward) {
    const until = depth.get(to) ?? 0
    let at = from
    for (let layer = (depth.get(from) ?? 0) + 1; layer < until; layer++) {
      const lane = laneOf(to, layer)
      if (!depth.has(lane)) {
        depth.set(lane, layer)
        layers[layer].push(lane)
      }
      step(at, lane)
      at = lane
    }
    step(at, to)
  }
  return { layers: uncrossed(layers, [...steps.values()]), depth, steps: [...steps.values()] }
}

const SWEEPS = 12

/**
 * Returns the layers with few crossings: each is sorted by the mean place of its neighbours, forth and back (Sugiyama, Tagawa and Toda
 * 1981), and the best order is kept.
 */
function uncrossed(given: readonly (readonly string[])[], steps: readonly Link[]): readonly (readonly string[])[] {
  const { before, next: behind } = waysOf(steps)
  const place = new Map<string, number>()
  const put = (layer: readonly string[]) => {
    for (const [i, id] of layer.entries()) place.set(id, i)
  }
  for (const layer of given) put(layer)
  let layers = given.map((layer) => [...layer])
  let best = given
  let fewest = crossings(given, behind, place)
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const down = sweep % 2 === 0
    const beside = down ? before : behind
    for (let k = 0; k < layers.length; k++) {
      const layer = layers[down ? k : layers.length - 1 - k]
      const mean = new Map(layer.map((id) => [id, meanPlace(beside.get(id) ?? [], place, place.get(id) ?? 0)]))
      layer.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0) || (place.get(a) ?? 0) - (place.get(b) ?? 0))
      put(layer)
    }
    const now = crossings(layers, behind, place)
    if (now >= fewest) continue
    fewest = now
    best = layers
    layers = layers.map((layer) => [...layer])
  }
  return best
}

function meanPlace(ids: readonly string[], place: ReadonlyMap<string, number>, alone: number): number {
  return ids.length === 0 ? alone : ids.reduce((sum, id) => sum + (place.get(id) ?? 0), 0) / ids.length
}

/** Returns how many pairs of steps cross: they begin after another and end before it, counted in a Fenwick tree. */
export function crossings(layers: readonly (readonly string[])[], behind: ReadonlyMap<string, readonly string[]>, place: ReadonlyMap<string, number>): number {
  let sum = 0
  for (let k = 0; k + 1 < layers.length; k++) {
    const tree = new Uint32Array(layers[k + 1].length + 1)
    let seen = 0
    for (const id of layers[k]) {
      const ends = (behind.get(id) ?? []).map((to) => place.get(to) ?? 0)
      for (const end of ends) {
        let notBehind = 0
        for (let i = end + 1; i > 0; i -= i & -i) notBehind += tree[i]
        sum += seen - notBehind
      }
      for (const end of ends) for (let i = end + 1; i < tree.length; i += i & -i) tree[i]++
      seen += ends.length
    }
  }
  return sum
}
