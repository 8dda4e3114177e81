import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { score } from '../../../../src/allocation/apportion.ts'
import {
  fullestPoint,
  logPointAt,
  logPointsOf,
  questionAt,
  rowsAt,
  seatsAt,
} from '../../../../src/features/logs/measure/logPoints.ts'
import { answerTo, openLoopOf, queuesOf, seatsHad } from '../../../../src/features/logs/measure/openLoop.ts'
import type { SystemLog } from '../../../../src/features/logs/read/log.ts'
import { markTimes } from '../../../../src/measures/series/marks.ts'
import { valueAt } from '../../../../src/measures/series/steps.ts'
import { askable } from '../../../../src/scenario/model/policies.ts'
import { parseQuestion } from '../../../../src/scenario/parse/part.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { anyRows, csvOf, rowsOf, soundLog } from '../read/logFiles.ts'

function ruleOver({ stages }: SystemLog, kind: string, workers = 1) {
  const read = parseQuestion({
    version: 1,
    workers,
    policy: kind === 'power' ? { kind, p: 3 } : { kind },
    stages: stages.map((name) => ({ name, waiting: 0, mean: 1 })),
  })
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.question.scenario
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const asks = (votes: readonly number[]) => votes.some((each) => each > 0)
const apart = (a: readonly number[], b: readonly number[]) => sum(a.map((n, s) => Math.max(0, n - b[s])))

describe('the seats that a policy would have given on a log', () => {
  test('equals the answer of the allocator wherever jobs wait and stays elsewhere, and the figures count the differences', () => {
    fc.assert(
      fc.property(anyRows, fc.constantFrom(...askable), fc.boolean(), (rows, kind, staffed) => {
        const log = soundLog(staffed ? csvOf(rows) : csvOf(rows).replace('workers', 'crew'))
        const points = logPointsOf(log)
        const scenario = ruleOver(log, kind, 7)
        const loop = openLoopOf(points, scenario.policy, scenario.workers)
        const [had, queues] = [seatsHad(points), queuesOf(points)]
        const times = [...new Set(rows.map(({ time }) => time - log.origin))]
        expect([...points.time]).toEqual(times)
        expect([points.staffed, had.length]).toEqual([staffed, staffed ? log.stages.length : 0])

        let given = log.stages.map(() => 0)
        const answers = times.map((time, p) => {
          expect([logPointAt(points, time), logPointAt(points, time + 0.5)]).toEqual([p, p])
          const question = questionAt(points, p, scenario, scenario.workers)
          const system = seatsAt(points, p)
          const { stages, workers } = answerTo(question, system)
          expect(workers).toBe(system === null ? 7 : sum(system))
          if (stages.some(({ waiting, work }) => waiting > 0 && work > 0))
            given = stages.map(({ seatsAfter }) => seatsAfter)
          expect(loop.seats.map((steps) => valueAt(steps, time))).toEqual(given)
          expect(queues.map((steps) => valueAt(steps, time))).toEqual(stages.map(({ waiting }) => waiting))
          if (system !== null) expect(had.map((steps) => valueAt(steps, time))).toEqual(system)
          return {
            given,
            had: system,
            votes: stages.map(({ work, waiting }) => (waiting === 0 ? 0 : work)),
          }
        })
        const differs = answers.flatMap(({ given, had, votes }, p) =>
          (
            had === null
              ? p === 0 || answers[p - 1].given.some((n, s) => n !== given[s])
              : asks(votes) && given.some((n, s) => n !== had[s])
          )
            ? [times[p]]
            : [],
        )
        expect([...markTimes(loop.differing)]).toEqual(differs)
        expect(loop.elsewhere).toBe(
          sum(answers.map(({ given, had, votes }) => (had === null || !asks(votes) ? 0 : apart(given, had)))),
        )
        const moves = answers
          .slice(1)
          .map(({ given }, p) => Math.min(apart(given, answers[p].given), apart(answers[p].given, given)))
        expect(loop.moves.given).toBe(sum(moves))
        expect(loop.score.given).toBeCloseTo(
          sum(answers.map(({ votes, given }) => score(votes, given))) / times.length,
          6,
        )
        if (staffed)
          expect(loop.score.had).toBeCloseTo(
            sum(answers.map(({ votes, had }) => score(votes, had ?? []))) / times.length,
            6,
          )
      }),
      { numRuns: repeats(120) },
    )
  })

  test('keeps the last state of a stage whose row is missing, and gives no worker to a stage without rows', () => {
    const log = soundLog('time,stage,queue,service_s,workers\n0,A,4,1,2\n5,B,9,1,1\n9,A,0,1,0\n')
    const points = logPointsOf(log)
    expect([0, 1, 2].map((p) => rowsAt(points, p))).toEqual([
      [0, -1],
      [0, 1],
      [2, 1],
    ])
    expect([0, 1, 2].map((p) => seatsAt(points, p))).toEqual([
      [2, 0],
      [2, 1],
      [0, 1],
    ])
    expect(points.workers).toBe(3)
    const loop = openLoopOf(points, ruleOver(log, 'leastScore').policy, 1)
    expect([0, 5_000_000, 9_000_000].map((time) => loop.seats.map((steps) => valueAt(steps, time)))).toEqual([
      [2, 0],
      [1, 2],
      [0, 1],
    ])
    expect([logPointAt(points, -5), logPointAt(points, 1e12)]).toEqual([0, 2])
  })

  test('without waiting jobs the policy never differs; the fullest point has the most waiting jobs', () => {
    const points = logPointsOf(
      soundLog(
        'time,stage,queue,service_s,workers\n0,A,0,1,0\n0,B,0,1,2\n5,A,3,1,0\n7,B,4,1,2\n9,A,0,1,0\n9,B,0,1,2\n',
      ),
    )
    expect([...markTimes(openLoopOf(points, ruleOver(points.log, 'leastScore').policy, 1).differing)]).toEqual([
      5_000_000, 7_000_000,
    ])
    expect(points.time[fullestPoint(points)]).toBe(7_000_000)
    expect(fullestPoint(logPointsOf(soundLog('time,stage,queue,service_s\n0,A,0,1\n1,A,0,1\n')))).toBe(0)
  })

  test('of the sample: the worker that was taken from the stage that needed it most', () => {
    const log = soundLog(readFileSync(new URL('../../../../public/sample-incident.csv', import.meta.url), 'utf8'))
    expect([log.stages, log.length, new Date(log.origin / 1000).toISOString()]).toEqual([
      ['Fetch', 'Resize', 'Upload'],
      363,
      '2026-03-02T09:00:00.000Z',
    ])
    const points = logPointsOf(log)
    const loop = openLoopOf(points, ruleOver(log, 'leastScore').policy, 1)
    expect([points.length, points.workers, loop.differing.length]).toEqual([121, 12, 89])
    expect(loop.moves).toEqual({ had: 2, given: 428 })
    expect(loop.score.given).toBeLessThan(0.75 * loop.score.had)
  })

  test('takes no more memory than its columns: a hundred thousand rows, 23 bytes each, and as much again for the points', () => {
    const line = (k: number) => `${k >> 1},${k & 1 ? 'A' : 'B'},${k % 97},${1 + (k % 13)},${k % 5}\n`
    const reader = soundLog(
      `time,stage,queue,service_ms,workers\n${Array.from({ length: 100_000 }, (_, k) => line(k)).join('')}`,
    )
    const bytes = (columns: object) =>
      sum(Object.values(columns).flatMap((each) => (ArrayBuffer.isView(each) ? [each.byteLength] : [])))
    expect(bytes(reader)).toBe(2_300_000)
    expect(rowsOf({ ...reader, length: 2 }).map(({ stage }) => stage)).toEqual(['B', 'A'])
    const points = logPointsOf(reader)
    expect(bytes(points) + sum(points.rowsOf.map(({ byteLength }) => byteLength))).toBe(50_000 * 12 + 100_000 * 4)
  })
})
