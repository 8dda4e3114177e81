import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { ARRIVED, NONE, STARTED } from '../../../src/pipeline/rows.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { type Noted, traceOf } from '../notedTrace.ts'

/** Jobs 0 to 4 are of one group, jobs 5 to 9 of the other. */
const scenario = (whenTaken: 'wait' | 'skip') =>
  scenarioWith({
    source: { kind: 'groups', groups: [5, 5], order: 'asProduced' },
    stages: ['A', 'B'].map((id) => ({ id, resource: 'group', whenTaken })),
    workers: 10,
  })

/** Each job is ordered at one stage, at a time of its own or all at once, the workers in any order. */
const orders = fc.record({
  workers: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 10 }),
  jobs: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 4 }),
  stages: fc.array(fc.nat(1), { minLength: 10, maxLength: 10 }),
  apart: fc.constantFrom(0, 100),
})

test('of the workers with one group at one stage the one that was ordered first is served, and the others wait since their orders', () => {
  fc.assert(
    fc.property(orders, ({ workers, jobs, stages, apart }) => {
      const rows = [
        ...Array.from({ length: 10 }, (_, job): Noted => [0, ARRIVED, NONE, NONE, job]),
        ...jobs.map((job, k): Noted => [10 + k * apart, STARTED, stages[k], workers[k], job]),
      ]
      const groupOf = (job: number) => Math.floor(job / 5)
      const { workers: frames } = frameAt(traceOf(scenario('wait'), rows), 10_000)
      for (const [k, job] of jobs.entries()) {
        const served = jobs.every((other, before) => before >= k || groupOf(other) !== groupOf(job) || stages[before] !== stages[k])
        expect(frames[workers[k]]).toMatchObject({ group: groupOf(job), contendedSince: served ? -1 : 10 + k * apart })
      }
      // Where a taken group is passed over nobody waits.
      expect(frameAt(traceOf(scenario('skip'), rows), 10_000).workers.map(({ contendedSince }) => contendedSince)).toEqual(workers.map(() => -1))
    }),
  )
})
