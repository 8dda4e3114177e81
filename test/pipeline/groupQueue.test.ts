import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGroupQueue } from '../../src/pipeline/groupQueue.ts'
import { NONE } from '../../src/pipeline/rows.ts'
import { repeats } from '../fixtures/extent.ts'

const groupOf = (job: number) => job % 4
const sizeOf = (job: number) => (job * 7) % 5
const disciplines = ['fifo', 'lifo', 'shortest', 'priority'] as const

/** The same as lists: all jobs in order of service, and the groups in service. */
function createPlain(discipline: (typeof disciplines)[number]) {
  let jobs: { readonly job: number; readonly returned: boolean }[] = []
  const held = new Set<number>()
  const startable = () =>
    jobs
      .map(({ job }) => job)
      .filter(
        (job, i) => !held.has(groupOf(job)) && jobs.findIndex((other) => groupOf(other.job) === groupOf(job)) === i,
      )
  return {
    startable,
    all: () => jobs.map(({ job }) => job),
    push(job: number) {
      const behind = jobs.findIndex(
        ({ returned, job: other }) =>
          !returned && (discipline === 'lifo' || (discipline !== 'fifo' && sizeOf(other) > sizeOf(job))),
      )
      jobs.splice(behind < 0 ? jobs.length : behind, 0, { job, returned: false })
    },
    putBack(back: readonly number[]) {
      jobs = [...back.map((job) => ({ job, returned: true })), ...jobs]
    },
    remove(job: number) {
      jobs = jobs.filter((other) => other.job !== job)
    },
    held,
  }
}

describe.each(disciplines)('the %s queue of a stage that skips taken resources', (discipline) => {
  test('returns the first job of each free group, after any calls', () => {
    const step = fc.record({
      op: fc.constantFrom('push', 'push', 'start', 'start', 'finish', 'throw', 'remove'),
      n: fc.nat(20),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const queue = createGroupQueue(discipline, sizeOf, groupOf)
        const plain = createPlain(discipline)
        const hands: number[] = []
        let next = 0
        const start = (job: number) => {
          plain.remove(job)
          if (job === NONE) return
          queue.hold(job)
          plain.held.add(groupOf(job))
          hands.push(job)
        }
        for (const { op, n } of steps) {
          if (op === 'push') {
            queue.push(next)
            plain.push(next++)
          } else if (op === 'start') {
            expect(queue.peek()).toBe(plain.startable()[0] ?? NONE)
            start(queue.take())
          } else if (op === 'remove') {
            const waiting = plain.all()
            const job = waiting[n % (waiting.length + 1)] ?? 999
            expect(queue.remove(job)).toBe(waiting.includes(job))
            plain.remove(job)
          } else if (hands.length > 0) {
            const [job] = hands.splice(n % hands.length, 1)
            if (op === 'throw') {
              queue.putBack([job])
              plain.putBack([job])
            }
            queue.free(job)
            plain.held.delete(groupOf(job))
          }
          expect(queue.startable()).toEqual(plain.startable())
          expect(queue.length).toBe(queue.startable().length)
          const all: number[] = []
          queue.forEach((job) => void all.push(job))
          expect(all).toEqual(plain.all())
        }
      }),
      { numRuns: repeats(300) },
    )
  })
})
