import type { Micros, Service } from '../scenario/model/scenario.ts'
import { exp, log } from './elementary.ts'
import { normalQuantile } from './normal.ts'
import { leastOfPareto } from './service.ts'

export interface DensityPoint {
  readonly x: Micros
  /** Height as a share of the greatest: 0..1. */
  readonly y: number
}

/**
 * The shape of a distribution, for drawing. A continuous one has a `curve` from its least value to about the 99th percentile. A discrete
 * one has `masses`, needles whose heights are in proportion to their probabilities. The other list is empty.
 */
export interface Density {
  readonly curve: readonly DensityPoint[]
  readonly masses: readonly DensityPoint[]
}

/**
 * Returns `points` (at least 2) samples of a curve, evenly spaced, with a point of height 0 where the density jumps (uniform, Pareto).
 * An `empirical` list with more different values is put into that many bins of equal width.
 */
export function densityOf(service: Service, points = 100): Density {
  const curve = curveOf(service)
  if (curve === null) return needles(massesOf(service, points))
  const drawn = sampled(curve.logShape, curve.from, curve.to, points)
  return service.kind === 'uniform' || service.kind === 'pareto' ? walled(drawn, service.kind === 'uniform') : drawn
}

export interface DensityCurve {
  /** The logarithm of the density at x is logShape(x) + logConstant, which makes the area 1. */
  readonly logShape: (x: Micros) => number
  readonly logConstant: number
  /** The least value, and about the 99th percentile. */
  readonly from: Micros
  readonly to: Micros
}

const ROOT_OF_TWO_PI = 2.5066282746310002

/** Returns the curve of a continuous distribution; null for a discrete one. */
export function curveOf(service: Service): DensityCurve | null {
  switch (service.kind) {
    case 'uniform': {
      const { min, max } = service
      return min === max ? null : { logShape: () => 0, logConstant: -log(max - min), from: min, to: max }
    }
    case 'exponential':
      return { logShape: (x) => -x / service.mean, logConstant: -log(service.mean), from: 0, to: service.mean * 4.6 }
    case 'erlang': {
      const { mean, k } = service
      const logShape = (x: number) => (k === 1 ? 0 : (k - 1) * log(x)) - (k * x) / mean
      // (k / mean)^k / (k - 1)!
      let logConstant = k * log(k / mean)
      for (let i = 2; i < k; i++) logConstant -= log(i)
      return { logShape, logConstant, from: 0, to: mean * (1 + 3.6 / Math.sqrt(k)) }
    }
    case 'lognormal': {
      const { mean, cv } = service
      if (cv === 0) return null
      const variance = log(1 + cv * cv)
      const middle = log(mean) - variance / 2
      const logShape = (x: number) => -log(x) - ((log(x) - middle) * (log(x) - middle)) / (2 * variance)
      const deviation = Math.sqrt(variance)
      return { logShape, logConstant: -log(deviation * ROOT_OF_TWO_PI), from: 0, to: exp(middle + deviation * normalQuantile(0.99)) }
    }
    case 'pareto': {
      const { alpha } = service
      const least = leastOfPareto(service)
      const logConstant = log(alpha) + alpha * log(least)
      return { logShape: (x) => -(alpha + 1) * log(x), logConstant, from: least, to: least * exp(log(100) / alpha) }
    }
    default:
      return null
  }
}

function massesOf(service: Service, points: number): readonly (readonly [x: Micros, weight: number])[] {
  switch (service.kind) {
    case 'bimodal':
      return [
        [service.fast, 1 - service.pSlow],
        [service.slow, service.pSlow],
      ]
    case 'empirical':
      return occurrences(service.values, points)
    default:
      return [[service.kind === 'uniform' ? service.min : service.mean, 1]]
  }
}

/** Densities are logarithms: x^(k-1) alone would overflow for an Erlang distribution with many phases. */
function sampled(logShape: (x: number) => number, from: number, to: number, points: number): Density {
  const xs = Array.from({ length: points }, (_, i) => from + ((to - from) * i) / (points - 1))
  const logs = xs.map((x) => (x === 0 ? logShapeAtZero(logShape) : logShape(x)))
  const greatest = logs.reduce((a, b) => Math.max(a, b), -Infinity)
  return { curve: xs.map((x, i) => ({ x, y: exp(logs[i] - greatest) })), masses: [] }
}

/** At 0 a density is finite or 0; ln 0 must not become NaN. */
function logShapeAtZero(logShape: (x: number) => number): number {
  const there = logShape(0)
  return there > -Infinity && there < Infinity ? there : -Infinity
}

function walled({ curve, masses }: Density, right: boolean): Density {
  const foot = (x: number) => ({ x, y: 0 })
  return { curve: [foot(curve[0].x), ...curve, ...(right ? [foot(curve[curve.length - 1].x)] : [])], masses }
}

function needles(weights: readonly (readonly [x: Micros, weight: number])[]): Density {
  const present = weights.filter(([, weight]) => weight > 0)
  const greatest = present.reduce((most, [, weight]) => Math.max(most, weight), 0)
  return { curve: [], masses: present.map(([x, weight]) => ({ x, y: weight / greatest })).sort((a, b) => a.x - b.x) }
}

function occurrences(values: readonly Micros[], points: number): [Micros, number][] {
  const counts = count(values)
  if (counts.size <= points) return [...counts]
  const least = values.reduce((a, b) => Math.min(a, b), Infinity)
  const width = (values.reduce((a, b) => Math.max(a, b), 0) - least) / points
  const middles = values.map((value) => least + width * (Math.min(points - 1, Math.floor((value - least) / width)) + 0.5))
  return [...count(middles)]
}

function count(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
