import type { Micros, Network, Picture, Source } from './scenario.ts'

/** The bounds of a scenario. `parse` refuses values outside, forms offer values inside. */
export const MAX_STAGES = 256
export const MAX_LINKS = 1024
export const MAX_WORKERS = 10_000
/** Real workers are threads, of this machine or of a room. Checked where a run on them starts. */
export const MAX_REAL_WORKERS = 256
export const MAX_JOBS = 1_000_000
/** Services are jobs x stages, plus the retries of jobs that fail. */
export const MAX_SERVICES = 4_000_000
/** A service on threads takes real time, so fewer are allowed. Checked where threads are started. */
export const MAX_SERVICES_ON_THREADS = 200_000
/** The most allocations that `exhaustive` may try in one decision. */
export const MAX_ALLOCATIONS = 25_000
/** The most items in any list. */
export const MAX_ITEMS = 100_000
/** Clocks stay below 2^52 us (142 years): there a double still holds half microseconds. */
export const CLOCK_END = 4_503_599_627_370_496
/** The greatest time that a scenario may name. */
export const MAX_MICROS: Micros = CLOCK_END - 1
export const MAX_SEED = 4_294_967_295
/** In code points. */
export const MAX_NAME = 80
/** Of a policy's own code, in UTF-16 units. */
export const MAX_CODE = 20_000
/** Of the essay of a scenario, in UTF-16 units. */
export const MAX_ESSAY = 20_000
export const MAX_BATCH = 10_000
export const MAX_BRANCHES = 5
export const MAX_SLOTS = 1_000_000
/** The most phases of a scenario. */
export const MAX_PHASES = 64
/** Weights of a route. */
export const MIN_WEIGHT = 0.000001
export const MAX_WEIGHT = 1_000_000
export const MIN_RATE = 0.000001
export const MAX_RATE = 1_000_000
/** Draws of an erlang service: each costs k logarithms. */
export const MAX_ERLANG_K = 100
export const MAX_CV = 100
/** A Pareto distribution has a mean only for alpha above 1. */
export const MIN_ALPHA = 1.01
export const MAX_ALPHA = 1000
export const MAX_TRIES = 100
export const MAX_WINDOW = 10_000
/** The most decisions of the policy `byHand`. */
export const MAX_BY_HAND = 2000
/** The most ticks of a controller in a run, since each is a row of the trace. After them the pools stay as they are. */
export const MAX_TICKS = 10_000_000
/** The greatest share of messages that a network loses, and how often it loses one message: then the message arrives. */
export const MAX_LOSS = 0.99
export const MAX_RESENDS = 100
export const MAX_FEEDERS = 256
/** Steps of a sine or cycles of bursts. The source walks through each, even where no job arrives. */
export const MAX_CYCLES = 10_000_000
/** Pixels: sides of a picture, and sides of its tiles. */
export const MAX_SIDE = 4096
export const MIN_TILE = 8
export const MAX_TILE = 1024
/** In the plane: how far the middle may be from 0, and what the width may span. With a smaller span pixels would coincide. */
export const MAX_POINT = 4
export const MIN_SPAN = 0.000_000_000_001
export const MAX_SPAN = 16
export const MAX_ITERATIONS = 100_000
/** Pixels x iterations. A tile then takes about half a second, a whole picture some minutes. */
export const MAX_TILE_STEPS = 100_000_000
export const MAX_PICTURE_STEPS = 100_000_000_000
/** Distance of a stage from 0 on the canvas. */
export const MAX_POSITION = 1_000_000
/** The most problems reported at once. */
export const MAX_PROBLEMS = 50
/** Of a scenario as text, in UTF-16 units. */
export const MAX_TEXT = 2_000_000
/** Of a link's fragment. It is read before the page shows anything, so it must be read fast. */
export const MAX_LINK = 1_000_000
/** Of a short link, in characters; and inflated, in bytes. */
export const MAX_SHORT = 65_536
export const MAX_INFLATED = 4_194_304

