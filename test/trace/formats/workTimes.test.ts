import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FINISHED, type Row } from '../../../src/pipeline/rows.ts'
import { createWorkTimes, endBatch, objectionToService } from '../../../src/trace/formats/workTimes.ts'
import { repeats } from '../../fixtures/extent.ts'

const service = (began: number, ended: number, worker = 0, job = 0): Row => ({ time: ended, kind: FINISHED, stage: 0, worker, job, began, ended }) as Row

describe('the services of a worker in a record', () => {
  test('are accepted in any order of rows as long as none overlaps another, and refused if one does', () => {
    const span = fc.tuple(fc.integer({ min: 10, max: 60 }), fc.nat(8)).map(([from, lasts]) => [from, from + lasts] as const)
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
        const times = createWorkTimes(2)
        times.given[1] = 5
        const accepted: (readonly [number, number])[] = []
        for (const [began, ended] of spans) {
          // Two may touch; one of no length may stand at either end of another, and not inside.
          const overlaps = accepted.some(([from, to]) => began < to && ended > from)
          const objection = objectionToService(times, service(began, ended, 1), false)
          expect(objection === null, `${began} to ${ended} after ${JSON.stringify(accepted)}`).toBe(!overlaps)
          if (objection === null) accepted.push([began, ended])
          else expect(objection).toMatchObject({ column: 'began', message: expect.stringContaining('it serves another then') })
        }
      }),
      { numRuns: repeats(500) },
    )
  })

  test('begin when the worker has its batch, and not before: each batch by its own time', () => {
    const times = createWorkTimes(1)
    times.given[0] = 100
    times.prefetched[0] = 150
    expect(objectionToService(times, service(99, 110), false)).toMatchObject({
      column: 'began',
      message: expect.stringContaining('before it was given to worker 0 at 100'),
    })
    expect(objectionToService(times, service(100, 110), false)).toBe(null)
    expect(objectionToService(times, service(149, 160), true)).toMatchObject({ message: expect.stringContaining('at 150') })
    expect(objectionToService(times, service(150, 160), true)).toBe(null)
  })

  test('of the next batch begin when the last of this one has ended, also if that ended before others of it', () => {
    const times = createWorkTimes(2)
    times.given.fill(0)
    times.prefetched[0] = 20
    for (const [began, ended] of [
      [30, 40],
      [0, 10],
      [10, 30],
    ] as const)
      expect(objectionToService(times, service(began, ended), false)).toBe(null)
    endBatch(times, 0, true)
    expect(times.given[0]).toBe(20)
    expect(objectionToService(times, service(39, 45), false)).toMatchObject({ message: expect.stringContaining('worker 0 cannot serve job 0 from 39 to 45') })
    expect(objectionToService(times, service(40, 45), false)).toBe(null)
    // The other worker is not concerned.
    expect(objectionToService(times, service(5, 45, 1), false)).toBe(null)
  })

  test('end with an empty batch as they ended before it', () => {
    const times = createWorkTimes(1)
    times.given[0] = 0
    times.prefetched[0] = 7
    expect(objectionToService(times, service(0, 10), false)).toBe(null)
    endBatch(times, 0, false)
    endBatch(times, 0, false)
    expect([times.given[0], times.servedUntil[0]]).toEqual([0, 10])
    expect(objectionToService(times, service(9, 12), false)).not.toBe(null)
  })
})
