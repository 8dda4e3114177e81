import type { Service } from '../../../scenario/model/scenario.ts'
import { densityAt } from '../../../workload/distribution.ts'
import { leastOfPareto } from '../../../workload/service.ts'
import { shareOf, type TimePlane, timeAtShare } from './drawnService.ts'

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
const MOST_NEEDLES = 12

/** Returns the picture of a distribution. On a logarithmic axis the height is density times time, so that equal areas are equal probabilities. */
export function servicePicture(service: Service, plane: TimePlane): ServicePicture {
  if (service.kind === 'empirical') return pictureOfTimes(service.values, plane)
  const density = densityAt(service)
  if (density === null) {
    const chances = service.kind === 'bimodal' ? [1 - service.pSlow, service.pSlow] : [1]
    const times = service.kind === 'bimodal' ? [service.fast, service.slow] : [service.kind === 'uniform' ? service.min : 'mean' in service ? service.mean : 1]
    return { curve: [], needles: times.map((time, k): Point => [shareOf(plane, time), chances[k]]).filter(([, chance]) => chance > 0), bars: [] }
  }
  const tall = (time: number) => density(time) * (plane.log ? time : 1)
  const points = Array.from({ length: SAMPLES + 1 }, (_, i): Point => [i / SAMPLES, tall(timeAtShare(plane, i / SAMPLES))])
  const drawn = wallsOf(service).reduce((all, { at, up }) => withWall(all, shareOf(plane, at), tall(at), up), points)
  const most = drawn.reduce((greatest, [, each]) => Math.max(greatest, each), 0)
  return { curve: drawn.map(([share, each]): Point => [share, most > 0 ? each / most : 0]), needles: [], bars: [] }
}

/** Returns where a density jumps, and whether it jumps up from 0. */
function wallsOf(service: Service): readonly { readonly at: number; readonly up: boolean }[] {
  if (service.kind === 'pareto') return [{ at: leastOfPareto(service), up: true }]
  if (service.kind !== 'uniform') return []
  return [
    { at: service.min, up: true },
    { at: service.max, up: false },
  ]
}

/** Returns the points with a vertical line at a jump. */
function withWall(points: readonly Point[], share: number, height: number, up: boolean): Point[] {
  const wall: Point[] = [
    [share, up ? 0 : height],
    [share, up ? height : 0],
  ]
  return [...points.filter(([along]) => along < share), ...wall, ...points.filter(([along]) => along > share)]
}

function pictureOfTimes(values: readonly number[], plane: TimePlane): ServicePicture {
  const counts = new Map<number, number>()
  for (const value of values) if (counts.size <= MOST_NEEDLES) counts.set(value, (counts.get(value) ?? 0) + 1)
  if (counts.size <= MOST_NEEDLES) return { curve: [], needles: [...counts].map(([time, n]): Point => [shareOf(plane, time), n / values.length]), bars: [] }
  const bars = new Array<number>(BARS).fill(0)
  for (const value of values) {
    const share = shareOf(plane, value)
    if (share >= 0 && share < 1) bars[Math.floor(share * BARS)]++
  }
  const most = bars.reduce((greatest, each) => Math.max(greatest, each), 1)
  return { curve: [], needles: [], bars: bars.map((each) => each / most) }
}
