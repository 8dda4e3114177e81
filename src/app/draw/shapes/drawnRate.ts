import { MAX_RATE } from '../../../scenario/model/limits.ts'
import type { Micros, PerSecond, Source } from '../../../scenario/model/scenario.ts'
import { jobsUntilLast } from '../../../scenario/model/sourceFigures.ts'
import { countJobs, lastArrival } from '../../../scenario/model/sources.ts'
import { powerBelow, roundAbove } from '../../../views/drawing/axis.ts'
import { arrivalRate } from './sourceShapes.ts'

/** A source whose rate has corners to pull: a curve, or steps. */
export type Drawable = Extract<Source, { kind: 'curve' | 'steps' }>
export type RatePoint = readonly [time: Micros, rate: PerSecond]

/** The plot: from time 0 to `end`, from rate 0 to `maxRate`, in round numbers with room to draw. */
export type Plane = { readonly end: Micros; readonly maxRate: PerSecond }

/** Above this number corners have no handles. */
export const MAX_HANDLES = 60

export function ratePoints(source: Drawable): readonly RatePoint[] {
  return source.kind === 'curve' ? source.points : source.at
}

export function planeFor(source: Drawable): Plane {
  const points = ratePoints(source)
  const last = points[points.length - 1][0]
  return {
    end: roundAbove(Math.max(last, lastArrival(source), 1000) * 1.1),
    maxRate: roundAbove(Math.max(1, ...points.map(([, rate]) => rate)) * 1.1),
  }
}

/** Returns the source with other corners. After the last corner it lasts as long as before, and its jobs are those that arrive until its end. */
export function withRatePoints(source: Drawable, points: readonly RatePoint[]): Drawable {
  const corners = points.map(
    ([time, rate], i): RatePoint => [time, i === points.length - 1 ? Math.max(MIN_LAST, rate) : rate],
  )
  const rest = Math.max(0, lastArrival(source) - lastOf(ratePoints(source))[0])
  const jobs = Math.max(1, Math.floor(jobsUntilLast(source.kind, corners) + (lastOf(corners)[1] * rest) / 1e6))
  return source.kind === 'curve' ? { kind: 'curve', points: corners, jobs } : { kind: 'steps', at: corners, jobs }
}

/** The least rate of the last corner, which stays until every job has arrived. It must not be 0. */
const MIN_LAST = 0.001

/** Returns a rate to draw on from how jobs arrive now; null if they have no rate, or one that is drawn already. */
export function drawnFrom(source: Source): Drawable | null {
  const shape = source.kind === 'curve' || source.kind === 'steps' ? null : arrivalRate(source)
  if (shape === null) return null
  const { points, end, maxRate } = shape
  const plane = { end: roundAbove(end * 1.1), maxRate: roundAbove(maxRate * 1.1) }
  const onIt = (list: readonly RatePoint[]) => list.map((point) => onPlane(point, plane))
  const jobs = countJobs(source)
  // Corners of a constant line come in pairs: its beginning and its end.
  if (source.kind === 'bursts' || source.kind === 'times')
    return { kind: 'steps', at: ascending(onIt(points.filter((_, i) => i % 2 === 0))), jobs }
  const line = ascending(onIt(simplified(points, plane)))
  // A sine has as many jobs as its rate yields, unless it has fewer.
  return {
    kind: 'curve',
    points: line,
    jobs: source.kind === 'sine' ? Math.min(jobs, Math.max(1, Math.floor(jobsUntilLast('curve', line)))) : jobs,
  }
}

/** Returns the rate at which the jobs of a source arrive, as a line; null if they have no rate. Where steps change there are two corners at one time. */
export function profileFrom(source: Source): readonly RatePoint[] | null {
  const curve = source.kind === 'curve' || source.kind === 'steps' ? source : drawnFrom(source)
  if (curve === null || curve.kind === 'curve') return curve?.points ?? null
  const jumps = curve.at.flatMap(([time, rate], i): RatePoint[] => [
    [time, i === 0 ? (time > 0 ? 0 : rate) : curve.at[i - 1][1]],
    [time, rate],
  ])
  return jumps.slice(curve.at[0][0] > 0 ? 0 : 1)
}

/** Returns corners in ascending order of time, with rates within bounds and a last rate above 0. */
function ascending(points: readonly RatePoint[]): RatePoint[] {
  const kept = points.filter(([time], i) => i === 0 || time > points[i - 1][0])
  return kept.map(([time, rate], i) => [
    time,
    Math.min(MAX_RATE, i === kept.length - 1 ? Math.max(MIN_LAST, rate) : rate),
  ])
}

/** Returns the points with one corner moved. It stays between its neighbours and inside the plane. */
export function moved(
  points: readonly RatePoint[],
  i: number,
  [time, rate]: RatePoint,
  plane: Plane,
): readonly RatePoint[] {
  const earliest = i === 0 ? 0 : points[i - 1][0]
  const latest = i === points.length - 1 ? plane.end : points[i + 1][0]
  return points.map((point, k) =>
    k === i ? onPlane([Math.min(latest, Math.max(earliest, time)), rate], plane) : point,
  )
}

/** Returns the points with a new corner, and its index. */
export function added(
  points: readonly RatePoint[],
  point: RatePoint,
  plane: Plane,
): { readonly points: readonly RatePoint[]; readonly index: number } {
  const made = onPlane(point, plane)
  const after = points.findIndex(([time]) => time > made[0])
  const index = after < 0 ? points.length : after
  return { points: [...points.slice(0, index), made, ...points.slice(index)], index }
}

