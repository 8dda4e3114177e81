import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createQueue, type JobQueue } from '../../src/pipeline/discipline.ts'
import { NONE } from '../../src/pipeline/rows.ts'
import type { Discipline } from '../../src/scenario/model/scenario.ts'
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
})
