import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLogReader, looksLikeLog } from '../../../../src/features/logs/read/readLog.ts'
import { CLOCK_END } from '../../../../src/scenario/model/limits.ts'
import { repeats } from '../../../fixtures/extent.ts'
import {
  anyRows,
  csvOf,
  linesOf,
  type PlainRow,
  rangeQueryOf,
  readLog,
  recordsOf,
  rowsOf,
  soundLog,
} from './logFiles.ts'

const near = (rows: readonly PlainRow[]) =>
  rows.map((row) => ({ ...row, service: Math.round(row.service * 1e6) / 1e6 }))
const sorted = (rows: readonly PlainRow[]) => [...rows].sort((a, b) => a.time - b.time || (a.stage < b.stage ? -1 : 1))

/** What Prometheus answers to a query that it cannot parse. */
const FAILED =
  '{"status":"error","errorType":"bad_data","error":"invalid parameter \\"query\\": 1:5: parse error: unexpected \\"stages\\""}'

describe('a log that was written by hand', () => {
  test('is read as it was written, as CSV, list, lines or series, wherever the file is cut', () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 90 }), (rows, size) => {
        for (const text of [
          csvOf(rows),
          csvOf(rows, ';', '\r\n'),
          csvOf(rows, '\t'),
          `\ufeff${csvOf(rows)}\n`,
          linesOf(rows),
          JSON.stringify(recordsOf(rows)),
          JSON.stringify(recordsOf(rows), null, 2),
        ]) {
          for (const part of [1 << 20, size, 1]) expect(near(rowsOf(soundLog(text, part)))).toEqual(rows)
        }
        for (const part of [1 << 20, size, 1])
          expect(sorted(rowsOf(soundLog(rangeQueryOf(rows), part)))).toEqual(sorted(rows))
      }),
      { numRuns: repeats(60) },
    )
  })

  test('is recognised by its first bytes', () => {
    const head = (text: string) => looksLikeLog(new TextEncoder().encode(text).slice(0, 4096))
    const rows = [{ time: 0, stage: 'A', queue: 1, service: 2, workers: 3 }]
    const logs = [
      csvOf(rows),
      csvOf(rows, ';'),
      linesOf(rows),
      JSON.stringify(recordsOf(rows)),
      rangeQueryOf(rows),
      'stage;time\nA;1',
      FAILED,
    ]
    const oddly = [
      '\ufeff{"time":0,"stage":"A"}',
      '  \n[{"time":0,"stage":1}',
      '{ "status":"success","data":{"resultType" :',
      'sep=;\nstage;time',
      '  time,stage',
    ]
    for (const text of [...logs, ...oddly]) expect(head(text), text).toBe(true)
    const objects = [
      '{"format":"apportion-trace"}',
      '{"version":1,"stages":[]}',
      '{"ts":1,"level":"info"}\n',
      '[1,2]',
      '{"status":"ok"}',
      '{"data":5}',
    ]
    const others = [
      '',
      'hello',
      'a,b,c',
      'time,queue',
      '{"a":{"status":1,"resultType":2}}',
      'a\ntime,stage',
      'x{"time":0,"stage":1}',
    ]
    for (const text of [...objects, ...others]) expect(head(text), text).toBe(false)
  })
})

const HEADER = 'time,stage,queue,service_ms,workers\n'
const one = '0,A,3,1.5,2\n'
const problemsOf = (text: string | Uint8Array) =>
  readLog(text).problems.map(({ path, message }) => `${path}: ${message}`)

describe('times', () => {
  const times = (head: string, ...cells: string[]) => {
    const read = readLog(`${head},stage,queue,service_ms\n${cells.map((cell) => `${cell},A,1,1`).join('\n')}`)
    if (!('log' in read) || read.bad > 0) throw new Error(JSON.stringify(read.problems))
    return [read.log.origin, ...read.log.time]
  }
  test('are seconds, milliseconds since 1970, dates, or what the heading says', () => {
    expect(times('time', '0', '0.25', '3')).toEqual([0, 0, 250_000, 3_000_000])
    expect(times('timestamp', '1730000000.125', '1730000001')).toEqual([1_730_000_000_125_000, 0, 875_000])
    expect(times('time', '1730000000125', '1730000001000')).toEqual([1_730_000_000_125_000, 0, 875_000])
    expect(times('Time (ms)', '5', '7.5')).toEqual([5000, 0, 2500])
    expect(times('time_us', '5', '7')).toEqual([5, 0, 2])
    const iso = ['2024-10-27T03:33:20.125Z', '2024-10-27 03:33:21', '2024-10-27T05:33:22+02:00', '2024-10-28']
    expect(times('time', ...iso)).toEqual([1_730_000_000_125_000, 0, 875_000, 1_875_000, 73_599_875_000])
  })
})

