/** A job in a heap. A job that was put back has size -Infinity and a descending rank, so it comes before all others. */
export interface HeapEntry {
  readonly job: number
  readonly size: number
  readonly rank: number
}

export const isBefore = (a: HeapEntry, b: HeapEntry): boolean => a.size < b.size || (a.size === b.size && a.rank < b.rank)

/** Adds an entry to a binary heap by size, then by rank. The children of place i stand at 2i + 1 and 2i + 2. */
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

/** Moves an entry up until its parent is before it. Returns its new place. */
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

/** Moves an entry down until it is before its children. */
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
