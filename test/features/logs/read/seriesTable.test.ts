import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tableIn } from '../../../../src/features/logs/read/csvTable.ts'
import { looksLikeLog } from '../../../../src/features/logs/read/readLog.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { readLog, rowsOf, soundLog } from './logFiles.ts'

/** Time in seconds since the first row, stage, queue, service time in seconds, workers. */
const plainRows = (text: string) => {
  const log = soundLog(text)
  return rowsOf(log).map(({ time, stage, queue, service, workers }) => [
    (time - log.origin) / 1e6,
    stage,
    queue,
    service / 1e6,
    workers,
  ])
}
const problemsOf = (text: string) =>
  readLog(text).problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const line = (...cells: string[]) => cells.map(quoted).join(',')

const expected = [
  [0, 'encode', 12, 0.035, 2],
  [0, 'resize', 1200, 1.5, 4],
  [15, 'encode', 13, 0.036, 2],
  [15, 'resize', 1300, 1.25, 4],
]
const names = ['encode', 'resize'].flatMap((stage) =>
  ['queue_length', 'work_seconds', 'workers'].map((name) => `${name}{stage="${stage}"}`),
)

describe('a CSV of series', () => {
  test('has a column a series: raw values, times in milliseconds, and a line for spreadsheets', () => {
    const rows = ['1772442000000,12,0.035,2,1200,1.5,4', '1772442015000,13,0.036,2,1300,1.25,4']
    const text = [line('Time', ...names), ...rows].join('\r\n')
    expect(plainRows(text)).toEqual(expected)
    expect(plainRows(`sep=,\r\n${text}`)).toEqual(expected)
    expect([looksLikeLog(new TextEncoder().encode(text)), tableIn(new TextEncoder().encode(text), true)]).toEqual([
      true,
      null,
    ])
  })

  test('may have values with units', () => {
    const rows = ['2026-03-02 09:00:00,12,35 ms,2,1.2 K,1.50 s,4', '2026-03-02 09:00:15,13,36 ms,2,1.30 K,1.25 s,4']
    const text = [line('Time', ...names), ...rows].join('\n')
    expect(plainRows(text)).toEqual(expected)
    // The unit in the cell counts, not that of the name.
    expect(plainRows(text.replaceAll('work_seconds', 'work_ms'))).toEqual(expected)
  })

  test('may have a name a row, and results of several queries below each other', () => {
    const long = names.flatMap((name, k) => [
      `2026-03-02 09:00:00,${quoted(name)},${[12, 0.035, 2, 1200, 1.5, 4][k]}`,
      `2026-03-02 09:00:15,${quoted(name)},${[13, 0.036, 2, 1300, 1.25, 4][k]}`,
    ])
    expect(plainRows([line('Time', 'Metric', 'Value'), ...long].join('\n'))).toEqual(expected)
    const below = names.map((name, k) =>
      [
        line('Time', name),
        `1772442000000,${[12, 0.035, 2, 1200, 1.5, 4][k]}`,
        `1772442015000,${[13, 0.036, 2, 1300, 1.25, 4][k]}`,
        '',
      ].join('\n'),
    )
    expect(plainRows(below.join('\n'))).toEqual(expected)
  })

  test.each([
    ['encode queue,encode latency (ms),encode workers,resize queue,resize latency (ms),resize workers', '35', '1500'],
    [
      'queue: encode,duration_s: encode,workers: encode,queue: resize,duration_s: resize,workers: resize',
      '0.035',
      '1.5',
    ],
  ])('may have plain names that make a grid of stages and measures: %s', (headings, first, second) => {
    expect(plainRows(`Time,${headings}\n1772442000000,12,${first},2,1200,${second},4\n`)).toEqual(expected.slice(0, 2))
  })

  test('leaves out an empty cell, and keeps the value before', () => {
    const text = [line('Time', ...names), '1772442000000,12,0.035,2,1200,1.5,4', '1772442015000,,NaN,,1300,,'].join(
      '\n',
    )
    expect(plainRows(text).slice(2)).toEqual([
      [15, 'encode', 12, 0.035, 2],
      [15, 'resize', 1300, 1.5, 4],
    ])
  })

  test.each([
    [
      'columns that do not say what they measure',
      line('Time', 'a{stage="x"}', 'replicas'),
      'found the names "replicas"',
    ],
    [
      'names of rows that do not',
      `${line('Time', 'Metric', 'Value')}\n1772442000000,encode,3`,
      'found the names "encode"',
    ],
    ['a column twice', line('Time', names[0], names[0]), 'have the same meaning; allowed: one column for each'],
    [
      'an unknown unit',
      `${line('Time', names[0])}\n1772442000000,3 parsecs`,
      'line 2: found "3 parsecs"; allowed: a number, or one with a unit',
    ],
    [
      'a thousands comma',
      `${line('Time', names[0])}\n1772442000000,"1,234"`,
      'line 2: found "1,234"; allowed: a number',
    ],
    [
      'a unit that comes and goes',
      `${line('Time', names[1])}\n1772442000000,3 ms\n1772442015000,4`,
      'line 3: found "4"; allowed: a unit for all',
    ],
    ['a time of no day', `${line('Time', names[0])}\n17,3`, 'line 2: time found "17"; allowed: seconds'],
    ['times that run back', `${line('Time', names[0])}\n1772442015000,3\n1772442000000,3`, 'line 3: time runs back'],
    ['a row too short', `${line('Time', ...names)}\n1772442000000,3`, 'line 2: has 2 cells; allowed: 7'],
  ])('is refused with a reason, never guessed: %s', (_, text, message) => {
    expect(problemsOf(text).join('\n')).toContain(message)
  })

  test('has bare times in milliseconds or seconds since 1970, or in the unit of its heading', () => {
    const origin = (heading: string, time: string) =>
      soundLog([line(heading, ...names.slice(0, 2)), `${time},1,1`].join('\n')).origin
    const at = 1772442000_000_000
    expect([origin('Time', '1772442000000'), origin('Time', '1772442000'), origin('Time', '1772442000.5')]).toEqual([
      at,
      at,
      at + 500_000,
    ])
    expect([origin('Time', '100000000000'), origin('Time', '1000000000')]).toEqual([1e14, 1e15])
    expect([origin('time_ms', '5'), origin('Time (s)', '5'), origin('Time', '2026-03-02 09:00:00Z')]).toEqual([
      5000,
      5_000_000,
      at,
    ])
    expect(problemsOf([line('Time', names[0]), '999999999,1'].join('\n')).join()).toContain(
      'line 2: time found "999999999"',
    )
  })

  test('has a name for each series, and at most 4,096 of them', () => {
    const many = (count: number) =>
      ['Time,Metric,Value', ...Array.from({ length: count }, (_, k) => `1772442000000,"a{stage=""${k}""}",1`)].join(
        '\n',
      )
    expect(problemsOf(many(4097))).toEqual(['series: more than 4,096'])
    const unclear = [line('Time', 'a{b="c"}', 'd', 'e', 'f', 'g', 'h'), '1772442000000,1,1,1,1,1,1'].join('\n')
    expect(problemsOf(unclear)).toEqual([
      'found the names "d", "e", "f" and "g"; allowed: names such as queue_length{stage="encode"} (in Grafana the legend Verbose)',
    ])
    expect(problemsOf([line('Time', names[0]), '1772442000000,1', line('Time', 'x')].join('\n')).join()).toMatch(
      /^line 3: found the names "x"; allowed: names such as queue_length/,
    )
  })

  test('has a unit for all of its times, whatever is not measured', () => {
    const text = (first: string, second: string) =>
      [line('Time', names[0], names[1]), `1772442000000,1,${first}`, `1772442015000,1,${second}`].join('\n')
    expect(problemsOf(text('NaN', '3 ms'))).toEqual([])
    expect(problemsOf(text('3 ms', '-'))).toEqual([])
    expect(plainRows(text('3 ms', '2 s').replace('work_seconds', 'work_seconds_seen'))).toEqual([
      [0, 'encode', 1, 0.003, -1],
      [15, 'encode', 1, 2, -1],
    ])
  })

  test('makes the log that the same series make as an answer of Prometheus', () => {
    const stage = fc.constantFrom('a', 'b c', 'q"q', 'x,y', 'ü;}')
    const value = fc.integer({ min: 0, max: 5000 })
    fc.assert(
      fc.property(
        fc.uniqueArray(stage, { minLength: 1, maxLength: 4 }),
        fc.array(fc.array(fc.option(value), { minLength: 12, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(',', ';', '\t'),
        fc.boolean(),
        (stages, times, mark, long) => {
          const series = stages.flatMap((name, s) =>
            ['queue_length', 'work_seconds', 'workers'].map((measure, m) => ({
              metric: { __name__: measure, stage: name },
              values: times
                .map((all, k) => [1772442000 + 5 * k, all[3 * s + m]] as const)
                .flatMap(([at, n]) => (n === null ? [] : [[at, spelled(n, m)] as const])),
            })),
          )
          const answer = JSON.stringify({
            status: 'success',
            data: { resultType: 'matrix', result: series.filter(({ values }) => values.length > 0) },
          })
          const titles = series.map(
            ({ metric }) => `${metric.__name__}{stage="${metric.stage.replaceAll('"', '\\"')}"}`,
          )
          const comma = (text: string) => (mark === ',' ? text : text.replace('.', ','))
          const text = long
            ? [
                ['Time', 'Metric', 'Value'].join(mark),
                ...series.flatMap(({ values }, k) =>
                  values.map(([at, n]) => [at * 1000, quoted(titles[k]), quoted(comma(n))].join(mark)),
                ),
              ]
            : [
                ['Time', ...titles].map(quoted).join(mark),
                ...times.map((_, k) => {
                  const at = 1772442000 + 5 * k
                  return [
                    at * 1000,
                    ...series
                      .map(({ values }) => comma(values.find(([time]) => time === at)?.[1] ?? ''))
                      .map((cell) => (cell === '' ? '' : quoted(cell))),
                  ].join(mark)
                }),
              ]
          const [one, other] = [readLog(text.join('\n')), readLog(answer)].map((read) =>
            'log' in read ? rowsOf(read.log) : 'refused',
          )
          expect(one).toEqual(other)
        },
      ),
      { numRuns: repeats(150) },
    )
  })
})

/** Services have decimals, so that the mark before them shows. */
function spelled(n: number, measure: number): string {
  return measure === 1 ? ((n + 1) / 16 + 0.0625).toFixed(4) : String(n % 80)
}