describe('a bad row', () => {
  test('is named by its line, with what was found and what is allowed, and left out', () => {
    const faults: [string, RegExp][] = [
      ['2023-02-29,A,1,1,1', /time found "2023-02-29"; allowed: seconds/],
      ['1,A,abc,1,1', /queue found "abc"; allowed: a whole number from 0 to 1,000,000,000/],
      ['1,A,-1,1,1', /queue found "-1"/],
      ['1,A,1.5,1,1', /queue found "1.5"/],
      ['1,A,1e99,1,1', /queue found "1e99"/],
      ['1,A,,1,1', /queue found nothing/],
      ['1,A,1,0,1', /service found "0"; allowed: a time above 0/],
      ['1,A,1,1e300,1', /service found "1e300"/],
      ['1,B,1,,1', /service found nothing; allowed: a time above 0/],
      ['1,A,1,1,-1', /workers found "-1"; allowed: a whole number from 0 to 10,000/],
      ['1,A,1,1,10001', /workers found "10001"/],
      ['1,A,1,1,2.5', /workers found "2.5"/],
      ['-1,A,1,1,1', /time runs back or repeats; allowed: rows in order of time/],
      ['0,A,1,1,1', /"A" is listed twice/],
      ['1,,1,1,1', /stage found nothing; allowed: a name/],
      [`1,${'n'.repeat(81)},1,1,1`, /stage found "nnnn.*allowed: a name of 1 to 80/],
      ['1,A,1,1', /has 4 cells; allowed: 5/],
      ['1,A,1,1,1,1', /has 6 cells; allowed: 5/],
      ['1,"A"x,1,1,1', /a quote is not closed, or there is text after it/],
    ]
    for (const [row, message] of faults) {
      const text = `${HEADER}${one}\n${row}\n7,A,5,1,1\n`
      const read = readLog(text)
      expect(problemsOf(text), row).toEqual([expect.stringMatching(new RegExp(`^line 4: ${message.source}`))])
      if (!('log' in read)) throw new Error(row)
      expect([read.bad, read.log.length], row).toEqual([1, 2])
    }
  })

  test('that spans several lines counts them all, and of many equal ones the first is shown with their number', () => {
    expect(problemsOf(`note,${HEADER}"two\nlines",${one}x,1,A,oops,1,1\n`)).toEqual([
      expect.stringMatching(/^line 4: queue found "oops"/),
    ])
    const read = readLog(HEADER + one + '1,A,x,1,1\n'.repeat(250))
    expect([read.problems.map(({ path }) => path), 'bad' in read && [read.bad, read.untold]]).toEqual([
      ['line 3 and 249 more'],
      [250, 0],
    ])
  })

  test('among lines of JSON leaves the next line readable; in a list broken JSON ends the reading', () => {
    const row = (time: number, rest = '') => `{"time":${time},"stage":"A","queue":1,"service_ms":1${rest}}`
    expect(
      problemsOf(
        [
          row(0),
          '{"time":1,"stage":"A',
          row(2),
          'nonsense',
          '{"time":3,',
          row(4, ',"workers":"2"'),
          row(5, ',"workers":true'),
        ].join('\n'),
      ),
    ).toEqual([
      expect.stringMatching(/^line 2: found .* in it; allowed: an object such as/),
      expect.stringMatching(/^line 4: found "nonsense/),
      expect.stringMatching(/^line 5: /),
      expect.stringMatching(/^line 7: workers found "true"/),
    ])
    expect(problemsOf(`[${row(0)},\n{"time":1 "stage"`)).toEqual([expect.stringMatching(/^line 2: found .*stage/)])
    expect(problemsOf(`[${row(0)},${row(1).replace('1', 'x')}]`)).toEqual([
      expect.stringMatching(/^row 2, line 1: time found "x"/),
    ])
    expect(problemsOf(`[${row(0)}`)).toEqual([expect.stringMatching(/the file is cut off at byte/)])
    expect(problemsOf(`[${row(0)}]\n7`)).toEqual([expect.stringMatching(/^line 2: there is more after/)])
    expect(problemsOf('[{"stage":"A","queue":1,"service":1,"time":0}]')).toEqual([
      expect.stringMatching(/the service has no unit; allowed: service_us/),
    ])
  })

  test('makes no stage more, and there are 256 of them at most', () => {
    const read = readLog(`${HEADER}${one}1,B,x,1,1\n`)
    expect('log' in read && read.log.stages).toEqual(['A'])
    const many = HEADER + Array.from({ length: 258 }, (_, k) => `0,s${k},1,1,0`).join('\n')
    expect(problemsOf(many)).toEqual([
      expect.stringMatching(/^line 258 and 1 more: "s256": a pipeline has at most 256 stages/),
    ])
  })
})

describe('a file that is not a log', () => {
  test('is refused with the kind of file it is', () => {
    const files: [string | Uint8Array, RegExp][] = [
      ['', /the file is empty/],
      [' \n\n', /the file is empty/],
      [HEADER, /the file has no rows/],
      [
        'time,queue\n1,2',
        /line 1: found no stage or service; allowed: columns named time \(or time_s, time_ms, time_us, time_days\); stage;/,
      ],
      ['0,A,3,1,2\n1,A,3,1,2', /line 1: found no time, stage, queue or service/],
      ['time,stage,queue,waiting,service_ms\n', /line 1: "queue" and "waiting" have the same meaning/],
      ['time,stage,queue,service\n', /line 1: the service has no unit; allowed: service_us, service_ms or service_s/],
      [new Uint8Array([0x1f, 0x8b, 8, 0]), /the file is gzip;/],
      [new Uint8Array([0xff, 0xfe, 0x74, 0]), /the file is UTF-16; allowed: .* UTF-8/],
      [new Uint8Array([0xfe, 0xff, 0, 0x74]), /the file is UTF-16; allowed: .* UTF-8/],
      [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]), /the file cannot be read/],
      [`${HEADER}${one}1,"A,1,1,1\n${'x'.repeat(1_200_000)}`, /line 3: is longer than 1,000,000 bytes/],
      [
        `${HEADER}0,A,1,1,6000\n0,B,1,1,4001\n1,A,1,1,1`,
        /the workers of all stages add up to 10,001 at 0 µs; allowed: 10,000/,
      ],
    ]
    for (const [file, message] of files)
      expect(problemsOf(file), String(file).slice(0, 40)).toEqual([expect.stringMatching(message)])
  })
})

