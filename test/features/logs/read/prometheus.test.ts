import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logOf } from '../../../../src/features/logs/read/readLog.ts'
import { guessMapping, type Role } from '../../../../src/features/logs/read/seriesRoles.ts'
import { CLOCK_END } from '../../../../src/scenario/model/limits.ts'
import type { Service } from '../../../../src/scenario/model/scenario.ts'
import { quantileOf } from '../../../../src/workload/laws.ts'
import { readLog, readSeries, rowsOf, soundLog } from './logFiles.ts'

/** Samples at these seconds; no sample where there is no value. */
const values = (all: readonly (number | null)[]) =>
  all.flatMap((value, k) => (value === null ? [] : [[k + 1, String(value)]]))
const series = (name: string, labels: object, all: readonly (number | null)[]) => ({
  metric: { __name__: name, ...labels },
  values: values(all),
})
const answer = (...result: object[]) => JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } })
const problemsOf = (text: string) => readLog(text).problems.map(({ path, message }) => `${path}: ${message}`)
/** Time in seconds, queue, service time in seconds, workers. */
const plainRows = (text: string) =>
  rowsOf(soundLog(text)).map(({ time, queue, service, workers }) => [time / 1e6, queue, service / 1e6, workers])
const notesOf = (text: string) => {
  const read = readLog(text)
  return 'notes' in read ? read.notes : []
}

describe('series without names', () => {
  test('are distinguished by another label, as the queries of the docs give it', () => {
    const measured = (measure: string, stage: string, all: readonly number[]) => ({
      metric: { measure, stage },
      values: values(all),
    })
    const all = ['encode', 'resize'].flatMap((stage, s) => [
      measured('queue_length', stage, [3 + s, 4]),
      measured('service_seconds', stage, [0.5, 0.25]),
      measured('workers', stage, [2, 2]),
    ])
    expect(guessMapping(readSeries(answer(...all)))).toMatchObject({ certain: true, mapping: { stageLabel: 'stage' } })
    expect(plainRows(answer(...all))).toEqual([
      [1, 3, 0.5, 2],
      [1, 4, 0.5, 2],
      [2, 4, 0.25, 2],
      [2, 4, 0.25, 2],
    ])
  })
})

test('the order of the series in a file means nothing: Prometheus sorts them by name', () => {
  const two = (name: string, all: readonly number[]) =>
    ['encode', 'resize'].map((stage, s) => series(name, { stage }, [all[0] + s, all[1] + s]))
  const parts = [
    two('queue_length', [3, 4]),
    two('service_seconds', [0.5, 0.25]),
    two('workers', [2, 3]),
    two('jobs_completed_total', [10, 20]),
  ]
  const [usual, ...others] = [
    [0, 1, 2, 3],
    [2, 0, 1, 3],
    [3, 2, 1, 0],
    [2, 3, 0, 1],
  ].map((order) => rowsOf(soundLog(answer(...order.flatMap((k) => parts[k])))))
  expect(usual.map(({ workers }) => workers)).toEqual([2, 3, 3, 4])
  for (const other of others) expect(other).toEqual(usual)
})

