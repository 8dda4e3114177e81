import { t } from '../../../language/translate.ts'
import { MAX_PHASES, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { countText } from '../../../scenario/model/words.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import type { Samples, StageSamples } from './samples.ts'

/** A stretch of a log with one value: samples `from` to `to`, which is the first sample of the next stretch. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly value: number
  /** The square of the standard error of the value. */
  readonly variance: number
}

/** Returns the bounds of this number of pieces, of about equally many samples. */
export function evenBounds(samples: number, pieces: number): number[] {
  return Array.from({ length: pieces + 1 }, (_, k) => Math.round((k * (samples - 1)) / pieces))
}

/** Returns the mean of samples `from` to `to`. */
export function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let k = from; k <= to; k++) sum += values[k]
  return sum / (to - from + 1)
}

/**
 * Returns longer pieces. It joins the two neighbours that differ least, as long as they differ by fewer than `errors` standard errors, or
 * by less than the share `least` of their value, or there are more than `most` pieces.
 */
export function joined(
  pieces: readonly Stretch[],
  { errors, least, most }: { readonly errors: number; readonly least: number; readonly most: number },
): Stretch[] {
  const all = [...pieces]
  for (;;) {
    const apart = all.slice(1).map((piece, k) => apartBy(all[k], piece, least))
    const nearest = apart.reduce((best, each, k) => (each < apart[best] ? k : best), 0)
    if (apart.length === 0 || (apart[nearest] >= errors && all.length <= most)) return all
    all.splice(nearest, 2, together(all[nearest], all[nearest + 1]))
  }
}

/** Returns by how many standard errors two values differ; less than 1 where the difference is below the share `least`. */
function apartBy(a: Stretch, b: Stretch, least: number): number {
  const difference = Math.abs(a.value - b.value)
  const share = difference / Math.max(Number.MIN_VALUE, least * Math.max(a.value, b.value))
  return share < 1 ? share : difference / Math.sqrt(Math.max(Number.MIN_VALUE, a.variance + b.variance))
}

function together(a: Stretch, b: Stretch): Stretch {
  const whole = b.to - a.from
  const [one, other] = [(a.to - a.from) / whole, (b.to - b.from) / whole]
  return { from: a.from, to: b.to, value: one * a.value + other * b.value, variance: one * one * a.variance + other * other * b.variance }
}

const SAMPLES = 20
const MAX_PIECES = 12

/** Returns the mean service times of a stage, in microseconds, in one piece unless they clearly change. */
export function serviceMeans(stage: StageSamples): Stretch[] {
  const weights = weightsOf(stage)
  const bounds = evenBounds(weights.length, Math.min(MAX_PIECES, Math.max(1, Math.floor(weights.length / SAMPLES))))
  const served = bounds.slice(1).flatMap((to, k) => pieceOf(stage.service, weights, bounds[k], to))
  // A stretch without services belongs to the piece after it, or at the end to the last.
  const last = served.length - 1
  const pieces = served.map((piece, k) => ({ ...piece, from: k === 0 ? 0 : served[k - 1].to, to: k === last ? weights.length - 1 : piece.to }))
  return joined(pieces, { errors: 4, least: 0.1, most: MAX_PIECES })
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

/** Returns the weight of each sample: the services since the sample before, or 1 if they were not counted. */
function weightsOf({ completed, service }: StageSamples): Float64Array {
  if (completed === null || completed[completed.length - 1] === 0) return service.map(() => 1)
  return completed.map((all, k) => (k === 0 ? 0 : all - completed[k - 1]))
}

/** The workers of each stage from a time on. */
export type Crew = { readonly at: Micros; readonly workers: readonly number[] }

/** Returns the crews of a log over time: exact, or means of equal stretches if they change more often than a scenario allows. */
export function crewsOf({ time, stages }: Samples): { readonly crews: readonly Crew[]; readonly exact: boolean } {
  const each = Array.from(time, (at, k): Crew => ({ at, workers: stages.map(({ workers }) => workers[k]) }))
  let crews = withoutRepeats(each)
  const exact = crews.length <= MAX_PHASES
  if (!exact) {
    const bounds = evenBounds(time.length, MAX_PHASES - 1)
    const mean = (from: number, to: number) => stages.map(({ workers }) => Math.max(1, Math.round(meanOf(workers, from, to))))
    crews = withoutRepeats(bounds.slice(1).map((to, k) => ({ at: time[bounds[k]], workers: mean(bounds[k], to) })))
  }
  const [end, last] = [time[time.length - 1] + 1, crews[crews.length - 1]]
  // The jobs that remain after the log must be served.
  if (last.workers.includes(0)) crews = [...crews, { at: end, workers: last.workers.map((workers) => Math.max(1, workers)) }]
  const workers = mostWorkers(crews)
  const values = { workers: countText(workers), MAX_WORKERS: countText(MAX_WORKERS) }
  if (workers > MAX_WORKERS) throw new Refusal('workers', t('all stages had {workers} workers; allowed: {MAX_WORKERS}', values))
  return { crews, exact }
}

/** Returns the most workers of all stages together at one time. */
export function mostWorkers(crews: readonly Crew[]): number {
  return Math.max(1, ...crews.map(({ workers }) => workers.reduce((sum, each) => sum + each, 0)))
}

function withoutRepeats(crews: readonly Crew[]): Crew[] {
  return crews.filter(({ workers }, k) => k === 0 || workers.some((each, s) => each !== crews[k - 1].workers[s]))
}
