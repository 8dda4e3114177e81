import { beforeAll, describe, expect, test } from 'vitest'
import { looksLikeLog } from '../../../../src/features/logs/read/readLog.ts'
import { formatNames, spanFormatOf } from '../../../../src/features/spans/read/spanFormats.ts'
import { asCsv, asExposition, asRangeQuery, etl, type Watched, watched } from '../etl.ts'
import { readLog, rowsOf, soundLog } from './logFiles.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
let system: Watched
beforeAll(async () => {
  system = await watched(etl(300))
})

describe('the counts of series', () => {
  test('are those of the system, by their own counters or by those of the services', () => {
    for (const text of [asRangeQuery(system), asRangeQuery(system, null), asExposition(system)]) {
      const log = soundLog(text, 1 << 20)
      const last = log.stages.map((_, s) => log.completed?.[log.stage.subarray(0, log.length).lastIndexOf(s)])
      expect(last).toEqual([300, 300, 300, 300])
    }
  })

  test('are those of a CSV at every time, of a counter that starts again too', () => {
    const counts = (text: string) => {
      const log = soundLog(text, 1 << 20)
      return new Map(
        Array.from({ length: log.length }, (_, i) => [
          `${log.origin + log.time[i]} ${log.stages[log.stage[i]]}`,
          log.completed?.[i],
        ]),
      )
    }
    const csv = counts(asCsv(system))
    for (const [at, jobs] of counts(asRangeQuery(system))) expect(csv.get(at), at).toBe(jobs)
    const restarted = {
      ...system,
      completed: system.completed.map((each, k) =>
        k < 20 ? each : each.map((jobs, s) => jobs - system.completed[19][s]),
      ),
    }
    for (const [at, jobs] of counts(asRangeQuery(restarted))) expect(csv.get(at), at).toBe(jobs)
  })
})

describe('the text that Prometheus scrapes', () => {
  test('is a log, with the rows of the answer to a range query', () => {
    expect(looksLikeLog(bytesOf(asExposition(system)))).toBe(true)
    expect(rowsOf(soundLog(asExposition(system), 1 << 20))).toEqual(rowsOf(soundLog(asRangeQuery(system), 1 << 20)))
    expect(rowsOf(soundLog(asExposition(system).replace(/# .*\n/g, ''), 4096))).toEqual(
      rowsOf(soundLog(asRangeQuery(system), 1 << 20)),
    )
  })

  test('of one scrape has the queues of then, and the means since the process began', () => {
    const rows = rowsOf(soundLog(asExposition(system, 20)))
    expect(rows.map(({ stage, queue, workers }) => [stage, queue, workers])).toEqual(
      ['enrich', 'fetch', 'parse', 'store'].map((name) => [
        name,
        system.queue[20][system.names.indexOf(name)],
        system.workers[system.names.indexOf(name)],
      ]),
    )
    for (const { stage, service } of rows) {
      const s = system.names.indexOf(stage)
      expect(service / 1e6).toBeCloseTo(system.took[20][s] / system.completed[20][s], 9)
    }
  })

  test('may have exemplars, odd labels and times in seconds; a line of another form is named', () => {
    const text = `# TYPE queue gauge
queue{stage="a}\\"b"} 3 1700000000.5
queue{stage="a}\\"b"} 4 1700000001.5 # {trace_id="x"} 0.5
service_seconds{stage="a}\\"b"} 0.25 1700000000.5
service_seconds{stage="a}\\"b"} NaN 1700000001.5
service_seconds{stage="a}\\"b"} quick
# EOF
`
    const read = readLog(text)
    expect('log' in read && rowsOf(read.log)).toEqual([
      { time: 1_700_000_000_500_000, stage: 'a}"b', queue: 3, service: 250_000, workers: -1 },
      { time: 1_700_000_001_500_000, stage: 'a}"b', queue: 4, service: 250_000, workers: -1 },
    ])
    expect(read.problems).toEqual([
      { path: 'line 6', message: expect.stringMatching(/^found "service_seconds.*; allowed: .* and a number$/) },
    ])
  })
})

describe('spans', () => {
  test.each([
    ['OpenTelemetry (OTLP JSON)', '{"resourceSpans":[{"resource":{},"scopeSpans":[]}]}'],
    ['Chrome Trace Event', '{"displayTimeUnit":"ms","traceEvents":[{"name":"fetch"}]}'],
    ['Chrome Trace Event', '[{"name":"fetch","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}]'],
    ['Jaeger', '{"data":[{"traceID":"1","spans":[{"operationName":"fetch"}]}]}'],
    ['Zipkin', '[{"traceId":"1","id":"2","name":"fetch","timestamp":1,"duration":2}]'],
  ])('of %s are refused with a reason', (format, text) => {
    expect(formatNames[spanFormatOf(text) ?? 'lines']).toBe(format)
    expect(readLog(text).problems.map(({ message }) => message)).toEqual([
      `has spans (${format}), not a log; open it as a trace, or use the command import`,
    ])
  })

  test('are not what a log or a record is', () => {
    for (const text of [
      '{"traceId":"1","id":2,"message":"done"}\n',
      '[{"time":0,"stage":"A"}]',
      '{"status":"success","data":{}}',
      'time,stage\n',
      '# TYPE a gauge\n',
    ])
      expect(spanFormatOf(text), text).toBeNull()
  })
})
