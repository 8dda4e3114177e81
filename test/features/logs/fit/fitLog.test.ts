import { describe, expect, test } from 'vitest'
import { arrivalRates } from '../../../../src/features/logs/fit/arrivalRates.ts'
import { playQueues, unexplainedIn } from '../../../../src/features/logs/fit/comparison.ts'
import { fitAnswer, fitLog } from '../../../../src/features/logs/fit/fitLog.ts'
import { samplesOf } from '../../../../src/features/logs/fit/samples.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { logOf, shortLog } from './logs.ts'

/** `rowsAt`: by second, a row for each stage: name, queue, workers and maybe completed, such as `A 3 2; B 0 1`. */
function logFrom(seconds: number, rowsAt: (second: number) => string) {
  const rows = Array.from({ length: seconds }, (_, t) =>
    rowsAt(t)
      .split('; ')
      .map((row) => {
        const [name, queue, workers, completed = ''] = row.split(' ')
        return `${t},${name},${queue},500,${workers},${completed}`
      }),
  )
  return logOf(['time,stage,queue,service_ms,workers,completed', ...rows.flat()].join('\n'))
}

describe('a scenario that is fitted to a log', () => {
  test('has the workers of the log from the times on at which they changed', async () => {
    const { scenario } = await fitLog(logFrom(40, (t) => `A ${t % 3} ${t < 10 ? 2 : 3}; B 1 ${t < 25 ? 4 : 1}`))
    const allocations = [{ at: 0, policy: scenario.policy }, ...scenario.later].map(({ at, policy }) => [
      at,
      policy?.kind === 'fixed' && policy.allocation,
    ])
    expect(allocations).toEqual([
      [0, { A: 2, B: 4 }],
      [10_000_000, { A: 3, B: 4 }],
      [25_000_000, { A: 3, B: 1 }],
    ])
    expect(scenario.workers).toBe(7)
  })

  test('serves the remaining jobs of a stage without workers after the end of the log', async () => {
    const { scenario } = await fitLog(logFrom(40, (t) => `A ${t % 5} ${t < 20 ? 1 : 0}; B 0 2`))
    expect((await playSimulation(scenario, 0)).ending).toBe('drained')
  })

  test('begins with the jobs that wait in each stage when the log begins', async () => {
    const { scenario } = await fitLog(logFrom(40, (t) => `A 10 2 ${4 * t}; B 30 2 ${4 * t}`))
    const { sampled } = await playQueues(scenario, Float64Array.of(500))
    expect(sampled.map(([queue]) => queue)).toEqual([10, 30])
  })
})

describe('arrivals', () => {
  test('are the jobs that left plus the growth of the queue, if jobs are counted; a counter may restart', () => {
    const completed = (t: number) => (t < 30 ? 100 + 2 * t : 2 * (t - 30))
    const log = logFrom(60, (t) => `A ${3 * t} 1 ${completed(t)}`)
    const { pieces, came } = arrivalRates(samplesOf(log, null))
    expect(came?.at(-1)).toBe(2 * 58 + 3 * 59)
    const jobs = pieces.reduce((sum, { from, to, value }) => sum + value * (to - from), 0)
    expect(jobs).toBeCloseTo(2 * 58 + 3 * 59, 6)
    expect(pieces.length).toBeLessThan(4)
  })

  test('are known from a busy stage even where they are not counted: what it serves, and what its queue grew by', () => {
    const log = logFrom(60, (t) => `A 0 8; B ${5 + 3 * t} 1`)
    const { pieces, came } = arrivalRates(samplesOf(log, null))
    expect(came).toBeNull()
    for (const { value } of pieces) expect(Math.abs(value - 5)).toBeLessThan(1)
  })
})

describe('a log that cannot be fitted', () => {
  const two = (workers: number | '', left = 0) =>
    logFrom(40, (t) => `A 1 ${workers} ${10 * t}; B 1 ${workers} ${left * t}`)
  test.each([
    ['has too few times', () => fitLog(logFrom(3, () => 'A 1 1')), /found 3 times; allowed: at least 10/],
    ['has no workers', () => fitLog(two('')), /does not say how many workers/],
    [
      'has stages that are no line',
      () => fitLog(two(2, 3)),
      /390 jobs left "A", but 117 came to "B".*in which order the stages follow/,
    ],
    [
      'is given other stages',
      () => fitLog(two(2, 10), { order: ['A', 'C'] }),
      /found "A" and "C"; allowed: each of "A" and "B" once/,
    ],
  ])('%s: is refused with a reason', async (_, refused, message) => {
    await expect(refused()).rejects.toThrow(message)
  })
})

