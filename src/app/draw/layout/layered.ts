import { waysOf } from '../../../scenario/model/linearStages.ts'
import type { Link } from '../../../scenario/model/scenario.ts'
import type { Size } from '../../base/page/useSize.ts'
import { drawnOrder } from './layout.ts'
import { CIRCLE, type Flow, type Point } from './places.ts'

/** A graph in layers: the middle of each card and circle, and the ways of links through other layers. */
interface Layered {
  readonly middles: ReadonlyMap<string, Point>
  /** By `from to`: the points where a link enters and leaves the layers between its ends. */
  readonly via: ReadonlyMap<string, readonly Point[]>
  /** By `from to`: how many of these points a link passes until it joins another link to the same end. */
  readonly joins: ReadonlyMap<string, number>
}

/** The space between two layers: room for curves, with a button on each. */
const BETWEEN: Readonly<Record<Flow, number>> = { right: 66, down: 46 }
const BESIDE: Readonly<Record<Flow, number>> = { right: 30, down: 26 }
const LANE = 14
const ROUNDS = 7

/** Lays out a graph from left to right or from top to bottom, with the same layers for both, and with cards of a size. */
export function layered(ids: readonly string[], links: readonly Link[]): (flow: Flow, card: Size) => Layered {
  const found = graphLayers(ids, links)
  return (flow, card) => layOut(found, links, flow, card)
}

function layOut({ layers, depth, steps }: Layers, links: readonly Link[], flow: Flow, card: Size): Layered {
  const right = flow === 'right'
  const sizeOf = (id: string): Size =>
    id === 'source' || id === 'sink' ? CIRCLE : isLane(id) ? { width: 0, height: 0 } : card
  const along = (size: Size) => (right ? size.width : size.height)
  const across = (size: Size) => (right ? size.height : size.width)
  const half = (id: string) => (isLane(id) ? LANE : across(sizeOf(id)) + BESIDE[flow]) / 2
  const offsets = acrossOf(layers, steps, half)

  const starts: number[] = []
  const depths = layers.map((layer) => Math.max(...layer.map((id) => along(sizeOf(id)))))
  for (const k of depths.keys()) starts.push(k === 0 ? 0 : starts[k - 1] + depths[k - 1] + BETWEEN[flow])
  const at = (a: number, b: number): Point => (right ? { x: a, y: b } : { x: b, y: a })
  const middles = new Map<string, Point>()
  layers.forEach((layer, k) => {
    for (const id of layer) if (!isLane(id)) middles.set(id, at(starts[k] + depths[k] / 2, offsets.get(id) ?? 0))
  })
  const via = new Map<string, readonly Point[]>()
  const joins = new Map<string, number>()
  const drawn = new Set<string>()
  // The longest link first, so that the others join it.
  for (const [from, to] of [...links].sort((a, b) => (depth.get(a[0]) ?? 0) - (depth.get(b[0]) ?? 0))) {
    const points: Point[] = []
    for (let k = (depth.get(from) ?? 0) + 1; k < (depth.get(to) ?? 0); k++) {
      const lane = laneOf(to, k)
      const offset = offsets.get(lane) ?? 0
      if (drawn.has(lane) && !joins.has(`${from} ${to}`)) joins.set(`${from} ${to}`, points.length + 1)
      drawn.add(lane)
      points.push(at(starts[k], offset), at(starts[k] + depths[k], offset))
    }
    if (points.length > 0) via.set(`${from} ${to}`, points)
  }
  return { middles, via, joins }
}

/** Returns the middles of each layer across the flow, near to their neighbours. Nodes with many stages ahead weigh more: the longest way is nearly straight. */
function acrossOf(
  layers: Layers['layers'],
  steps: readonly Link[],
  half: (id: string) => number,
): ReadonlyMap<string, number> {
  const { before, next: behind } = waysOf(steps)
  const toSource = weights(layers, before)
  const toSink = weights([...layers].reverse(), behind)
  const offsets = new Map<string, number>()
  const put = (layer: readonly string[], wished: readonly number[], weight: ReadonlyMap<string, number>) => {
    for (const [i, offset] of spaced(layer, wished, weight, half).entries()) offsets.set(layer[i], offset)
  }
  const meanOf = (ids: readonly string[], weight: ReadonlyMap<string, number>) => {
    const sum = ids.reduce((total, id) => total + (weight.get(id) ?? 1), 0)
    return ids.length === 0
      ? null
      : ids.reduce((total, id) => total + (offsets.get(id) ?? 0) * (weight.get(id) ?? 1), 0) / sum
  }
  for (const layer of layers) put(layer, new Array<number>(layer.length).fill(0), toSink)
  // Back and forth. The last round begins at the source, so that a way that nothing joins stays straight.
  for (let round = 0; round < ROUNDS; round++) {
    const down = round % 2 === 0
    const [near, far] = down ? [before, behind] : [behind, before]
    const [nearWeight, farWeight] = down ? [toSource, toSink] : [toSink, toSource]
    for (let k = 0; k < layers.length; k++) {
      const layer = layers[down ? k : layers.length - 1 - k]
      put(
        layer,
        layer.map(
          (id) =>
            meanOf(near.get(id) ?? [], nearWeight) ?? meanOf(far.get(id) ?? [], farWeight) ?? offsets.get(id) ?? 0,
        ),
        farWeight,
      )
    }
  }
  for (const [id, offset] of offsets) offsets.set(id, Math.round(offset))
  return offsets
}

