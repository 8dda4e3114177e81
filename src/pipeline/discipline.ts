import type { Discipline } from '../scenario/model/scenario.ts'
import { NONE } from './rows.ts'

/** The jobs that wait at a stage, in order of service. Jobs are whole numbers from 0. The caller must not put a job in twice. */
export interface JobQueue {
  readonly length: number
  push(job: number): void
  /** Returns the job that `take` would return; NONE if there is none. */
  peek(): number
  take(): number
  /** Puts jobs back at the head, in order. They are taken before all others, whatever the discipline. */
  putBack(jobs: readonly number[]): void
  /** Removes a job from any place, in time proportional to the length. Returns false when it is not there. */
  remove(job: number): boolean
  forEach(visit: (job: number) => void): void
}

/** A queue that jobs leave from any place in constant time. */
export interface OpenQueue extends JobQueue {
  has(job: number): boolean
}

/** Returns an empty queue. Only `shortest` and `priority` call `sizeOf`, once for each pushed job; the least is first, and equal ones are served in order of arrival. */
export function createQueue(discipline: Discipline, sizeOf: (job: number) => number): JobQueue {
  switch (discipline) {
    case 'fifo':
      return new Fifo()
    case 'lifo':
      return new Lifo()
    case 'shortest':
    case 'priority':
      return new Shortest(sizeOf)
  }
}

export function createOpenQueue(discipline: Discipline, sizeOf: (job: number) => number): OpenQueue {
  return new Open(discipline, sizeOf)
}

/** Holds places instead of jobs. A job that is removed leaves its place behind, which is dropped when it comes to the head. */
class Open implements OpenQueue {
  private readonly jobs: number[] = []
  private readonly places = new Map<number, number>()
  private readonly queue: JobQueue

  constructor(discipline: Discipline, sizeOf: (job: number) => number) {
    this.queue = createQueue(discipline, (place) => sizeOf(this.jobs[place]))
  }

  get length(): number {
    return this.places.size
  }

  has(job: number): boolean {
    return this.places.has(job)
  }

  push(job: number): void {
    this.queue.push(this.placeFor(job))
  }

  peek(): number {
    if (this.length === 0) return NONE
    while (!this.isTaken(this.queue.peek())) this.queue.take()
    return this.jobs[this.queue.peek()]
  }

  take(): number {
    const job = this.peek()
    if (job === NONE) return NONE
    this.queue.take()
    this.places.delete(job)
    return job
  }

  putBack(jobs: readonly number[]): void {
    this.queue.putBack(jobs.map((job) => this.placeFor(job)))
  }

  remove(job: number): boolean {
    return this.places.delete(job)
  }

  forEach(visit: (job: number) => void): void {
    this.queue.forEach((place) => {
      if (this.isTaken(place)) visit(this.jobs[place])
    })
  }

  private placeFor(job: number): number {
    this.places.set(job, this.jobs.length)
    return this.jobs.push(job) - 1
  }

  private isTaken(place: number): boolean {
    return this.places.get(this.jobs[place]) === place
  }
}

/** First come, first served: a ring that doubles when it is full. */
class Fifo implements JobQueue {
  length = 0
  protected ring = new Int32Array(16)
  protected head = 0

  push(job: number): void {
    if (this.length === this.ring.length) this.double()
    this.ring[this.slot(this.length++)] = job
  }

  peek(): number {
    return this.length === 0 ? NONE : this.ring[this.head]
  }

  take(): number {
    if (this.length === 0) return NONE
    const job = this.ring[this.head]
    this.head = this.slot(1)
    this.length--
    return job
  }

  putBack(jobs: readonly number[]): void {
    for (let i = jobs.length - 1; i >= 0; i--) this.insert(0, jobs[i])
  }

  remove(job: number): boolean {
    let place = 0
    while (place < this.length && this.ring[this.slot(place)] !== job) place++
    if (place === this.length) return false
    this.extract(place)
    return true
  }

  forEach(visit: (job: number) => void): void {
    for (let place = 0; place < this.length; place++) visit(this.ring[this.slot(place)])
  }

  /** The slot in the ring of a place in the queue. The ring's length is a power of two. */
  protected slot(place: number): number {
    return (this.head + place) & (this.ring.length - 1)
  }

