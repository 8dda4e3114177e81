import { evenBounds, joined, type Stretch } from './pieces.ts'
import type { StageSamples } from './samples.ts'

const SAMPLES = 20
const MOST_PIECES = 12

/** Returns the mean service times of a stage, in microseconds, in one piece unless they clearly change. */
export function serviceMeans(stage: StageSamples): Stretch[] {
  const weights = weightsOf(stage)
  const bounds = evenBounds(weights.length, Math.min(MOST_PIECES, Math.max(1, Math.floor(weights.length / SAMPLES))))
  const served = bounds.slice(1).flatMap((to, k) => pieceOf(stage.service, weights, bounds[k], to))
  // A stretch without services says nothing, so it belongs to the piece after it, or at the end to the last.
  const pieces = served.map((piece, k): Stretch => {
    return { ...piece, from: k === 0 ? 0 : served[k - 1].to, to: k === served.length - 1 ? weights.length - 1 : piece.to }
  })
  return joined(pieces, { errors: 4, least: 0.1, most: MOST_PIECES })
}

/** Returns the mean of the services between two samples; none if there were none. */
function pieceOf(service: Float64Array, weights: Float64Array, from: number, to: number): Stretch[] {
  let [sum, squares, weight] = [0, 0, 0]
  for (let i = from; i <= to; i++) {
    sum += weights[i] * service[i]
    weight += weights[i]
  }
  if (weight === 0) return []
  const value = sum / weight
  for (let i = from; i <= to; i++) squares += weights[i] * (service[i] - value) ** 2
  return [{ from, to, value, variance: squares / weight / (to - from + 1) }]
}

/** Returns how many services each sample tells of: those completed since the sample before, or one each where they were not counted. */
function weightsOf({ completed, service }: StageSamples): Float64Array {
  if (completed === null || completed[completed.length - 1] === 0) return service.map(() => 1)
  return completed.map((all, k) => (k === 0 ? 0 : all - completed[k - 1]))
}