/** Returns the weight of each node: the most stages on a way ahead of it, squared. A lane weighs little. */
function weights(layers: Layers['layers'], ahead: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const stages = new Map<string, number>()
  for (const layer of layers)
    for (const id of layer)
      stages.set(id, (isLane(id) ? 0 : 1) + Math.max(0, ...(ahead.get(id) ?? []).map((each) => stages.get(each) ?? 0)))
  return new Map([...stages].map(([id, n]) => [id, isLane(id) ? 0.5 : n * n]))
}

/** Returns the places nearest to `wished`, by weighted least squares, that keep order and distance: pooled by isotonic regression (Ayer and others 1955). */
function spaced(
  layer: readonly string[],
  wished: readonly number[],
  weight: ReadonlyMap<string, number>,
  half: (id: string) => number,
): number[] {
  const room: number[] = []
  for (const [i, id] of layer.entries()) room.push(i === 0 ? 0 : room[i - 1] + half(layer[i - 1]) + half(id))
  const pools: { sum: number; weight: number; count: number }[] = []
  wished.forEach((wanted, i) => {
    const share = weight.get(layer[i]) ?? 1
    pools.push({ sum: share * (wanted - room[i]), weight: share, count: 1 })
    for (
      let n = pools.length - 1;
      n > 0 && pools[n - 1].sum / pools[n - 1].weight >= pools[n].sum / pools[n].weight;
      n--
    ) {
      const [upper, lower] = [pools[n - 1], pools[n]]
      pools.pop()
      pools[n - 1] = {
        sum: upper.sum + lower.sum,
        weight: upper.weight + lower.weight,
        count: upper.count + lower.count,
      }
    }
  })
  return pools
    .flatMap(({ sum, weight: all, count }) => Array<number>(count).fill(sum / all))
    .map((offset, i) => offset + room[i])
}

/**
 * The layers of a graph from the source on, each a list from one side to the other. A stage stands one layer behind the last that
 * feeds it (the longest path). A link that spans layers passes each of them in a lane, which all links to its end share:
 *
 *     source   A   B         D   sink          C feeds sink: in the layer of D it has the lane "sink|3"
 *                  C  ...................
 *
 * The bar in their ids, which no stage id has, marks lanes.
 */
interface Layers {
  readonly layers: readonly (readonly string[])[]
  readonly depth: ReadonlyMap<string, number>
  /** Pairs of neighbours in consecutive layers. */
  readonly steps: readonly Link[]
}

const laneOf = (to: string, layer: number): string => `${to}|${layer}`
const isLane = (id: string): boolean => id.includes('|')

export function graphLayers(ids: readonly string[], links: readonly Link[]): Layers {
  const order = ['source', ...drawnOrder(ids, links), 'sink']
  const place = new Map(order.map((id, i) => [id, i]))
  // A link that leads back, as in a cycle, is drawn but does not affect the layers.
  const forward = links.filter(([from, to]) => (place.get(from) ?? 0) < (place.get(to) ?? 0))
  const depth = new Map(order.map((id, i) => [id, i === 0 ? 0 : 1]))
  const { before } = waysOf(forward)
  for (const id of order)
    for (const from of before.get(id) ?? []) depth.set(id, Math.max(depth.get(id) ?? 0, (depth.get(from) ?? 0) + 1))
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

/** Returns the layers with few crossings, sorted by the mean place of their neighbours, back and forth (Sugiyama, Tagawa and Toda 1981). */
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
function crossings(
  layers: readonly (readonly string[])[],
  behind: ReadonlyMap<string, readonly string[]>,
  place: ReadonlyMap<string, number>,
): number {
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
