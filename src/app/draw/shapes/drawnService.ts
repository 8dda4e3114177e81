import { t } from '../../../language/translate.ts'
import { type DistributionKind, distributions, serviceMean } from '../../../scenario/model/distributions.ts'
import { MAX_ALPHA, MAX_CV, MAX_ERLANG_K, MIN_ALPHA } from '../../../scenario/model/limits.ts'
import { paramsIn } from '../../../scenario/model/params.ts'
import type { Micros, Service } from '../../../scenario/model/scenario.ts'
import { powerBelow, roundAbove, shareScale } from '../../../views/drawing/axis.ts'
import { duration } from '../../../views/drawing/format.ts'
import { densityAt, isCurve } from '../../../workload/density.ts'
import { type Masses, quantileOf, shapeOf } from '../../../workload/laws.ts'

/** The axis of a service time: linear, or logarithmic if the tail is long. */
export type TimePlane = { readonly from: Micros; readonly to: Micros; readonly log: boolean }

/** A tail beyond this multiple of the median makes the axis logarithmic. */
const LONG_TAIL = 12

/** Returns the axis: from 0, or below the least relevant time, to beyond the 99th percentile, in round numbers with room to pull. */
export function planeOf(service: Service): TimePlane {
  const p99 = quantileOf(service, 0.99)
  const grips = gripsOf(service).map(({ at }) => at)
  const longest = Math.max(p99, ...grips)
  if (longest <= LONG_TAIL * Math.max(1, quantileOf(service, 0.5)))
    return { from: 0, to: roundAbove(Math.max(longest * 1.25, serviceMean(service) * 1.6, 4)), log: false }
  const shortest = Math.min(quantileOf(service, 0.01), ...grips)
  return { from: Math.max(0.001, roundAbove(shortest) / 10), to: roundAbove(longest * 2), log: true }
}

/** Returns where a time is on the axis, as a share of it; outside it is below 0 or above 1. */
export function shareOf({ from, to, log }: TimePlane, time: Micros): number {
  return shareScale(from, to, log)(log ? Math.max(time, 1e-9) : time)
}

export function timeAtShare({ from, to, log }: TimePlane, share: number): Micros {
  return shareScale(from, to, log).clamp(true).invert(share)
}

/** A part of a distribution that can be pulled. */
export interface Grip {
  readonly key: string
  readonly label: string
  /** Pulled along the time axis, or up and down to set a share. */
  readonly along: 'time' | 'share'
  readonly at: Micros
  readonly height: number
  readonly words: string
}

/** A grip for a parameter that is not a time. The grip stands at a time, or at a share. */
interface ShapeGrip<S> {
  readonly key: string
  readonly along: Grip['along']
  readonly at: (service: S) => Micros
  readonly height: (service: S) => number
  readonly words: (service: S) => string
  /** Returns the parameter after a pull, within its bounds and rounded to few figures. */
  readonly pulled: (service: S, to: Pull) => number
}

type Pull = { readonly time: Micros; readonly height: number }

const RAISED = 0.45

/** By kind; a time needs no row, since its grip stands at its value. */
const shapeGrips: { readonly [K in DistributionKind]?: ShapeGrip<Extract<Service, { readonly kind: K }>> } = {
  erlang: {
    ...{ key: 'k', along: 'time', height: () => RAISED },
    at: ({ mean, k }) => mean * (1 + 1 / Math.sqrt(k)),
    words: ({ k }) => `${k}`,
    pulled({ mean }, { time }) {
      const beyond = Math.max(0, time / mean - 1)
      return clamp(Math.round(1 / (beyond * beyond || 1e-6)), 1, MAX_ERLANG_K)
    },
  },
  lognormal: {
    ...{ key: 'cv', along: 'time', height: () => RAISED },
    at: ({ mean, cv }) => mean * (1 + cv),
    words: ({ cv }) => t('{cv} of the mean', { cv }),
    pulled: ({ mean }, { time }) => clamp(tidy(Math.max(0, time / mean - 1)), 0, MAX_CV),
  },
  pareto: {
    ...{ key: 'alpha', along: 'time', height: () => RAISED },
    at: ({ mean, alpha }) => mean * (1 - 1 / alpha),
    words: ({ alpha }) => `${alpha}`,
    pulled: ({ mean }, { time }) =>
      clamp(Number((1 / (1 - clamp(time / mean, 0, 1 - 1 / MAX_ALPHA))).toPrecision(3)), MIN_ALPHA, MAX_ALPHA),
  },
  bimodal: {
    ...{ key: 'pSlow', along: 'share' },
    at: ({ slow }) => slow,
    height: ({ pSlow }) => pSlow,
    words: ({ pSlow }) => `${Number((pSlow * 100).toPrecision(3))}%`,
    pulled: (_, { height }) => clamp(Math.round(height * 100) / 100, 0, 1),
  },
}

function shapeGripOf({ kind }: Service): ShapeGrip<Service> | undefined {
  return shapeGrips[kind] as ShapeGrip<Service> | undefined
}