  /** Puts a job at a place and moves those before it: cheap near the head. */
  protected insert(place: number, job: number): void {
    if (this.length === this.ring.length) this.double()
    this.head = this.slot(-1)
    this.length++
    for (let i = 0; i < place; i++) this.ring[this.slot(i)] = this.ring[this.slot(i + 1)]
    this.ring[this.slot(place)] = job
  }

  protected extract(place: number): void {
    for (let i = place; i > 0; i--) this.ring[this.slot(i)] = this.ring[this.slot(i - 1)]
    this.head = this.slot(1)
    this.length--
  }

  private double(): void {
    const bigger = new Int32Array(this.ring.length * 2)
    bigger.set(this.ring.subarray(this.head))
    bigger.set(this.ring.subarray(0, this.head), this.ring.length - this.head)
    this.ring = bigger
    this.head = 0
  }
}

/** Last come, first served: the same ring, entered at its head, behind the jobs that were put back. */
class Lifo extends Fifo {
  private returned = 0

  override push(job: number): void {
    this.insert(this.returned, job)
  }

  override take(): number {
    if (this.returned > 0) this.returned--
    return super.take()
  }

  override putBack(jobs: readonly number[]): void {
    super.putBack(jobs)
    this.returned += jobs.length
  }

  protected override extract(place: number): void {
    super.extract(place)
    if (place < this.returned) this.returned--
  }
}

/** Shortest or most urgent first: by size, then by order of arrival. */
class Shortest implements JobQueue {
  private readonly sizeOf: (job: number) => number
  private readonly heap: HeapEntry[] = []
  private arrivals = 0
  private returns = 0

  constructor(sizeOf: (job: number) => number) {
    this.sizeOf = sizeOf
  }

  get length(): number {
    return this.heap.length
  }

  push(job: number): void {
    addEntry(this.heap, { job, size: this.sizeOf(job), rank: this.arrivals++ })
  }

  peek(): number {
    return this.heap.length === 0 ? NONE : this.heap[0].job
  }

  take(): number {
    return this.heap.length === 0 ? NONE : extractEntry(this.heap, 0).job
  }

  putBack(jobs: readonly number[]): void {
    for (let i = jobs.length - 1; i >= 0; i--)
      addEntry(this.heap, { job: jobs[i], size: -Infinity, rank: --this.returns })
  }

  remove(job: number): boolean {
    const place = this.heap.findIndex((entry) => entry.job === job)
    if (place >= 0) extractEntry(this.heap, place)
    return place >= 0
  }

  forEach(visit: (job: number) => void): void {
    for (const { job } of [...this.heap].sort((a, b) => (isBefore(a, b) ? -1 : 1))) visit(job)
  }
}

/** A job in a heap. A job that was put back has size -Infinity and a descending rank, so it comes before all others. */
export type HeapEntry = { readonly job: number; readonly size: number; readonly rank: number }

export const isBefore = (a: HeapEntry, b: HeapEntry): boolean =>
  a.size < b.size || (a.size === b.size && a.rank < b.rank)

/** Adds an entry to a binary heap by size, then by rank. The children of place i are at 2i + 1 and 2i + 2. */
export function addEntry<E extends HeapEntry>(heap: E[], entry: E): void {
  heap.push(entry)
  rise(heap, heap.length - 1)
}

/** Takes the entry at a place out of a heap; the first entry is at place 0. */
export function extractEntry<E extends HeapEntry>(heap: E[], place: number): E {
  const entry = heap[place]
  const last = heap.pop() as E
  if (place < heap.length) {
    heap[place] = last
    sink(heap, rise(heap, place))
  }
  return entry
}

function rise<E extends HeapEntry>(heap: E[], from: number): number {
  const entry = heap[from]
  let place = from
  while (place > 0) {
    const parent = (place - 1) >> 1
    if (!isBefore(entry, heap[parent])) break
    heap[place] = heap[parent]
    place = parent
  }
  heap[place] = entry
  return place
}

function sink<E extends HeapEntry>(heap: E[], from: number): void {
  const entry = heap[from]
  let place = from
  while (true) {
    let child = 2 * place + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++
    if (!isBefore(heap[child], entry)) break
    heap[place] = heap[child]
    place = child
  }
  heap[place] = entry
}
