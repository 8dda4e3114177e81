import fc from 'fast-check'
import { expect, test } from 'vitest'
import { laneCount, laneWith, openedFor, teamsOf, workersOf } from '../../../src/views/timeline/teams.ts'

const anyWorkers = fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 10_000 })).map(([from, n]) => [from, from + n] as const)

test('every worker is in one lane, in order, and there are few enough lanes', () => {
  fc.assert(
    fc.property(anyWorkers, ([from, to]) => {
      const teams = teamsOf(from, to)
      const lanes = Array.from({ length: laneCount(teams) }, (_, lane) => workersOf(teams, lane))
      expect(lanes[0][0]).toBe(from)
      expect(lanes.at(-1)?.[1]).toBe(to)
      expect(lanes.slice(1).map(([first]) => first)).toEqual(lanes.slice(0, -1).map(([, end]) => end))
      expect(lanes.length).toBeLessThanOrEqual(teams.each === 1 ? 256 : 25)
      for (const [lane, [first, end]] of lanes.entries()) expect([laneWith(teams, first), laneWith(teams, end - 1)]).toEqual([lane, lane])
      expect([laneWith(teams, from - 1), laneWith(teams, to)]).toEqual([-1, -1])
    }),
  )
})

test('opening teams one after another comes to a lane for each worker', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }).chain((workers) => fc.tuple(fc.constant(workers), fc.nat(workers - 1))),
      ([workers, worker]) => {
        const [from, to] = openedFor(workers, worker) ?? [0, workers]
        expect(teamsOf(from, to).each).toBe(1)
        expect(worker >= from && worker < to).toBe(true)
        expect(openedFor(workers, worker) === null).toBe(workers <= 256)
      },
    ),
  )
})

test.each([
  [256, 1],
  [300, 20],
  [2000, 100],
  [10_000, 500],
])('of %i workers %i share a lane', (workers, each) => expect(teamsOf(0, workers).each).toBe(each))