describe('an answer of Prometheus', () => {
  /** `samples`: such as `1:4 2:NaN`. */
  const series = (name: string, stage: string, samples: string) => {
    const values = samples.split(' ').map((sample) => [Number(sample.split(':')[0]), sample.split(':')[1]])
    return { metric: { __name__: name, stage }, values }
  }
  const answer = (result: unknown[], data = {}) =>
    JSON.stringify({ status: 'success', data: { resultType: 'matrix', result, ...data } })
  test('stands as it stood where a series is silent or has nothing to measure', () => {
    const a = [series('queue', 'A', '1:4 3:6'), series('service_seconds', 'A', '1:0.5 2:NaN 3:0.25')]
    const log = soundLog(answer([...a, series('queue', 'B', '2:1'), series('service_seconds', 'B', '1:2')]))
    expect(
      rowsOf(log).map(({ time, stage, queue, service, workers }) => [time / 1e6, stage, queue, service, workers]),
    ).toEqual([
      [1, 'A', 4, 500_000, -1],
      [2, 'A', 4, 500_000, -1],
      [2, 'B', 1, 2_000_000, -1],
      [3, 'A', 6, 250_000, -1],
    ])
  })
  test('that failed, or has no queue and no service time, is refused', () => {
    const cases: [string, RegExp][] = [
      ['{"status":"error","errorType":"bad_data","error":"parse error"}', /the query failed: "parse error"/],
      [
        '{"status": "error", "errorType": "bad_data", "error": "parse error at char 3"}\n',
        /the query failed: "parse error at char 3"/,
      ],
      [answer([{ metric: {}, histograms: [] }]), /found no queue; allowed: a queue and a service time/],
    ]
    for (const [text, message] of cases) expect(problemsOf(text), text).toEqual([expect.stringMatching(message)])
  })
})

describe('what was counted', () => {
  test('is kept where it is a number from 0 on, and null where no row says it', () => {
    const read = readLog('time,stage,queue,service_ms,completed\n0,A,1,1,7\n1,A,1,1,\n2,A,1,1,yes\n3,A,1,1,12\n')
    if (!('log' in read)) throw new Error('the log cannot be read')
    expect([read.bad, read.log.arrivals, Array.from(read.log.completed ?? [])]).toEqual([
      0,
      null,
      [7, Number.NaN, Number.NaN, 12],
    ])
  })
})

