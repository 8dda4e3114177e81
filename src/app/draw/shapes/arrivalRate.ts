import { lastArrival } from '../../../scenario/model/limits.ts'
import type { Micros, PerSecond, Source } from '../../../scenario/model/scenario.ts'

/**
 * The arrival rate as a line to draw: its corners, the end of the axis and its height. Null if there is nothing to draw, and for kinds that
 * are drawn by hand.
 */
export interface ArrivalRate {
  readonly points: readonly (readonly [Micros, PerSecond])[]
  readonly end: Micros
  readonly most: PerSecond
}

const SAMPLES = 160
const BINS = 40

export function arrivalRate(source: Source): ArrivalRate | null {
  const end = Math.max(1, lastArrival(source))
  const points = pointsOf(source, end)
  return points.length === 0 ? null : { points, end, most: Math.max(...points.map(([, rate]) => rate), 1e-9) }
}

function pointsOf(source: Source, end: Micros): readonly (readonly [Micros, PerSecond])[] {
  switch (source.kind) {
    case 'poisson':
    case 'regular':
      return [
        [0, source.rate],
        [end, source.rate],
      ]
    case 'sine':
      return Array.from(
        { length: SAMPLES + 1 },
        (_, i) => [(i / SAMPLES) * end, ((Math.sin(((i / SAMPLES) * end) / 1e6) + 1) / 2) * source.max * (1e6 / source.every)] as const,
      )
    case 'bursts':
      return bursts(source, end)
    case 'times':
      return binned(source.at, end)
    default:
      return []
  }
}

/** Returns the line of bursts, with as many rounds as can be told apart. */
function bursts({ rate, burstRate, on, off }: Extract<Source, { kind: 'bursts' }>, end: Micros): [Micros, PerSecond][] {
  const rounds = Math.min(SAMPLES, Math.ceil(end / (on + off)))
  return Array.from({ length: rounds }, (_, k) => k * (on + off)).flatMap((start): [Micros, PerSecond][] => [
    [start, rate],
    [start + off, rate],
    [start + off, burstRate],
    [start + off + on, burstRate],
  ])
}

function binned(times: readonly Micros[], end: Micros): [Micros, PerSecond][] {
  if (times.length === 0) return []
  const counts = new Array<number>(BINS).fill(0)
  for (const time of times) counts[Math.min(BINS - 1, Math.floor((time / end) * BINS))]++
  const width = end / BINS
  return counts.flatMap((count, i): [Micros, PerSecond][] => [
    [i * width, (count / width) * 1e6],
    [(i + 1) * width, (count / width) * 1e6],
  ])
}
