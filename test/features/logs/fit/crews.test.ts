import { describe, expect, test } from 'vitest'
import { crewsOf, mostWorkers } from '../../../../src/features/logs/fit/stretches.ts'
import { MAX_PHASES, MAX_WORKERS } from '../../../../src/scenario/model/limits.ts'
import { stageFrom, unevenTimes } from './stages.ts'

/** A log of stages with these workers at each time. */
function logWith(...workers: readonly (readonly number[])[]) {
  const { length } = workers[0]
  return { time: unevenTimes(length, 2), stages: workers.map((each) => stageFrom(new Array(length).fill(0), { workers: each })) }
}

/** One that has another number of workers at every time. */
const restless = (length: number, rest = 0) => Array.from({ length }, (_, k) => (k % 2 === 0 ? 7 + (k >> 3) : rest))

describe('the crews of a log', () => {
  test('begin when a stage has more or fewer workers, and stand as they were', () => {
    const log = logWith([3, 3, 3, 5, 5, 5], [2, 2, 1, 1, 1, 1])
    expect(crewsOf(log)).toEqual({
      crews: [
        { at: 0, workers: [3, 2] },
        { at: log.time[2], workers: [3, 1] },
        { at: log.time[3], workers: [5, 1] },
      ],
      exact: true,
    })
  })

  test('may change as often as a scenario has phases', () => {
    expect(crewsOf(logWith(restless(MAX_PHASES, 1)))).toMatchObject({ exact: true, crews: { length: MAX_PHASES } })
    expect(crewsOf(logWith(restless(MAX_PHASES + 1, 1))).exact).toBe(false)
  })

  test('that change more often are the means of equal stretches, of at least one worker, and equal neighbours are one', () => {
    const log = logWith(restless(631, 1), new Array(631).fill(0))
    const { crews, exact } = crewsOf(log)
    expect(exact).toBe(false)
    // 630 steps in 63 stretches of ten: eleven samples each, of which five or six are the greater number.
    const means = Array.from({ length: 63 }, (_, k) => {
      const within = restless(631, 1).slice(10 * k, 10 * k + 11)
      return { at: log.time[10 * k], workers: [Math.round(within.reduce((sum, each) => sum + each, 0) / 11), 1] }
    })
    expect(crews).toEqual(means.filter(({ workers }, k) => k === 0 || workers[0] !== means[k - 1].workers[0]))
    expect(crews.length).toBeLessThan(63)
    const short = logWith(restless(66))
    expect(crewsOf(short).crews.at(-1)?.at).toBeLessThan(short.time[65])
  })

  test('end with a worker at every stage, a microsecond after the log', () => {
    const log = logWith([2, 2, 0], [4, 4, 4])
    expect(crewsOf(log).crews).toEqual([
      { at: 0, workers: [2, 4] },
      { at: log.time[2], workers: [0, 4] },
      { at: log.time[2] + 1, workers: [1, 4] },
    ])
    expect(crewsOf(logWith([0, 2], [4, 4])).crews).toHaveLength(2)
  })

  test('of more workers than a scenario may have are refused with their number', () => {
    expect(crewsOf(logWith([1, 6000], [1, 4000])).crews).toHaveLength(2)
    expect(() => crewsOf(logWith([1, 6000], [1, 4001]))).toThrow(
      expect.objectContaining({ path: 'workers', message: 'all stages had 10,001 workers; allowed: 10,000' }),
    )
    expect(MAX_WORKERS).toBe(10_000)
  })

  test('have most workers at one time, not each stage by itself', () => {
    expect(
      mostWorkers([
        { at: 0, workers: [5, 1] },
        { at: 1, workers: [2, 6] },
        { at: 2, workers: [1, 1] },
      ]),
    ).toBe(8)
    expect(mostWorkers([{ at: 0, workers: [0, 0] }])).toBe(1)
  })
})
