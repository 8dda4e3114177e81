import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logOf } from '../../../src/trace/logs/readLog.ts'
import { guessMapping, type Role } from '../../../src/trace/logs/seriesRoles.ts'
import { readLog, readSeries, rowsOf, soundLog } from './logFiles.ts'

/** Samples at these seconds; no sample where there is no value. */
const values = (all: readonly (number | null)[]) => all.flatMap((value, k) => (value === null ? [] : [[k + 1, String(value)]]))
const series = (name: string, labels: object, all: readonly (number | null)[]) => ({ metric: { __name__: name, ...labels }, values: values(all) })
const answer = (...result: object[]) => JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } })
const problemsOf = (text: string) => readLog(text).problems.map(({ path, message }) => `${path}: ${message}`)
/** Time in seconds, queue, service time in seconds, workers. */
const plainRows = (text: string) => rowsOf(soundLog(text)).map(({ time, queue, service, workers }) => [time / 1e6, queue, service / 1e6, workers])
const notesOf = (text: string) => {
  const read = readLog(text)
  return 'notes' in read ? read.notes : []
}

describe('series without names', () => {
  test('are told apart by another label, as the queries of the docs give it', () => {
    const measured = (measure: string, stage: string, all: readonly number[]) => ({ metric: { measure, stage }, values: values(all) })
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

describe('a sum and its count', () => {
  const queue = series('jobs_waiting', { stage: 'Fetch' }, [3, 4, 5, 6])
  const sum = series('work_seconds_sum', { stage: 'Fetch' }, [100, 106, 106, 2])
  const count = series('work_seconds_count', { stage: 'Fetch' }, [50, 60, 60, 4])
  const buckets = ['0.1', '1', '+Inf'].map((le) => series('work_seconds_bucket', { stage: 'Fetch', le }, [1, 2, 3, 4]))

  test('are the mean of what came between two samples; a count that falls has begun anew', () => {
    const text = answer(queue, ...buckets, sum, count)
    // Nothing is known before the second sample, and nothing was served before the third.
    expect(plainRows(text)).toEqual([
      [2, 4, 0.6, -1],
      [3, 5, 0.6, -1],
      [4, 6, 0.5, -1],
    ])
    expect(notesOf(text)).toEqual(['Service times are what the sums grew by, over what the counts grew by.'])
  })

  test('stand in the samples of a native histogram too', () => {
    const sums = [100, 106, 106, 2]
    const histograms = [50, 60, 60, 4].map((each, k) => [k + 1, { count: String(each), sum: String(sums[k]), buckets: [[0, '0', '1', '3']] }])
    const native = (name: string) => ({ metric: { __name__: name, stage: 'Fetch' }, histograms })
    expect(plainRows(answer(queue, native('work_seconds')))).toEqual(plainRows(answer(queue, sum, count)))
    expect(problemsOf(answer(native('queue_length'), sum, count))).toEqual(['data.result[0]: queue_length is a histogram; allowed: as a service time'])
    const twice = { ...native('work_seconds'), values: [[1, '2']] }
    expect(problemsOf(answer(queue, twice)).join()).toMatch(/stand beside (numbers|histograms); allowed: one of both/)
    const [, second] = histograms
    expect(problemsOf(answer(queue, { ...native('work_seconds'), histograms: [[1, '5'], second] })).join()).toMatch(/found .*a sample of a histogram/)
  })

  test('of waiting times or sizes are no service, and neither is a count or a quantile by itself', () => {
    const rolesOf = (...all: object[]): readonly Role[] => guessMapping(readSeries(answer(...all))).mapping.roles
    const named = (name: string, labels = {}) => series(name, { stage: 'A', ...labels }, [1, 2])
    expect(rolesOf(named('queue_wait_seconds_sum'), named('queue_wait_seconds_count'))).toEqual(['nothing'])
    expect(rolesOf(named('response_bytes_sum'), named('response_bytes_count'))).toEqual(['nothing'])
    expect(rolesOf(named('work_seconds_count'))).toEqual(['nothing'])
    expect(rolesOf(named('work_seconds_sum'))).toEqual(['nothing'])
    expect(rolesOf(named('process_cpu_seconds_total'))).toEqual(['nothing'])
    expect(rolesOf(named('work_seconds', { quantile: '0.5' }))).toEqual(['nothing'])
    expect(rolesOf(named('jobs_queue_count'))).toEqual(['queue'])
    expect(rolesOf(named('work_ms_sum'), named('work_ms_count'))).toEqual(['service_ms'])
  })

  test('a counter that somebody calls a service time is refused in words', () => {
    const file = readSeries(answer(queue, count))
    expect(guessMapping(file).certain).toBe(false)
    expect(logOf(file, { stageLabel: 'stage', roles: ['queue', 'service_s'] }).problems).toEqual([
      { path: 'data.result[1]', message: 'work_seconds_count counts or adds up, so it is no time; allowed: a mean, or a sum and its count of one name' },
    ])
  })
})

describe('instances of one stage', () => {
  const at = (instance: string) => ({ stage: 'Fetch', instance })

  test('have their queues and workers added, and their service times weighed by their jobs', () => {
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
      [2, 22, 1.9, 5],
      [3, 3, 10, 2],
    ])
    expect(notesOf(text).join()).toMatch(/queues and workers are added, service times weighed by their jobs/)
  })

  test('count alike where only their means are known, and the reader is told', () => {
    const text = answer(
      series('queue_length', { stage: 'Fetch' }, [1]),
      series('service_seconds', at('a'), [1]),
      series('service_seconds', at('b'), [3]),
      series('service_seconds', at('c'), [Number.NaN]),
    )
    expect(plainRows(text)).toEqual([[1, 1, 2, -1]])
    expect(notesOf(text).join()).toMatch(/each service time counts alike, for want of a count/)
  })

  test('two names for one thing are still refused', () => {
    const both = ['queue_length', 'backlog'].map((name) => series(name, { stage: 'A' }, [1]))
    const file = readSeries(answer(...both, series('service_seconds', { stage: 'A' }, [1])))
    expect(logOf(file, { stageLabel: 'stage', roles: ['queue', 'queue', 'service_s'] }).problems).toEqual([
      { path: 'data.result[1]', message: 'is a second queue of stage "A"; allowed: one' },
    ])
  })

  test('whatever they served, begin anew and go, give the mean of the services between two scrapes', () => {
    const step = fc.record({ served: fc.array(fc.integer({ min: 1, max: 64 }), { maxLength: 4 }), restarts: fc.boolean(), alive: fc.boolean() })
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
          fc.pre(!steps.some(({ restarts }, s) => restarts && s > 0 && !steps[s - 1].alive) && !steps.some(({ restarts, alive }) => restarts && !alive))
          return [series('work_seconds_sum', at(String(k)), sums), series('work_seconds_count', at(String(k)), counts)]
        })
        const text = answer(series('queue_length', { stage: 'Fetch' }, [1, 2, 3, 4, 5]), ...exported)
        let last = Number.NaN
        const expected = between.flatMap((all, s) => {
          if (all.length > 0) last = all.reduce((sum, each) => sum + each, 0) / all.length
          return Number.isNaN(last) ? [] : [[s + 1, s + 1, last]]
        })
        if (expected.length === 0) return
        const rows = plainRows(text)
        expect(rows.map(([time, queue]) => [time, queue])).toEqual(expected.map(([time, queue]) => [time, queue]))
        for (const [k, [, , service]] of rows.entries()) expect(service).toBeCloseTo(expected[k][2], 9)
      }),
    )
  })
})