describe('a value at its bound', () => {
  const problem = (row: string, header = 'time_us,stage,queue,service_us,workers') =>
    problemsOf(`${header}\n${row}\n`).join()

  test('is taken, and the next one is not', () => {
    for (const row of [
      '0,A,1000000000,1,1',
      '0,A,0,1,10000',
      `0,${'n'.repeat(80)},1,1,0`,
      `0,A,1,${CLOCK_END - 1},1`,
      `${CLOCK_END - 1},A,1,1,1`,
    ])
      expect(problem(row), row).toBe('')
    expect(problem('0,A,1000000001,1,1')).toMatch(/^line 2: queue found "1000000001"/)
    expect(problem(`0,A,1,${CLOCK_END},1`)).toMatch(/^line 2: service found/)
    expect(problem('0,A,1,-0.5,1')).toMatch(/^line 2: service found "-0.5"; allowed: a time above 0/)
    expect(problem(`${CLOCK_END},A,1,1,1`)).toMatch(/^line 2: time found/)
    expect(problem(`-${CLOCK_END},A,1,1,1`)).toMatch(/^line 2: time found/)
    expect(problem(`0,${'😀'.repeat(80)},1,1,1`)).toBe('')
    expect(problem(`0,${'😀'.repeat(81)},1,1,1`)).toMatch(/^line 2: stage found/)
  })

  test('of all workers together is checked at each time, the last as well, without those of which the log says nothing', () => {
    const most = 'the workers of all stages add up to 10,001 at'
    expect(problem('0,A,1,1,6000\n0,B,1,1,4000\n0,C,1,1,')).toBe('')
    expect(problem('0,A,1,1,6000\n0,C,1,1,\n0,B,1,1,4001')).toBe(`: ${most} 0 µs; allowed: 10,000`)
    expect(problem('0,A,1,1,6000\n7,B,1,1,4001\n8,A,1,1,1')).toBe(`: ${most} 7 µs; allowed: 10,000`)
    // Within one time a worker may have moved.
    expect(problem('0,A,1,1,6000\n0,B,1,1,4000\n1,B,1,1,4001\n1,A,1,1,5999')).toBe('')
  })

  test('of a bare day of a spreadsheet may be seconds only outside the years 2000 to 2099, or without a time of day', () => {
    const asked = (time: string) =>
      /may be in days or seconds/.test(problem(`${time},A,1,1,1`, 'time,stage,queue,service_us,workers'))
    const times = ['36525.9999', '36526.0001', '36526', '73050.9999', '73051.0001', '40000.125', '40000.1255']
    expect(times.filter(asked)).toEqual(['36526.0001', '73050.9999', '40000.1255'])
  })
})

describe('a row without a value', () => {
  const full = { time: 1, stage: 'A', queue: 1, service_ms: 1 }
  test('is reported with the missing value; null counts as missing', () => {
    for (const [key, what] of [
      ['time', /^line 1: time found nothing; allowed: seconds/],
      ['stage', /^line 1: stage found nothing; allowed: a name/],
      ['queue', /^line 1: queue found nothing; allowed: a whole number/],
      ['service_ms', /^line 1: service found nothing/],
    ] as const)
      for (const row of [
        { ...full, [key]: null },
        Object.fromEntries(Object.entries(full).filter(([name]) => name !== key)),
      ])
        expect(problemsOf(JSON.stringify(row)), JSON.stringify(row)).toEqual([expect.stringMatching(what)])
    expect(problemsOf(' { } ')).toEqual([expect.stringMatching(/^line 1: time found nothing/)])
    expect(soundLog(JSON.stringify({ ...full, stage: 'none', workers: null })).stages).toEqual(['none'])
    expect(problemsOf(JSON.stringify(full).replace('1', 'true'))).toEqual([
      expect.stringMatching(/^line 1: time found "true"/),
    ])
  })

  test('has none where its text has escapes, except in a name', () => {
    expect(soundLog(JSON.stringify(full).replace('"A"', '"\\u0041\\"\\\\"')).stages).toEqual(['A"\\'])
    expect(problemsOf('{"time":"\\u0031","stage":"A","queue":1,"service_ms":1}')).toEqual([
      expect.stringMatching(/^line 1: time found "1"/),
    ])
    expect(problemsOf('{"time":1,"stage":"A","queue":"\\u0031","service_ms":1}')).toEqual([
      expect.stringMatching(/^line 1: queue found "1"/),
    ])
    expect(problemsOf('{"time":1,"stage":"\\q","queue":1,"service_ms":1}')).toEqual([])
  })
})