describe('a sum and its count', () => {
  const queue = series('jobs_waiting', { stage: 'Fetch' }, [3, 4, 5, 6])
  const sum = series('work_seconds_sum', { stage: 'Fetch' }, [100, 106, 106, 2])
  const count = series('work_seconds_count', { stage: 'Fetch' }, [50, 60, 60, 4])
  const buckets = ['0.1', '1', '+Inf'].map((le) => series('work_seconds_bucket', { stage: 'Fetch', le }, [1, 2, 3, 4]))

  test('are the mean of what came between two samples; a count that falls has restarted', () => {
    const text = answer(queue, ...buckets, sum, count)
    // At the first sample no growth is known, so it has the first mean; at the third nothing was served.
    expect(plainRows(text)).toEqual([
      [1, 3, 0.6, -1],
      [2, 4, 0.6, -1],
      [3, 5, 0.6, -1],
      [4, 6, 0.5, -1],
    ])
  })

  test('stand in the samples of a native histogram too', () => {
    const sums = [100, 106, 106, 2]
    const histograms = [50, 60, 60, 4].map((each, k) => [
      k + 1,
      { count: String(each), sum: String(sums[k]), buckets: [[0, '0', '1', '3']] },
    ])
    const native = (name: string) => ({ metric: { __name__: name, stage: 'Fetch' }, histograms })
    expect(plainRows(answer(queue, native('work_seconds')))).toEqual(plainRows(answer(queue, sum, count)))
    expect(problemsOf(answer(native('queue_length'), sum, count))).toEqual([
      'data.result[0]: queue_length is a histogram; allowed: as a service time',
    ])
    const twice = { ...native('work_seconds'), values: [[1, '2']] }
    expect(problemsOf(answer(queue, twice)).join()).toMatch(/has numbers and histograms; allowed: one of the two/)
    const [, second] = histograms
    expect(problemsOf(answer(queue, { ...native('work_seconds'), histograms: [[1, '5'], second] })).join()).toMatch(
      /found .*a sample \[seconds, \{"count"/,
    )
  })

  test('a counter that is named a service time is refused with a reason', () => {
    const file = readSeries(answer(queue, count))
    expect(guessMapping(file).certain).toBe(false)
    expect(logOf(file, { stageLabel: 'stage', roles: ['queue', 'service_s'] }).problems).toEqual([
      {
        path: 'data.result[1]',
        message: 'work_seconds_count is a counter; allowed: a mean, or a sum and its count',
      },
    ])
  })
})

describe('a counter that is exported once it has counted something', () => {
  const at = { stage: 'Fetch', instance: 'a' }
  const queue = series('queue_length', at, [3, 4, 5, 6])
  const late = (instance: string) => [
    series('work_seconds_sum', { ...at, instance }, [null, null, 2, 3]),
    series('work_seconds_count', { ...at, instance }, [null, null, 4, 6]),
    ...['1', '+Inf'].map((le) => series('work_seconds_bucket', { ...at, instance, le }, [null, null, 4, 6])),
  ]

  test('was 0 at the scrape before, which has the queue of the same target', () => {
    const text = answer(queue, ...late('a'))
    expect(plainRows(text)).toEqual([
      [2, 4, 0.5, -1],
      [3, 5, 0.5, -1],
      [4, 6, 0.5, -1],
    ])
    const { completed, squares } = soundLog(text)
    expect(Array.from(completed ?? [])).toEqual([0, 4, 6])
    expect(squares?.every((square) => square > 0.25e12)).toBe(true)
    const own = answer(
      queue,
      series('service_seconds', at, [1, 1, 1, 1]),
      series('jobs_completed_total', at, [null, 7, 8, 9]),
    )
    expect(Array.from(soundLog(own).completed ?? [])).toEqual([0, 7, 8, 9])
    const counts = answer(
      queue,
      series('service_seconds', at, [1, 1, 1, 1]),
      series('jobs_completed', at, [null, 7, 8, 9]),
    )
    expect(Array.from(soundLog(counts).completed ?? [])).toEqual([Number.NaN, 7, 8, 9])
  })

  test('is unknown before if another target exports it, and if it is no counter', () => {
    expect(Array.from(soundLog(answer(queue, ...late('b'))).completed ?? [])).toEqual([4, 6])
    const workers = answer(queue, series('service_seconds', at, [1, 1, 1, 1]), series('workers', at, [null, 2, 2, 2]))
    expect(rowsOf(soundLog(workers)).map(({ workers }) => workers)).toEqual([-1, 2, 2, 2])
  })
})

describe('instances of one stage', () => {
  const at = (instance: string) => ({ stage: 'Fetch', instance })

  test('have their queues and workers added, and their service times weighted by their jobs', () => {
    const text = answer(
      series('queue_length', at('a'), [1, 2, 3]),
      series('queue_length', at('b'), [10, 20, null]),
      series('workers', at('a'), [2, 2, 2]),
      series('workers', at('b'), [3, 3, null]),
      series('work_seconds_sum', at('a'), [0, 10, 20]),
      series('work_seconds_count', at('a'), [0, 1, 2]),
      series('work_seconds_sum', at('b'), [0, 9, null]),
      series('work_seconds_count', at('b'), [0, 9, null]),
    )
    expect(plainRows(text)).toEqual([
      [1, 11, 1.9, 5],
      [2, 22, 1.9, 5],
      [3, 3, 10, 2],
    ])
    expect(notesOf(text).join()).toMatch(/Instances of a stage are combined/)
  })

  test('count alike where only their means are known, with a note for the reader', () => {
    const text = answer(
      series('queue_length', { stage: 'Fetch' }, [1]),
      series('service_seconds', at('a'), [1]),
      series('service_seconds', at('b'), [3]),
      series('service_seconds', at('c'), [Number.NaN]),
    )
    expect(plainRows(text)).toEqual([[1, 1, 2, -1]])
    expect(notesOf(text).join()).toMatch(/Instances of a stage are combined/)
  })

  test('two names for one thing are still refused', () => {
    const both = ['queue_length', 'backlog'].map((name) => series(name, { stage: 'A' }, [1]))
    const file = readSeries(answer(...both, series('service_seconds', { stage: 'A' }, [1])))
    expect(logOf(file, { stageLabel: 'stage', roles: ['queue', 'queue', 'service_s'] }).problems).toEqual([
      { path: 'data.result[1]', message: 'is a second queue of stage "A"; allowed: one' },
    ])
  })

  test('with any services, restarts and ends, give the mean of the services between two scrapes', () => {
    const step = fc.record({
      served: fc.array(fc.integer({ min: 1, max: 64 }), { maxLength: 4 }),
      restarts: fc.boolean(),
      alive: fc.boolean(),
    })
    const anyInstances = fc.array(fc.array(step, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(anyInstances, (instances) => {
        const between: number[][] = Array.from({ length: 5 }, () => [])
        const exported = instances.flatMap((steps, k) => {
          let [sum, count] = [0, 0]
          let [seen, lastCount] = [false, 0]
          let unseen: number[] = []
          const sums: (number | null)[] = []
          const counts: (number | null)[] = []
          steps.forEach(({ served, restarts, alive }, s) => {
            if (restarts) {
              sum = 0
              count = 0
              unseen = []
            }
            for (const each of served) sum += each
            count += served.length
            unseen.push(...served)
            sums.push(alive ? sum : null)
            counts.push(alive ? count : null)
            if (!alive) return
            // A restart that ends with more than before cannot be seen from outside.
            fc.pre(!(restarts && seen) || count < lastCount)
            if (seen) between[s].push(...unseen)
            seen = true
            lastCount = count
            unseen = []
          })
          // A restart between two scrapes that were missed would hide what was served before it.
          fc.pre(
            !steps.some(({ restarts }, s) => restarts && s > 0 && !steps[s - 1].alive) &&
              !steps.some(({ restarts, alive }) => restarts && !alive),
          )
          return [series('work_seconds_sum', at(String(k)), sums), series('work_seconds_count', at(String(k)), counts)]
        })
        const text = answer(series('queue_length', { stage: 'Fetch' }, [1, 2, 3, 4, 5]), ...exported)
        // Until something was measured, from the first scrape on, the first mean is all that is known.
        const firstScrape = Math.min(
          ...instances.map((steps) => steps.findIndex(({ alive }) => alive)).filter((s) => s >= 0),
        )
        const means = between.map((all) => all.reduce((sum, each) => sum + each, 0) / all.length)
        let last = means.find((each) => !Number.isNaN(each))
        if (last === undefined) return
        const expected = means.flatMap((each, s) => {
          if (!Number.isNaN(each)) last = each
          return s < firstScrape ? [] : [[s + 1, s + 1, last ?? 0]]
        })
        const rows = plainRows(text)
        expect(rows.map(([time, queue]) => [time, queue])).toEqual(expected.map(([time, queue]) => [time, queue]))
        for (const [k, [, , service]] of rows.entries()) expect(service).toBeCloseTo(expected[k][2], 9)
      }),
    )
  })
})

describe('an answer that is not one to a range query', () => {
  const good = answer(series('queue', { stage: 'A' }, [1]), series('service_s', { stage: 'A' }, [1]))
  const one = (rest: string) => `{"data":{"result":[{"metric":{"stage":"A"},${rest}}]}}`

  test.each([
    ['{"status":"success"}', 'data: is missing'],
    ['{"status":"success","data":[]}', 'data: found an empty list; allowed: an object'],
    ['{"data":{"resultType":"scalar"}}', 'data.resultType: found "scalar"; allowed: "matrix" (/api/v1/query_range)'],
    ['{"data":{"result":{}}}', 'data.result: found an object; allowed: a list'],
    ['{"data":{"result":[],"stats":{}}}', 'data.result: the file has no rows'],
    ['{"data":{"result":[5]}}', 'data.result[0]: found 5; allowed: an object'],
    ['{"data":{"result":[{"metric":5}]}}', 'data.result[0].metric: found 5; allowed: an object'],
    [one('"values":5'), 'data.result[0].values: found 5; allowed: a list'],
    [
      one('"values":[[1,"2"]],"histograms":[]'),
      'data.result[0].histograms: has numbers and histograms; allowed: one of the two',
    ],
    [
      one('"histograms":[],"values":[[1,"2"]]'),
      'data.result[0].values: has numbers and histograms; allowed: one of the two',
    ],
    [`${good}x`, `: there is more after the end, at byte ${good.length + 1}`],
  ])('%s is refused at its place', (text, problem) => {
    // Bytes are counted from the beginning of the file.
    expect(problemsOf(text)).toEqual([problem])
  })

  test('is refused where it is cut off, wherever that is', () => {
    const parts = [
      '{"data":',
      '{"resultType":"matrix","result":[{"metric":{"stage":"A"},"odd":[1],"values":[[1,"2"],[2,"3"]]},{"histograms":',
      '[[1,{"count":"1","sum":"1"}]]}]}}',
    ]
    const whole = parts.join('')
    for (let length = 8; length < whole.length; length++) {
      const [{ message }] = readLog(whole.slice(0, length)).problems
      expect(message, whole.slice(0, length)).toBe(`the file is cut off at byte ${length + 1}`)
    }
    expect(readLog(parts[0]).problems[0].path).toBe('data')
    expect(readLog(whole.slice(0, -8)).problems[0].path).toBe('data.result[1].histograms[0]')
  })

  test('has at most 4,096 series', () => {
    const many = (count: number) => `{"data":{"result":[${Array(count).fill('{}').join()}]}}`
    expect(problemsOf(many(4097))).toEqual(['data.result: more than 4,096'])
  })
})

describe('a sample', () => {
  const service = series('service_s', { stage: 'A' }, [1])
  const found = (...samples: unknown[]) =>
    problemsOf(answer({ metric: { __name__: 'queue', stage: 'A' }, values: [[0.5, '7'], ...samples] }, service))
  const kept = (spelled: string) => {
    const text = answer({ metric: { __name__: 'queue', stage: 'A' }, values: 'HERE' }, service).replace(
      '"HERE"',
      spelled,
    )
    expect(readLog(text)).toHaveProperty('log')
    const [queue] = readSeries(text).series
    return Array.from({ length: queue.length }, (_, i) => [queue.time[i] / 1e6, queue.value[i]])
  }

  test('may use any JSON syntax', () => {
    expect(kept(' [ [ 1 , "2" ] ,\n[2,"3.5"],[3,4],[4e0,"5"],[5,"-1e1"],[6,"\\u0037"],[7,"NaN"],[8," 9 "]] ')).toEqual([
      [1, 2],
      [2, 3.5],
      [3, 4],
      [4, 5],
      [5, -10],
      [6, 7],
      [7, Number.NaN],
      [8, 9],
    ])
    expect(kept('[[1,"2"]]')).toEqual([[1, 2]])
  })

  test.each([
    [5, 'found 5; allowed: a sample [seconds, "number"]'],
    [[1], 'found a list of 1; allowed: a sample [seconds, "number"]'],
    [['1', '2'], 'found a list of 2; allowed: a sample [seconds, "number"]'],
    [[1, 'x'], 'found "x"; allowed: a sample [seconds, "number"]'],
    [[1, ''], 'found ""; allowed: a sample [seconds, "number"]'],
    [[1, null], 'found null; allowed: a sample [seconds, "number"]'],
    [[1, '+Inf'], 'found "+Inf"; allowed: a sample [seconds, "number"]'],
    [[0.25, '1'], 'time runs back or repeats; allowed: rows in order of time'],
  ])('%j is named and left out, and the next is read', (sample, message) => {
    expect(found(sample, [2, '3'])).toEqual([`data.result[0].values[1]: ${message}`])
    expect(found([0.75, '1'], [0.8, 1], sample)).toEqual([`data.result[0].values[3]: ${message}`])
  })

  test('with something between its parts ends the reading', () => {
    const text = (spelled: string) => answer(service, { metric: {}, values: 'HERE' }).replace('"HERE"', spelled)
    for (const spelled of [
      '[[1,"2" x]]',
      '[[1,"2";]]',
      '[[1 "2"]]',
      '[[1,"2"]x]',
      '[[1,"2"];[2,"3"]]',
      '[[1,"2"]',
      '[1,"2"]]',
      '[[1,2"]]',
    ])
      expect(problemsOf(text(spelled)).join(), spelled).toMatch(/^data\.result/)
  })

  test('of a histogram needs a time, a sum and a count', () => {
    const queue = series('queue', { stage: 'A' }, [1, 2, 3, 4])
    const metric = { __name__: 'work_seconds', stage: 'A' }
    const problems = (...histograms: unknown[]) =>
      problemsOf(
        answer(queue, {
          metric,
          histograms: [[1, { sum: '0', count: '0' }], ...histograms, [3, { sum: 2, count: 1 }]],
        }),
      )
    expect(problems([2, { sum: '1', count: '1' }])).toEqual([])
    for (const odd of [
      5,
      [2],
      [2, null],
      ['2', { sum: '1', count: '1' }],
      [2, { sum: 'x', count: '1' }],
      [2, { sum: '1', count: '-1' }],
      [2, { sum: '1' }],
    ])
      expect(problems(odd), JSON.stringify(odd)).toEqual([
        expect.stringMatching(
          /^data\.result\[1\]\.histograms\[1\]: found .*; allowed: a sample \[seconds, \{"count": "number", "sum": "number"\}\]$/,
        ),
      ])
    expect(problems([1, { sum: 5, count: 5 }])).toEqual([
      'data.result[1].histograms[1]: time runs back or repeats; allowed: rows in order of time',
    ])
    expect(problems(...Array.from({ length: 30 }, () => 5))).toEqual([
      expect.stringMatching(/^data\.result\[1\]\.histograms\[1\] and 29 more: found 5;/),
    ])
  })

  test('of very many is kept, with its count', () => {
    const count = 300
    const histograms = Array.from({ length: count }, (_, k) => [k, { sum: String(2 * k * k), count: String(k) }])
    const [series] = readSeries(answer({ metric: {}, histograms })).series
    const read = Array.from({ length: series.length }, (_, i) => [series.time[i], series.value[i], series.count?.[i]])
    expect(read).toEqual(histograms.map((_, k) => [k * 1e6, 2 * k * k, k]))
  })
})

describe('the rows of a stage', () => {
  const at = { stage: 'A' }
  const rowsWith = (name: string, value: number) => {
    const all: Record<string, number> = { queue: 1, service_us: 1, workers: 1, [name]: value }
    return problemsOf(answer(...Object.entries(all).map(([each, number]) => series(each, at, [number]))))
  }

  test('are left out and named where a value is out of bounds', () => {
    const cases: readonly (readonly [name: string, good: readonly number[], bad: readonly number[], words: string])[] =
      [
        [
          'queue',
          [0, -0.4, 1e9],
          [-1, 1_000_000_001],
          'queue found %; allowed: a whole number from 0 to 1,000,000,000',
        ],
        ['service_us', [0.001, CLOCK_END - 1], [0, -2, CLOCK_END], 'service found %; allowed: a time above 0'],
        ['workers', [0, -1, 10_000], [-2, 10_001], 'workers found %; allowed: a whole number from 0 to 10,000'],
      ]
    for (const [name, good, bad, words] of cases) {
      for (const value of good) expect(rowsWith(name, value), `${name} ${value}`).toEqual([])
      for (const value of bad)
        expect(rowsWith(name, value)).toEqual([`stage "A" at 1 s: ${words.replace('%', String(value))}`])
    }
  })

  test('need a queue and a service time, and a label that names the stage', () => {
    const both = (stageLabel: string, roles: readonly Role[], ...all: object[]) =>
      logOf(readSeries(answer(...all)), { stageLabel, roles })
        .problems.map(({ path, message }) => `${path}: ${message}`)
        .join()
    const queue = series('queue', at, [1])
    const service = series('service_s', at, [1])
    expect(both('stage', ['queue', 'service_s'], queue, service)).toBe('')
    expect(both('stage', ['queue'], queue, service)).toBe(
      'stage "A": found no service; allowed: a queue and a service time for every stage',
    )
    expect(both('stage', ['nothing', 'service_s'], queue, service)).toBe(
      'stage "A": found no queue; allowed: a queue and a service time for every stage',
    )
    expect(both('zone', ['queue', 'service_s'], queue, service)).toBe(
      'data.result: stage found nothing; allowed: a name of 1 to 80 characters that can be seen',
    )
    const histogram = [series('q_sum', at, [1]), series('q_count', at, [1])]
    expect(both('stage', ['queue', 'service_s'], ...histogram, service)).toBe(
      'data.result[0]: q_sum is a histogram; allowed: as a service time',
    )
  })

  test('begin with time 0 as at any other, also beside a series without samples', () => {
    const from0 = (name: string, value: number) => ({ metric: { __name__: name, ...at }, values: [[0, String(value)]] })
    const none = (name: string) => ({ metric: { __name__: name, ...at }, values: [] })
    expect(plainRows(answer(from0('queue', 3), from0('service_s', 2), none('workers')))).toEqual([[0, 3, 2, -1]])
    expect(problemsOf(answer(from0('queue', 3), none('service_s'), none('workers')))).toEqual([
      ': the file has no rows',
    ])
    expect(problemsOf(answer(none('queue'), from0('service_s', 3)))).toEqual([': the file has no rows'])
  })
})

describe('the spread of service times', () => {
  const SAMPLES = 12
  const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
  const every = (value: (k: number) => number) => Array.from({ length: SAMPLES }, (_, k) => value(k))
  const queue = series(
    'queue_length',
    { stage: 'A' },
    every(() => 1),
  )
  const sums = (of: number, count: number) => [
    series(
      'work_seconds_sum',
      { stage: 'A' },
      every((k) => of * k),
    ),
    series(
      'work_seconds_count',
      { stage: 'A' },
      every((k) => count * k),
    ),
  ]
  const squares = (text: string) => Array.from(soundLog(text).squares ?? [])

  test('comes from the buckets of a histogram, to within an eighth, also if it is narrower than they are', () => {
    const narrow = [4, 9, 25].map((k): Service => ({ kind: 'erlang', mean: 300_000, k }))
    const hidden = [...narrow, ...[0.2, 0.5, 1, 2].map((cv): Service => ({ kind: 'lognormal', mean: 300_000, cv }))]
    for (const service of hidden) {
      const times = Array.from({ length: 4000 }, (_, k) => quantileOf(service, (k + 0.5) / 4000) / 1e6)
      const sum = times.reduce((all, time) => all + time, 0)
      const buckets = [...bounds, Infinity].map((le) => {
        const below = times.filter((time) => time <= le).length
        return series(
          'work_seconds_bucket',
          { stage: 'A', le: le === Infinity ? '+Inf' : `${le}` },
          every((k) => below * k),
        )
      })
      const found = squares(answer(queue, ...buckets, ...sums(sum, times.length)))
      expect(found).toHaveLength(SAMPLES)
      const mean = sum / times.length
      const cv = Math.sqrt(times.reduce((all, time) => all + time * time, 0) / times.length / (mean * mean) - 1)
      for (const square of found)
        expect(Math.abs(Math.sqrt(square / 1e12 / (mean * mean) - 1) / cv - 1), JSON.stringify(service)).toBeLessThan(
          1 / 8,
        )
    }
  })

  test('is narrow if one bucket has all times', () => {
    const one = [...bounds, Infinity].map((le) =>
      series(
        'work_seconds_bucket',
        { stage: 'A', le: le === Infinity ? '+Inf' : `${le}` },
        every((k) => (le < 0.5 ? 0 : 1000 * k)),
      ),
    )
    for (const square of squares(answer(queue, ...one, ...sums(375, 1000)))) {
      const cv = Math.sqrt(square / 1e12 / 0.375 ** 2 - 1)
      expect(cv).toBeGreaterThan(0.05)
      expect(cv).toBeLessThan(0.2)
    }
  })

  test('is unknown without the last bucket, and without a sum', () => {
    const some = series(
      'work_seconds_bucket',
      { stage: 'A', le: '1' },
      every((k) => 3 * k),
    )
    expect(squares(answer(queue, some, ...sums(1, 4)))).toEqual([])
  })

  test('comes from the quantiles of a summary too', () => {
    const quantiles = ['0.5', '0.95', '0.99'].map((quantile, q) =>
      series(
        'work_seconds',
        { stage: 'A', quantile },
        every(() => 0.1 * (q + 1)),
      ),
    )
    const log = soundLog(answer(queue, ...quantiles, ...sums(1, 4)))
    expect([log.p95?.[3], log.p99?.[3]].map((each) => Math.round(each ?? 0))).toEqual([200_000, 300_000])
    expect(log.completed?.[3]).toBe(12)
  })
})