/** Returns the grips of a distribution: of its times, and of what sets its shape. A list of measured times has none. */
export function gripsOf(service: Service): readonly Grip[] {
  const shapeGrip = shapeGripOf(service)
  const values = new Map<string, unknown>(Object.entries(service))
  return paramsIn(distributions[service.kind]).flatMap(([key, { is, label }]): Grip[] => {
    const named = { key, label: label?.() ?? key }
    if (shapeGrip?.key === key)
      return [
        {
          ...named,
          along: shapeGrip.along,
          at: shapeGrip.at(service),
          height: shapeGrip.height(service),
          words: shapeGrip.words(service),
        },
      ]
    const at = values.get(key)
    return is === 'micros' && typeof at === 'number'
      ? [{ ...named, along: 'time', at, height: 0, words: duration(at) }]
      : []
  })
}

/** Returns the distribution with a grip pulled to a time or share, within bounds and rounded to few figures. */
export function pulled(service: Service, key: string, to: Pull, plane: TimePlane): Service {
  const shapeGrip = shapeGripOf(service)
  if (shapeGrip?.key === key) return { ...service, [key]: shapeGrip.pulled(service, to) }
  if (gripsOf(service).every((grip) => grip.key !== key)) return service
  const time = tidyTime(to.time, plane)
  if (service.kind === 'uniform')
    return key === 'min'
      ? { ...service, min: Math.min(service.max, time) }
      : { ...service, max: Math.max(service.min, time) }
  return { ...service, [key]: time }
}

/** Returns the distribution after an arrow key: a hundredth of the axis further, or more if that changes nothing. */
export function stepped(service: Service, key: string, steps: number, plane: TimePlane): Service {
  const grip = gripsOf(service).find((each) => each.key === key)
  if (grip === undefined) return service
  const from = shareOf(plane, grip.at)
  const paramOf = (next: Service) => (next as unknown as Record<string, number>)[key]
  for (let n = 1; n <= 200; n++) {
    const by = (steps * n) / 100
    const next = pulled(
      service,
      key,
      { time: timeAtShare(plane, from + (grip.along === 'time' ? by : 0)), height: grip.height + by },
      plane,
    )
    if (paramOf(next) !== paramOf(service)) return next
  }
  return service
}

/** Returns a time rounded to about a pixel, and to two figures at least. */
function tidyTime(time: Micros, { from, to, log }: TimePlane): Micros {
  if (log) return Math.max(1, Math.round(tidy(time)))
  const step = Math.max(1, powerBelow((to - from) / 100))
  return Math.max(1, Math.round(time / step) * step)
}

const tidy = (value: number): number => Number(value.toPrecision(2))
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** A point of a picture: its place on the axis and its height, as shares. */
type Point = readonly [along: number, height: number]

/** The picture of a distribution. The greatest height is 1, except for probabilities, which are shown as they are. */
export interface ServicePicture {
  readonly curve: readonly Point[]
  /** Single times that have a probability. */
  readonly needles: readonly Point[]
  /** For many measured times: how many lie in each of equal parts of the axis. */
  readonly bars: readonly number[]
}

const SAMPLES = 160
const BARS = 40
/** More distinct times than this are shown as bars. */
const MAX_NEEDLES = 12

/** Returns the picture of a distribution. On a logarithmic axis the height is density times time, so that equal areas are equal probabilities. */
export function servicePicture(service: Service, plane: TimePlane): ServicePicture {
  const shape = shapeOf(service)
  const density = densityAt(service)
  if (!isCurve(shape) || density === null) return pictureOfMasses(isCurve(shape) ? [] : shape, plane)
  const tall = (time: number) => density(time) * (plane.log ? time : 1)
  const points = Array.from(
    { length: SAMPLES + 1 },
    (_, i): Point => [i / SAMPLES, tall(timeAtShare(plane, i / SAMPLES))],
  )
  const { from, to, jumps } = shape
  const withStart = jumps === undefined ? points : withWall(points, shareOf(plane, from), tall(from), true)
  const drawn = jumps === 'both' ? withWall(withStart, shareOf(plane, to), tall(to), false) : withStart
  const highest = drawn.reduce((greatest, [, each]) => Math.max(greatest, each), 0)
  return {
    curve: drawn.map(([share, each]): Point => [share, highest > 0 ? each / highest : 0]),
    needles: [],
    bars: [],
  }
}

function withWall(points: readonly Point[], share: number, height: number, up: boolean): Point[] {
  const wall: Point[] = [
    [share, up ? 0 : height],
    [share, up ? height : 0],
  ]
  return [...points.filter(([along]) => along < share), ...wall, ...points.filter(([along]) => along > share)]
}

function pictureOfMasses(masses: Masses, plane: TimePlane): ServicePicture {
  const total = masses.reduce((sum, [, weight]) => sum + weight, 0)
  const chances = new Map<number, number>()
  for (const [time, weight] of masses)
    if (chances.size <= MAX_NEEDLES && weight > 0) chances.set(time, (chances.get(time) ?? 0) + weight)
  if (chances.size <= MAX_NEEDLES)
    return {
      curve: [],
      needles: [...chances].map(([time, weight]): Point => [shareOf(plane, time), weight / total]),
      bars: [],
    }
  const bars = new Array<number>(BARS).fill(0)
  for (const [time, weight] of masses) {
    const share = shareOf(plane, time)
    if (share >= 0 && share < 1) bars[Math.floor(share * BARS)] += weight
  }
  const highest = bars.reduce((greatest, each) => Math.max(greatest, each), 1)
  return { curve: [], needles: [], bars: bars.map((each) => each / highest) }
}
