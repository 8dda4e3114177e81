import type { StageSamples } from '../../../../src/features/logs/fit/samples.ts'
import { createChance } from '../../../fixtures/chance.ts'

/** The rows of a made-up stage at each time: `queue`, and `rest` for other than the defaults here. */
export function stageFrom(
  queue: readonly number[],
  rest: { readonly [part in keyof StageSamples]?: string | number | readonly number[] | null } = {},
): StageSamples {
  const { name = 'A', service = 500_000, workers = 2, completed = null, arrivals = null } = rest
  const column = (all: string | number | readonly number[]) =>
    Float64Array.from(typeof all === 'object' ? all : queue.map(() => Number(all)))
  return {
    name: String(name),
    queue: Float64Array.from(queue),
    service: column(service ?? 0),
    workers: column(workers ?? 0),
    completed: completed === null ? null : column(completed),
    arrivals: arrivals === null ? null : column(arrivals),
    busy: null,
    tails: [null, null],
    squares: null,
  }
}

/** Times one to three seconds apart, in microseconds. */
export function unevenTimes(length: number, seed: number): Float64Array {
  const chance = createChance(seed)
  const time = new Float64Array(length)
  for (let k = 1; k < length; k++) time[k] = time[k - 1] + chance.between(1_000_000, 3_000_000)
  return time
}

/** A queue that goes up and down. */
export function unevenQueue(length: number, seed: number, most: number): number[] {
  const chance = createChance(seed)
  return Array.from({ length }, (_, k) => (k % 3 === 0 ? 0 : chance.below(most)))
}
