import type { Micros, Service } from '../scenario/model/scenario.ts'
import { exp } from './elementary.ts'
import { type DensityCurve, type Masses, shapeOf } from './laws.ts'

export interface DensityPoint {
  readonly x: Micros
  /** Height as a share of the greatest: 0..1. */
  readonly y: number
}

/** For drawing: a continuous distribution has a `curve` to about the 99th percentile, a discrete one `masses`, needles by probability; the other is empty. */
export type Density = { readonly curve: readonly DensityPoint[]; readonly masses: readonly DensityPoint[] }

export function isCurve(shape: DensityCurve | Masses): shape is DensityCurve {
  return 'logShape' in shape
}

/** Returns `points` (at least 2) even samples, with height 0 where the density jumps. A list of more values is put into that many equal bins. */
export function densityOf(service: Service, points = 100): Density {
  const shape = shapeOf(service)
  return isCurve(shape)
    ? { curve: sampled(shape, points), masses: [] }
    : { curve: [], masses: needles(binned(shape, points)) }
}

/** Returns the declared density per microsecond, 0 outside the distribution; null for a discrete one. Draws are rounded to whole microseconds. */
export function densityAt(service: Service): ((x: Micros) => number) | null {
  const shape = shapeOf(service)
  if (!isCurve(shape)) return null
  const until = shape.jumps === 'both' ? shape.to : Infinity
  return (x) => {
    const logDensity = x < shape.from || x > until ? -Infinity : shape.logShape(x) + shape.logConstant
    // Below this the density is 0, and at 0 its logarithm may be NaN.
    return logDensity > -700 ? exp(logDensity) : 0
  }
}

/** Densities are logarithms: x^(k-1) alone would overflow for an Erlang distribution with many phases. */
function sampled({ logShape, from, to, jumps }: DensityCurve, points: number): readonly DensityPoint[] {
  const xs = Array.from({ length: points }, (_, i) => from + ((to - from) * i) / (points - 1))
  const logs = xs.map((x) => (x === 0 ? logShapeAtZero(logShape) : logShape(x)))
  const greatest = logs.reduce((a, b) => Math.max(a, b), -Infinity)
  const curve = xs.map((x, i) => ({ x, y: exp(logs[i] - greatest) }))
  return [...(jumps === undefined ? [] : [{ x: from, y: 0 }]), ...curve, ...(jumps === 'both' ? [{ x: to, y: 0 }] : [])]
}

/** At 0 a density is finite or 0; ln 0 must not become NaN. */
function logShapeAtZero(logShape: (x: number) => number): number {
  const there = logShape(0)
  return there > -Infinity && there < Infinity ? there : -Infinity
}

function needles(weights: Masses): readonly DensityPoint[] {
  const present = weights.filter(([, weight]) => weight > 0)
  const greatest = present.reduce((most, [, weight]) => Math.max(most, weight), 0)
  return present.map(([x, weight]) => ({ x, y: weight / greatest })).sort((a, b) => a.x - b.x)
}

function binned(masses: Masses, points: number): Masses {
  const weights = added(masses)
  if (weights.length <= points) return weights
  const values = masses.map(([x]) => x)
  const least = values.reduce((a, b) => Math.min(a, b), Infinity)
  const width = (values.reduce((a, b) => Math.max(a, b), 0) - least) / points
  return added(
    masses.map(([x, weight]) => [
      least + width * (Math.min(points - 1, Math.floor((x - least) / width)) + 0.5),
      weight,
    ]),
  )
}

function added(masses: Masses): Masses {
  const weights = new Map<number, number>()
  for (const [x, weight] of masses) weights.set(x, (weights.get(x) ?? 0) + weight)
  return [...weights]
}
