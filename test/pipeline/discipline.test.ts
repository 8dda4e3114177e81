import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addEntry,
  createQueue,
  extractEntry,
  type HeapEntry,
  isBefore,
  type JobQueue,
} from '../../src/pipeline/discipline.ts'
import { NONE } from '../../src/pipeline/rows.ts'
import type { Discipline } from '../../src/scenario/model/scenario.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

const disciplines = ['fifo', 'lifo', 'shortest', 'priority'] as const
/** Sizes that sometimes repeat, in no order. */
const sizeOf = (job: number): number => (job * 7919) % 61

/** The plain version: returned jobs in order, before a list of the others, sorted at every look. */
function createPlainQueue(discipline: Discipline): JobQueue & { all(): number[] } {
  let returned: number[] = []
  let pushed: number[] = []
  const all = (): number[] => {
    const others =
      discipline === 'lifo'
        ? [...pushed].reverse()
        : discipline === 'shortest' || discipline === 'priority'
          ? [...pushed].sort((a, b) => sizeOf(a) - sizeOf(b))
          : pushed
    return [...returned, ...others]
  }
  const without = (job: number): number => {
    returned = returned.filter((other) => other !== job)
    pushed = pushed.filter((other) => other !== job)
    return job
  }
  return {
    all,
    get length() {
      return returned.length + pushed.length
    },
    push: (job) => pushed.push(job),
    peek: () => all()[0] ?? NONE,
    take: () => without(all()[0] ?? NONE),
    putBack: (jobs) => {
      returned = [...jobs, ...returned]
    },
    remove: (job) => all().includes(job) && without(job) === job,
    forEach: (visit) => all().forEach(visit),
  }
}

function listed(queue: JobQueue): number[] {
  const jobs: number[] = []
  queue.forEach((job) => {
    jobs.push(job)
  })
  return jobs
}

describe.each(disciplines)('a %s queue', (discipline) => {
  test('equals the plain version for any sequence of calls', () => {
    const call = fc.oneof(
      { weight: 5, arbitrary: fc.record({ op: fc.constant('push' as const), n: fc.integer({ min: 1, max: 12 }) }) },
      { weight: 3, arbitrary: fc.record({ op: fc.constant('take' as const), n: fc.integer({ min: 1, max: 8 }) }) },
      { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('putBack' as const, 'remove' as const), n: fc.nat(6) }) },
    )
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const queue = createQueue(discipline, sizeOf)
        const plain = createPlainQueue(discipline)
        const taken: number[] = []
        let fresh = 0
        for (const { op, n } of calls) {
          if (op === 'push') {
            for (let i = 0; i < n; i++, fresh++) {
              queue.push(fresh)
              plain.push(fresh)
            }
          } else if (op === 'take') {
            for (let i = 0; i < n; i++) {
              const job = plain.take()
              expect(queue.take()).toBe(job)
              if (job !== NONE) taken.push(job)
            }
          } else if (op === 'putBack') {
            const jobs = taken.splice(0, n)
            queue.putBack(jobs)
            plain.putBack(jobs)
          } else {
            const job = plain.all()[(n * 11) % (plain.length + 1)] ?? 1e6
            expect(queue.remove(job)).toBe(plain.remove(job))
          }
          expect(listed(queue)).toEqual(plain.all())
          expect([queue.length, queue.peek()]).toEqual([plain.length, plain.peek()])
        }
      }),
      { numRuns: repeats(300) },
    )
  })

  test('keeps its order when it grows, wherever its head is', () => {
    for (let turned = 0; turned < 40; turned++) {
      const queue = createQueue(discipline, sizeOf)
      const plain = createPlainQueue(discipline)
      for (let job = 0; job < turned; job++) {
        queue.push(job)
        queue.take()
      }
      for (const each of [queue, plain]) {
        for (let job = 100; job < 115; job++) each.push(job)
        each.putBack([200, 201])
        for (let job = 115; job < 140; job++) each.push(job)
      }
      expect(listed(queue), `turned ${turned} times`).toEqual(plain.all())
      expect(Array.from({ length: 42 }, () => queue.take())).toEqual(plain.all())
    }
  })

  test('takes back twenty thousand jobs in its order', () => {
    const queue = createQueue(discipline, sizeOf)
    const jobs = Array.from({ length: 20_000 }, (_, job) => job)
    for (const job of jobs) queue.push(job)
    const bySize = [...jobs].sort((a, b) => sizeOf(a) - sizeOf(b))
    const orders = { fifo: jobs, lifo: [...jobs].reverse(), shortest: bySize, priority: bySize }
    expect(jobs.map(() => queue.take())).toEqual(orders[discipline])
  })
})

test('a heap stays in order when entries leave from any place', () => {
  const chance = createChance(17)
  for (let round = 0; round < repeats(40); round++) {
    const heap: HeapEntry[] = []
    const size = 1 + chance.below(120)
    for (let job = 0; job < size; job++) addEntry(heap, { job, size: chance.below(1 + chance.below(100)), rank: job })
    while (heap.length > 0) {
      const place = chance.below(heap.length)
      const expected = heap[place]
      expect(extractEntry(heap, place)).toBe(expected)
      // Each entry comes after its parent.
      for (let i = 1; i < heap.length; i++) expect(isBefore(heap[(i - 1) >> 1], heap[i])).toBe(true)
    }
  }
})