describe('an object that is none', () => {
  const good = '{"time":0,"stage":"A","queue":1,"service_ms":1}'
  const allowed = 'in it; allowed: an object such as {"time": 0, "stage": "A", "queue": 3, "service_ms": 1.5}'

  test.each([
    ['{5:1}', '"5:1}"'],
    ['{"time" 1}', '"1}"'],
    ['{"time":}', '"}"'],
    ['{"time":1,}', '"}"'],
    ['{,}', '",}"'],
    ['nonsense and more of it', '"nonsense and"'],
  ])('%s is named at its fault', (text, fault) => {
    const read = readLog(`${good}\n\n${text}\n`)
    const [problem] = read.problems
    expect(['log' in read && read.log.length, read.problems.length, problem.path]).toEqual([1, 1, 'line 3'])
    // Up to twelve bytes are shown, the end of the line among them.
    expect(problem.message).toContain(`found ${fault.slice(0, -1)}`)
    expect(problem.message).toContain(allowed)
  })

  test('is cut off where the file ends, wherever that is', () => {
    const cutOff = '{"time" : 0 , "stage" : "A" , "queue" : 1'
    for (let length = 1; length <= cutOff.length; length++)
      expect(problemsOf(`${good}\n${cutOff.slice(0, length)}`), cutOff.slice(0, length)).toEqual([
        'line 2: this is not JSON, or it is cut off',
      ])
  })

  test('ends the reading in a list, in which commas do no harm', () => {
    expect(problemsOf(`[,${good},,${good.replace('0', '1')},]`)).toEqual([])
    expect(problemsOf(`${good}\n\n[${good}]`)).toEqual([expect.stringMatching(/^line 3: found "\[\{/)])
    expect(problemsOf(`[\n[${good}]]`)).toEqual([expect.stringMatching(/^line 2: found "\[\{/)])
    expect(problemsOf(`[${good}\n,{"time":1`)).toEqual(['line 2: this is not JSON, or it is cut off'])
    expect(
      problemsOf(`[\n${good},\n{"time":\n0,"stage":"A","queue":1,"service":1},\n{"time":9}]`).map((problem) =>
        problem.slice(0, 24),
      ),
    ).toEqual(['row 2, line 3: the servi', 'row 3, line 5: queue fou'])
  })

  test('is not searched forever', () => {
    expect(problemsOf(`${good}\n{"time":"${'x'.repeat(1_100_000)}`)).toEqual(['line 2: is longer than 1,000,000 bytes'])
    expect(
      problemsOf(`${good}\n{"note":"${'x'.repeat(900_000)}","time":1,"stage":"A","queue":1,"service_ms":1}`),
    ).toEqual([])
  })
})

describe('a CSV', () => {
  const cells = (row: string) =>
    rowsOf(soundLog(`stage,time,queue,service_ms,workers${row}`)).map(({ stage, workers }) => [stage, workers])

  test('may have space and quotes around cells, and empty lines, at its end too', () => {
    expect(cells('\n  "A" , 0 ,1, 1 ,"2"')).toEqual([['A', 2]])
    expect(cells('\r\n"a ""b"" c" ,0,1,1,"2" \r\n \r\n""\n\n"d\r\n",1,"1","1","3"\r\n')).toEqual([
      ['a "b" c', 2],
      ['d', 3],
    ])
    expect(cells('\nA,0,1,1, \nA,1,1,1,  7')).toEqual([
      ['A', -1],
      ['A', 7],
    ])
  })

  test.each(['"A,0,1,1,2', '"A"",0,1,1,2', '"A"x,0,1,1,2', '"A" x,0,1,1,2', 'A,0,1,1,"2'])(
    'with the row %s says that its quote is not closed',
    (row) => {
      const torn = 'a quote is not closed, or there is text after it'
      expect(problemsOf(`stage,time,queue,service_ms,workers\nB,0,1,1,2\n${row}`)).toEqual([`line 3: ${torn}`])
    },
  )

  test('may begin with more blanks than come at once', () => {
    const reader = createLogReader()
    for (const part of [' '.repeat(4096), ' \n'.repeat(3000), `${HEADER}0,A,1,1,2\n`, '1,A,1,x,2\n'])
      expect(reader.push(new TextEncoder().encode(part))).toBe(true)
    expect(reader.end()).toMatchObject({ log: { length: 1 }, bad: 1, problems: [{ path: 'line 3,003' }] })
  })

  test('has at most a thousand columns, and headings that may be long', () => {
    const wide = (count: number) =>
      `${HEADER.trim()}${Array.from({ length: count }, (_, k) => `,c${k}`).join('')}\n0,A,1,1,2${',x'.repeat(count)}\n`
    expect(problemsOf(wide(995))).toEqual([])
    expect(problemsOf(wide(996))).toEqual(['columns: more than 1,000'])
    expect(soundLog(`${'n'.repeat(9000)},${HEADER}x,${one}`, 1000).length).toBe(1)
  })
})
