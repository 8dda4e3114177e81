import { BUSY, type Counts } from '../pipeline/counts.ts'
import { addEntry, extractEntry, type HeapEntry } from '../pipeline/heap.ts'
import { NONE } from '../pipeline/rows.ts'

/**
 * The busy workers that may get a second batch, by stage in the order in which they started. A worker that has got one since, or is not
 * there any more, stays in its heap until it comes first.
 */
export class PrefetchTakers {
  private readonly heaps: readonly HeapEntry[][]
  /** By worker: of which batch it was noted last. */
  private readonly since: Float64Array
  private readonly stage: Int16Array

  constructor(stages: number, workers: number) {
    this.heaps = Array.from({ length: stages }, () => [])
    this.since = new Float64Array(workers).fill(NONE)
    this.stage = new Int16Array(workers).fill(NONE)
  }

  /** Notes what the counts say of a worker. */
  note(counts: Counts, worker: number): void {
    const since = counts.since[worker]
    const stage = counts.stage[worker]
    if (!mayTake(counts, worker)) {
      this.since[worker] = NONE
      return
    }
    if (this.since[worker] === since && this.stage[worker] === stage) return
    this.since[worker] = since
    this.stage[worker] = stage
    // Those who come first and may not take go, so that a heap has no more than a few of them.
    this.first(counts, stage)
    addEntry(this.heaps[stage], { job: worker, size: since, rank: worker })
  }

  /** Returns the worker at a stage that started first, has no second batch and is to stay, the lowest number of several; or NONE. */
  first(counts: Counts, stage: number): number {
    const heap = this.heaps[stage]
    while (heap.length > 0) {
      const { job: worker, size: since } = heap[0]
      if (mayTake(counts, worker) && counts.stage[worker] === stage && counts.since[worker] === since) return worker
      extractEntry(heap, 0)
    }
    return NONE
  }
}

/** Returns the takers of the workers in these counts. */
export function takersOf(counts: Counts): PrefetchTakers {
  const takers = new PrefetchTakers(counts.busy.length, counts.status.length)
  for (let w = 0; w < counts.status.length; w++) takers.note(counts, w)
  return takers
}

function mayTake({ status, prefetching, leaving }: Counts, worker: number): boolean {
  return status[worker] === BUSY && prefetching[worker] === 0 && leaving[worker] === 0
}