describe('a log that says how many jobs left each stage', () => {
  /** Stages which this many jobs left, evenly, and whose queues grow by this much. */
  const counted = (...stages: readonly (readonly [left: number, grown: number])[]) =>
    logFrom(11, (t) => stages.map(([left, grown], s) => `S${s} ${(grown * t) / 10} 2 ${(left * t) / 10}`).join('; '))
  /** Whether it continues to the search, or its message about the order. */
  const refusalOf = async (log: ReturnType<typeof logFrom>, order: readonly string[] | null = null) => {
    const onProgress = () => {
      throw new Error('searching')
    }
    return fitLog(log, { order, onProgress }).catch(({ message }: Error) => message)
  }

  test('may lose or win 15 jobs of 100 between two stages, and seven of a few', async () => {
    expect(await refusalOf(counted([100, 0], [85, 0]))).toBe('searching')
    expect(await refusalOf(counted([10, 0], [3, 0]))).toBe('searching')
    const refused = (left: string, came: string) =>
      `${left} jobs left "S0", but ${came} came to "S1"; say in which order the stages follow each other`
    expect(await refusalOf(counted([100, 0], [84, 0]))).toBe(refused('100', '84'))
    expect(await refusalOf(counted([10, 0], [1, 0]))).toBe(refused('10', '1'))
  })

  test('has the jobs that wait neither left one stage nor come to the next', async () => {
    expect(await refusalOf(counted([100, 500], [60, 40]))).toBe('searching')
    await expect(fitLog(counted([100, 0], [150, 40]))).rejects.toMatchObject({ path: 'stage' })
    expect(await refusalOf(counted([100, 0], [150, 40]))).toContain('100 jobs left "S0", but 190 came to "S1"')
  })

  test('is checked between any two counted neighbours, but not if the order was given', async () => {
    expect(await refusalOf(counted([100, 0], [100, 0], [300, 0]))).toContain('100 jobs left "S1", but 300 came to "S2"')
    expect(await refusalOf(counted([100, 0], [300, 0]), ['S0', 'S1'])).toBe('searching')
    expect(await refusalOf(logFrom(11, (t) => `S0 0 2 ${10 * t}; S1 0 2; S2 0 2 ${90 * t}; S3 0 2 ${95 * t}`))).toBe(
      'searching',
    )
  })
})

describe('the report of a fit', () => {
  test('of the order, the counts, the crews and the jobs that were there', async () => {
    const short = shortLog(6, 0.5, 12, true)
    const { assumed, stages, gaps, rates, time, logged, played } = await fitLog(short, {
      order: ['stage 1', 'stage 2'],
    })
    expect(assumed).toEqual([
      'The arrivals are those that the log counts.',
      'The services take as long as the log counts.',
      expect.stringMatching(/^stage 1: service times/),
      expect.stringMatching(/^stage 2: service times/),
    ])
    expect([time.length, logged.map(({ length }) => length), played.map(({ length }) => length)]).toEqual([
      12,
      [12, 12],
      [12, 12],
    ])
    expect(rates.map(([at]) => at)).toEqual([...new Set(rates.map(([at]) => at))].sort((a, b) => a - b))
    expect(gaps).toEqual(stages.flatMap((stage) => unexplainedIn(stage, time)))
    const early = (log: ReturnType<typeof logFrom>) =>
      fitLog(log).then(({ assumed: all }) => all.some((text) => text.startsWith('Jobs that wait when')))
    expect(await early(logFrom(11, () => 'A 10 2; B 0 2'))).toBe(false)
    expect(await early(logFrom(11, () => 'A 10 2; B 0 2; C 4 2'))).toBe(true)
    const restless = logFrom(70, (t) => `A 4 ${1 + (t % 2)}; B 5 2`)
    expect((await fitLog(restless)).assumed).toEqual([
      'Order of the stages: A, B.',
      'Arrivals are random, at rates that follow from queues, service times and workers.',
      expect.stringMatching(/^A: service times/),
      expect.stringMatching(/^B: service times/),
      'The numbers of workers are means over equal periods.',
      'Jobs that wait when the log begins arrive at time 0.',
    ])
  })

  test('is its answer, with the reason if there is none, and whether another order may work', async () => {
    const short = shortLog(6, 0.5, 12, true)
    const answer = await fitAnswer(short, {})
    expect(answer).toEqual({ kind: 'fitted', fit: await fitLog(short) })
    const few = await fitAnswer(
      logFrom(3, () => 'A 1 1'),
      {},
    )
    expect(few).toEqual({ kind: 'refused', message: 'found 3 times; allowed: at least 10', unclear: false })
    const unclear = await fitAnswer(
      logFrom(11, (t) => `A 0 2 ${9 * t}; B 0 2 ${t}`),
      {},
    )
    expect(unclear).toMatchObject({ kind: 'refused', unclear: true, message: expect.stringContaining('90 jobs left') })
  })

  test('is empty after any other error', async () => {
    const onProgress = () => {
      throw new TypeError('a fault of the page')
    }
    await expect(fitAnswer(shortLog(6, 0.5, 12, true), { onProgress })).rejects.toThrow(
      new TypeError('a fault of the page'),
    )
  })
})