export function removed(points: readonly RatePoint[], i: number): readonly RatePoint[] {
  return points.length < 2 ? points : points.filter((_, k) => k !== i)
}

/** Returns the points with a drawn line in place of all corners in its range of time, in as few corners as follow it closely. */
export function stroked(
  points: readonly RatePoint[],
  stroke: readonly RatePoint[],
  plane: Plane,
): readonly RatePoint[] {
  const corners = simplified(forwards(stroke), plane).map((point) => onPlane(point, plane))
  const [from] = corners[0]
  const [to] = lastOf(corners)
  return [...points.filter(([time]) => time < from), ...corners, ...points.filter(([time]) => time > to)]
}

/** Returns a stroke in ascending order of time. Where it went back, the later part counts. */
function forwards(stroke: readonly RatePoint[]): RatePoint[] {
  const kept: RatePoint[] = []
  const right = lastOf(stroke)[0] >= stroke[0][0]
  for (const point of stroke) {
    while (kept.length > 0 && (right ? lastOf(kept)[0] >= point[0] : lastOf(kept)[0] <= point[0])) kept.pop()
    kept.push(point)
  }
  return right ? kept : kept.reverse()
}

/** How far the line may deviate from the stroke, as a share of the plane. */
const CLOSE = 0.02

/** Returns the fewest corners that follow a line closely (Ramer 1972; Douglas and Peucker 1973). */
function simplified(line: readonly RatePoint[], { end, maxRate }: Plane): readonly RatePoint[] {
  if (line.length < 3) return line
  const [a, b] = [line[0], lastOf(line)]
  let farthestIndex = 0
  let distance = 0
  for (let i = 1; i < line.length - 1; i++) {
    const share = b[0] > a[0] ? (line[i][0] - a[0]) / (b[0] - a[0]) : 0
    const [x, y] = [((b[0] - a[0]) / end) * 3, (b[1] - a[1]) / maxRate]
    const upright = Math.abs(line[i][1] - (a[1] + share * (b[1] - a[1]))) / maxRate
    // For a steep line the sideways distance counts: the plane is about three times as wide as high.
    const deviation = upright / Math.sqrt(1 + (x > 0 ? (y / x) * (y / x) : 0))
    if (deviation > distance) {
      distance = deviation
      farthestIndex = i
    }
  }
  if (distance <= CLOSE) return [a, b]
  return [
    ...simplified(line.slice(0, farthestIndex + 1), { end, maxRate }).slice(0, -1),
    ...simplified(line.slice(farthestIndex), { end, maxRate }),
  ]
}

/** Returns a point inside the plane, rounded as a person would type it: to a thousandth of the width, and three figures. */
function onPlane([time, rate]: RatePoint, { end, maxRate }: Plane): RatePoint {
  const step = Math.max(1, powerBelow(end / 1000))
  const whole = Math.round(Math.min(end, Math.max(0, time)) / step) * step
  return [whole, Number(Math.min(maxRate, Math.max(0, rate)).toPrecision(3))]
}

function lastOf<T>(list: readonly T[]): T {
  return list[list.length - 1]
}

/** Steps as a shape of a few numbers, if they are one. */
export type StepShape =
  | { readonly kind: 'hand' }
  /** One rate, then another. */
  | { readonly kind: 'step'; readonly before: PerSecond; readonly after: PerSecond; readonly from: Micros }
  /** A low and a high rate in turn. */
  | {
      readonly kind: 'square'
      readonly low: PerSecond
      readonly high: PerSecond
      readonly lowFor: Micros
      readonly highFor: Micros
      readonly rounds: number
    }

export function stepShapeOf(at: readonly RatePoint[]): StepShape {
  if (at.length === 2 && at[0][0] === 0) return { kind: 'step', before: at[0][1], after: at[1][1], from: at[1][0] }
  if (at.length < 4 || at.length % 2 === 1 || at[0][0] !== 0) return { kind: 'hand' }
  const [low, high] = [at[0][1], at[1][1]]
  const lowFor = at[1][0]
  const highFor = at[2][0] - lowFor
  const made = { kind: 'square', low, high, lowFor, highFor, rounds: at.length / 2 } as const
  const wanted = squareAt(made)
  return at.every(([time, rate], i) => time === wanted[i][0] && rate === wanted[i][1]) ? made : { kind: 'hand' }
}

export function squareAt({
  low,
  high,
  lowFor,
  highFor,
  rounds,
}: Omit<Extract<StepShape, { kind: 'square' }>, 'kind'>): RatePoint[] {
  return Array.from({ length: rounds }, (_, k) => k * (lowFor + highFor)).flatMap((start): RatePoint[] => [
    [start, low],
    [start + lowFor, high],
  ])
}

/** Returns the steps of a shape with the jobs that arrive until its end. The second rate of a step lasts as long as the first. */
export function stepsOf(shape: Exclude<StepShape, { kind: 'hand' }>): Drawable {
  if (shape.kind === 'step') {
    const { before, after, from } = shape
    const at: RatePoint[] = [
      [0, before],
      [from, after],
    ]
    return { kind: 'steps', at, jobs: Math.max(1, Math.floor(((before + after) * from) / 1e6)) }
  }
  const { low, high, lowFor, highFor, rounds } = shape
  return {
    kind: 'steps',
    at: squareAt(shape),
    jobs: Math.max(1, Math.floor((rounds * (low * lowFor + high * highFor)) / 1e6)),
  }
}