/** Returns how long nobody answers a message before it is sent again: twice the round trip, and a millisecond at least. */
export function resendAfter(roundTrip: Micros): Micros {
  return Math.max(1000, 2 * roundTrip)
}

/** Returns the longest time that the two messages of a batch take. */
export function longestMessages({ roundTrip, loss }: Network): Micros {
  return roundTrip + (loss > 0 ? 2 * MAX_RESENDS * resendAfter(roundTrip) : 0)
}

/** Returns the most jobs that a source makes. The number is exact, except for `sine` without `jobs`. */
export function countJobs(source: Source): number {
  switch (source.kind) {
    case 'times':
      return source.at.length
    case 'image':
      return tileColumns(source) * tileRows(source)
    case 'groups':
      return source.groups.reduce((sum, jobs) => sum + jobs, 0)
    case 'sine': {
      const most = source.max * countCycles(source)
      return source.jobs === null ? most : Math.min(source.jobs, most)
    }
    default:
      return source.jobs
  }
}

/** Returns the columns of tiles in a picture. `tileRows` returns the rows. */
export function tileColumns({ width, tile }: Pick<Picture, 'width' | 'tile'>): number {
  return Math.ceil(width / tile)
}

export function tileRows({ height, tile }: Pick<Picture, 'height' | 'tile'>): number {
  return Math.ceil(height / tile)
}

/** Returns about how many steps of a sine or cycles of bursts a source walks through; 0 for other kinds. */
export function countCycles(source: Source): number {
  if (source.kind === 'sine') return Math.ceil(source.duration / source.every)
  if (source.kind === 'bursts') return Math.ceil(lastArrival(source) / (source.on + source.off))
  return 0
}

/** Returns about when the last job arrives, at the mean rates, and never before the last time in the source. */
export function lastArrival(source: Source): Micros {
  switch (source.kind) {
    case 'poisson':
    case 'regular':
      return (source.jobs / source.rate) * 1e6
    case 'sine':
      return source.duration
    case 'bursts': {
      const cycle = source.on + source.off
      const jobsACycle = (source.rate * source.off + source.burstRate * source.on) / 1e6
      return source.jobs === 0 ? 0 : (source.jobs / jobsACycle) * cycle + cycle
    }
    case 'steps':
      return afterLast(source.kind, source.at, source.jobs)
    case 'curve':
      return afterLast(source.kind, source.points, source.jobs)
    case 'times':
      return source.at.at(-1) ?? 0
    default:
      return 0
  }
}

function afterLast(kind: 'steps' | 'curve', points: readonly (readonly [Micros, number])[], jobs: number): Micros {
  const last = points.at(-1)
  return last === undefined ? 0 : last[0] + (Math.max(0, jobs - jobsUntilLast(kind, points)) / last[1]) * 1e6
}

/** Returns how many jobs an endless source makes until its last point: the area below the rate. */
export function jobsUntilLast(kind: 'steps' | 'curve', points: readonly (readonly [Micros, number])[]): number {
  const [first] = points
  // Before its first point a curve has the rate of that point, and steps have none.
  let area = first === undefined || kind === 'steps' ? 0 : (first[0] * first[1]) / 1e6
  for (let i = 1; i < points.length; i++) {
    const [time, rate] = points[i - 1]
    const [until, next] = points[i]
    area += ((until - time) * (kind === 'curve' ? (rate + next) / 2 : rate)) / 1e6
  }
  return area
}

/**
 * Returns how many allocations there are of all workers over the stages: C(workers + stages - 1, stages - 1).
 * Returns Infinity far above every bound.
 */
export function countAllocationsUpTo(workers: number, stages: number): number {
  let ways = 1
  for (let i = 1; i < stages; i++) {
    // C(workers + i, i) = C(workers + i - 1, i - 1) * (workers + i) / i is whole at every step.
    ways = (ways * (workers + i)) / i
    if (ways > 1e12) return Number.POSITIVE_INFINITY
  }
  return ways
}
