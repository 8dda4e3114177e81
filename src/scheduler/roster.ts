import { BUSY, type Counts, IDLE } from '../pipeline/counts.ts'
import { addEntry, extractEntry, type HeapEntry } from '../pipeline/discipline.ts'
import { NONE } from '../pipeline/rows.ts'

/** Idle workers by last stage: set 0 all, 1 those without a stage, 2 + s those of s. A set is a bit a worker, and a bit for each nonzero word. */
export class Roster {
  private readonly words: Int32Array
  private readonly tops: Int32Array
  /** Words and tops of a set. */
  private readonly wide: number
  private readonly high: number
  /** By worker: the set of its stage. */
  private readonly home: Int16Array
  private readonly sizes: Int32Array

  constructor(stages: number, workers: number) {
    this.wide = Math.ceil(workers / 32)
    this.high = Math.ceil(workers / 1024)
    this.words = new Int32Array((stages + 2) * this.wide)
    this.tops = new Int32Array((stages + 2) * this.high)
    this.home = new Int16Array(workers).fill(1)
    this.sizes = new Int32Array(stages + 2)
  }

  note({ status, stage }: Pick<Counts, 'status' | 'stage'>, worker: number): void {
    if (status[worker] === IDLE) this.free(worker, stage[worker])
    else this.take(worker)
  }

  /** Notes that a worker is idle at this stage; NONE: it has had none. */
  free(worker: number, stage: number): void {
    const set = stage === NONE ? 1 : stage + 2
    if (this.isIdle(worker)) {
      if (this.home[worker] === set) return
      this.remove(this.home[worker], worker)
    } else this.add(0, worker)
    this.home[worker] = set
    this.add(set, worker)
  }

  /** Notes that a worker is not idle any more. */
  take(worker: number): void {
    if (!this.isIdle(worker)) return
    this.remove(0, worker)
    this.remove(this.home[worker], worker)
  }

  /** Notes that a taken worker is idle after all, at the stage where it was. */
  putBack(worker: number): void {
    this.add(0, worker)
    this.add(this.home[worker], worker)
  }

  isIdle(worker: number): boolean {
    return (this.words[worker >> 5] & (1 << (worker & 31))) !== 0
  }

  isIdleAt(worker: number, stage: number): boolean {
    return this.isIdle(worker) && this.home[worker] === (stage === NONE ? 1 : stage + 2)
  }

  countAt(stage: number): number {
    return this.sizes[stage === NONE ? 1 : stage + 2]
  }

  /** Returns the idle worker with the lowest number from `from` on, or NONE. */
  first(from = 0): number {
    return this.lowest(0, from)
  }

  /** Returns the idle worker at a stage with the lowest number from `from` on, or NONE. Stage NONE: of those that have had no stage. */
  firstAt(stage: number, from = 0): number {
    return this.lowest(stage === NONE ? 1 : stage + 2, from)
  }

  private lowest(set: number, from: number): number {
    const { words, tops, wide, high } = this
    let word = from >> 5
    if (word >= wide) return NONE
    const rest = words[set * wide + word] & (-1 << (from & 31))
    if (rest !== 0) return word * 32 + lowestBit(rest)
    word++
    for (let top = word >> 5; top < high; top++) {
      const left = tops[set * high + top] & (top === word >> 5 ? -1 << (word & 31) : -1)
      if (left === 0) continue
      const found = top * 32 + lowestBit(left)
      return found * 32 + lowestBit(words[set * wide + found])
    }
    return NONE
  }

  private add(set: number, worker: number): void {
    const word = worker >> 5
    this.words[set * this.wide + word] |= 1 << (worker & 31)
    this.tops[set * this.high + (word >> 5)] |= 1 << (word & 31)
    this.sizes[set]++
  }

  private remove(set: number, worker: number): void {
    const word = worker >> 5
    const at = set * this.wide + word
    this.words[at] &= ~(1 << (worker & 31))
    if (this.words[at] === 0) this.tops[set * this.high + (word >> 5)] &= ~(1 << (word & 31))
    this.sizes[set]--
  }
}

export function rosterOf(counts: Pick<Counts, 'status' | 'stage' | 'busy'>): Roster {
  const roster = new Roster(counts.busy.length, counts.status.length)
  for (let w = 0; w < counts.status.length; w++) roster.note(counts, w)
  return roster
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** The busy workers that may get a second batch, by stage in the order of their start. Others stay in their heap until they come first. */
export class PrefetchTakers {
  private readonly heaps: readonly HeapEntry[][]
  /** By worker: the batch for which it was noted last. */
  private readonly since: Float64Array
  private readonly stage: Int16Array

  constructor(stages: number, workers: number) {
    this.heaps = Array.from({ length: stages }, () => [])
    this.since = new Float64Array(workers).fill(NONE)
    this.stage = new Int16Array(workers).fill(NONE)
  }

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
    // Removes workers that may not take a batch from the head of the heap, so that the heap stays small.
    this.first(counts, stage)
    addEntry(this.heaps[stage], { job: worker, size: since, rank: worker })
  }

  /** Returns the worker at a stage that started first, has no second batch and is not leaving; of several, the lowest number; or NONE. */
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

export function takersOf(counts: Counts): PrefetchTakers {
  const takers = new PrefetchTakers(counts.busy.length, counts.status.length)
  for (let w = 0; w < counts.status.length; w++) takers.note(counts, w)
  return takers
}

function mayTake({ status, prefetching, leaving }: Counts, worker: number): boolean {
  return status[worker] === BUSY && prefetching[worker] === 0 && leaving[worker] === 0
}
