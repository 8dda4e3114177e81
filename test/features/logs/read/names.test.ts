import { describe, expect, test } from 'vitest'
import { tableIn } from '../../../../src/features/logs/read/csvTable.ts'
import { headingOf } from '../../../../src/features/logs/read/logColumns.ts'
import { gridLabels, labelsIn, seriesLayoutOf } from '../../../../src/features/logs/read/seriesLayout.ts'
import { guessMapping, isCounter, type Role, seriesGroups, stageLabelsOf } from '../../../../src/features/logs/read/seriesRoles.ts'
import { formattedValue } from '../../../../src/features/logs/read/seriesTable.ts'

const heads = (...labels: Readonly<Record<string, string>>[]) => ({ series: labels.map((each) => ({ labels: each })) })

describe('a heading', () => {
  const columns = {
    time: 0,
    timestamp: 0,
    stage: 1,
    queue: 2,
    queue_length: 2,
    waiting: 2,
    service: 3,
    service_time: 3,
    mean_service: 3,
    workers: 4,
    completed: 5,
    arrivals: 6,
  }
  const units = { us: 1, microseconds: 1, ms: 1000, milliseconds: 1000, s: 1e6, seconds: 1e6 }

  test('means a column, and of times the unit behind its name, however it is written', () => {
    for (const [name, column] of Object.entries(columns)) {
      const timed = column === 0 || column === 3
      const plain = { column, scale: timed ? 0 : 1 }
      for (const text of [name, name.toUpperCase(), ` ${name.replaceAll('_', ' ')} `, `(${name.replaceAll('_', '-')})`])
        expect(headingOf(text), text).toEqual(plain)
      for (const [unit, scale] of Object.entries(units))
        for (const text of [`${name}_${unit}`, `${name} (${unit})`, `${name} / ${unit.toUpperCase()}`])
          expect(headingOf(text), text).toEqual(timed ? { column, scale } : null)
      expect(headingOf(`${name}_days`)).toEqual(column === 0 ? { column, scale: 86_400_000_000 } : null)
      for (const text of [`${name}x`, `my_${name}`, `${name}_`.repeat(2), `${name}_toString`, `${name}_h`]) expect(headingOf(text), text).toBeNull()
    }
    expect([headingOf('service_µs'), headingOf('service_μs')]).toEqual([
      { column: 3, scale: 1 },
      { column: 3, scale: 1 },
    ])
    expect(headingOf('')).toBeNull()
  })
})

describe('a column of another name', () => {
  const scaleOf = (name: string) => tableIn(new TextEncoder().encode(`step,backlog,${name}\nA,3,1.5\nB,2,2.5\n`), true)?.headings[2]

  test.each([
    ['latency', 1e6],
    ['latency_us', 1],
    ['latency (µs)', 1],
    ['latency micros', 1],
    ['latency_microseconds', 1],
    ['latency_ms', 1000],
    ['latency [millis]', 1000],
    ['latency_s', 1e6],
    ['latency sec', 1e6],
    ['seconds', 1e6],
    ['bus duration', 1e6],
    ['cost in ms per job', 1e6],
  ])('%s is a service time in its unit', (name, scale) => {
    expect(scaleOf(name)).toEqual({ column: 3, scale })
  })

  test.each([
    ['clock', 0],
    ['clock_ms', 1000],
    ['when (s)', 1e6],
    ['t', 0],
    ['ts', 0],
  ])('%s is a time in its unit, or in one that is found out', (name, scale) => {
    expect(scaleOf(name)).toEqual({ column: 0, scale })
  })

  test('is none of a log for other names, and taken once', () => {
    const headings = (line: string, row: string) => tableIn(new TextEncoder().encode(`${line}\n${row}\n`), true)?.headings.map((each) => each?.column ?? null)
    expect(headings('tts,beat,amount', '1,2,3')).toEqual([null, null, null])
    expect(headings('date,took,elapsed,pending,lag,pods,completed_jobs,arrived', '1,2,3,4,5,6,7,8')).toEqual([0, 3, null, 2, null, 4, 5, 6])
    expect(headings('a,b,c', 'x,2026-03-02,y')).toBeUndefined()
    expect(headings('a,b,c', '1,2026-03-02 10:00,y')).toEqual([null, 0, 1])
    expect(headings('a,b,c', '1,2.3.2026,4')).toEqual([null, 0, null])
    expect(headings('a,b', '1,')).toEqual([null, 1])
    expect(headings('a,a', '1,2')).toBeUndefined()
    expect(headings('a,', '1,2')).toBeUndefined()
    expect(headings(`a,${'n'.repeat(80)}`, '1,2')).toEqual([null, null])
    expect(headings(`a,${'n'.repeat(81)}`, '1,2')).toBeUndefined()
    expect(headings('a,2026-03-02', '1,2')).toBeUndefined()
    expect(headings('a,5', '1,2')).toBeUndefined()
    expect(headings('step,queue', 'x,-1.5e+3')).toEqual([1, 2])
    expect(headings('step,queue', 'x,.5')).toEqual([1, 2])
    expect(headings('step,queue', 'x,.')).toBeUndefined()
    expect(headings('step,queue', 'x,1e')).toBeUndefined()
    expect(headings('step,queue', 'x,1 2')).toBeUndefined()
  })

  test('is known by its first twenty rows', () => {
    const rows = (good: number) => tableIn(new TextEncoder().encode(`step,amount\n${'A,1\n'.repeat(good)}A,1,1\n`), true)
    expect([rows(19), rows(20)?.cells]).toEqual([null, ['step', 'amount']])
  })
})

describe('a value with a unit', () => {
  test.each([
    ['12', 12, false, false],
    [' -1.5e-2 ', -0.015, false, false],
    ['+.5', 0.5, false, false],
    ['5.', 5, false, false],
    ['1.2 K', 1200, false, true],
    ['3k', 3000, false, true],
    ['1.5 Mil', 1.5e6, false, true],
    ['2 Bil', 2e9, false, true],
    ['250 ns', 2.5e-7, true, true],
    ['35 µs', 3.5e-5, true, true],
    ['35 μs', 3.5e-5, true, true],
    ['35us', 3.5e-5, true, true],
    ['36 ms', 0.036, true, true],
    ['1.5 s', 1.5, true, true],
    ['2 sec', 2, true, true],
    ['2 secs', 2, true, true],
    ['1 second', 1, true, true],
    ['2 seconds', 2, true, true],
    ['1 min', 60, true, true],
    ['1.5 mins', 90, true, true],
    ['1 minute', 60, true, true],
    ['2 minutes', 120, true, true],
    ['1 hour', 3600, true, true],
    ['2 hours', 7200, true, true],
    ['NaN', Number.NaN, false, false],
    ['null', Number.NaN, false, false],
    ['undefined', Number.NaN, false, false],
    ['-', Number.NaN, false, false],
  ])('%s is %d', (cell, value, isTime, rounded) => {
    expect(formattedValue(cell, false)).toEqual({ value, isTime, rounded })
  })

  test('has one mark before decimals, and a unit that is known', () => {
    expect(formattedValue('1,5 ms', true)).toEqual({ value: 0.0015, isTime: true, rounded: true })
    for (const [cell, comma] of [
      ['1,5', false],
      ['1.5', true],
      ['3 m', false],
      ['3 parsecs', false],
      ['3 toString', false],
      ['x3', false],
      ['3 ms x', false],
      ['--', false],
      ['', false],
      ['e3', false],
    ] as const)
      expect(formattedValue(cell, comma), cell).toBeNull()
  })
})

describe('series', () => {
  const roleOf = (name: string, labels = {}): Role | undefined => guessMapping(heads({ __name__: name, stage: 'A', ...labels })).mapping.roles[0]
  const summed = (name: string): readonly Role[] =>
    guessMapping(heads({ __name__: `${name}_sum`, stage: 'A' }, { __name__: `${name}_count`, stage: 'A' })).mapping.roles

  test.each<readonly [Role, string]>([
    [
      'queue',
      'queue queue_length Queue_Size jobs_waiting backlog depth pending consumer_lag queue_count jobs_queued_count jobs_count_pending_count backlog_count depth_count waiting_count',
    ],
    ['workers', 'workers worker_pool replicas threads seats concurrency worker_time'],
    ['service_s', 'service duration latency work_seconds time_per_job service_seconds processing_time'],
    ['service_ms', 'service_ms latency_milliseconds duration_millis'],
    ['service_us', 'service_us latency_microseconds'],
    [
      'nothing',
      'queue_total work_seconds_total work_seconds_count work_seconds_sum work_seconds_bucket work_seconds_created wait_seconds lagging feature_flag temperature workers_total workers_count jobs_done_count',
    ],
  ])('that measure %s are known by names such as %s', (role, names) => {
    for (const name of names.split(' ')) expect(roleOf(name), name).toBe(role)
  })

  test('of sums and counts are services only if they are times', () => {
    expect(['work_seconds', 'work_ms', 'work_us', 'latency'].map(summed)).toEqual([['service_s'], ['service_ms'], ['service_us'], ['service_s']])
    expect(['queue_length', 'workers', 'wait_seconds', 'size'].map(summed)).toEqual([['nothing'], ['nothing'], ['nothing'], ['nothing']])
    expect([roleOf('work_seconds', { le: '1' }), roleOf('work_seconds', { quantile: '0.5' })]).toEqual(['nothing', 'nothing'])
  })

  test('are one group by name, with the counts of their own labels', () => {
    const file = heads(
      { __name__: 'a_sum', stage: 'x', pod: '1' },
      { __name__: 'q', stage: 'x' },
      { __name__: 'a_count', stage: 'y', pod: '1' },
      { __name__: 'a_count', pod: '1', stage: 'x' },
      { __name__: 'a_sum', stage: 'y', pod: '1' },
      { __name__: 'b_sum', stage: 'x' },
      { __name__: 'b_count', stage: 'z' },
      { stage: 'x', measure: 'm', kind: 'k' },
      { stage: 'y', measure: 'm', kind: 'k' },
    )
    const groups = seriesGroups(file, 'stage')
    expect(groups).toEqual([
      { name: 'a_sum', series: [0, 4], counts: [3, 2] },
      { name: 'q', series: [1], counts: null },
      { name: 'b_sum', series: [5], counts: null },
      { name: 'b_count', series: [6], counts: null },
      { name: '{kind="k", measure="m"}', series: [7, 8], counts: null },
    ])
    expect(groups.map((group) => isCounter(group, file))).toEqual([false, false, true, true, false])
  })

  test('name their stage by the likeliest label that all have and that differs', () => {
    const labels = (...all: Readonly<Record<string, string>>[]) => stageLabelsOf(heads(...all))
    expect(labels({ __name__: 'q', pod: '1', zone: 'a', stage: 'x' }, { __name__: 's', pod: '2', zone: 'a', stage: 'x' })).toEqual(['stage', 'zone', 'pod'])
    expect(labels({ stage: 'x', zone: 'a', service: 'u', topic: 't' }, { stage: 'x', zone: 'b', service: 'v', topic: 't' })).toEqual([
      'service',
      'zone',
      'stage',
      'topic',
    ])
    expect(labels({ stage: 'x', only: '1' }, { stage: 'y' })).toEqual(['stage'])
    const order = 'stage step queue topic task pool job service other instance pod container host hostname node replica'.split(' ')
    expect(labels(Object.fromEntries([...order].map((label) => [label, '1'])))).toEqual(order)
    for (const last of order.slice(9)) expect(labels({ [last]: '1', other: '1' })).toEqual(['other', last])
    for (const [k, label] of order.slice(0, 8).entries())
      for (const behind of order.slice(k + 1, 9)) expect(labels({ [behind]: '1', [label]: '1' })).toEqual([label, behind])
    expect(labels()).toEqual([])
  })

  test('make a log for certain with one queue, one service and at most one group of workers', () => {
    const certain = (...names: string[]) => guessMapping(heads(...names.map((name) => ({ __name__: name, stage: 'A' })))).certain
    expect([certain('queue', 'service_s'), certain('queue', 'service_s', 'workers'), certain('queue', 'service_s', 'other')]).toEqual([true, true, true])
    expect([certain('queue'), certain('service_s'), certain('queue', 'backlog', 'service_s'), certain('queue', 'service_s', 'latency')]).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect([certain('queue', 'service_s', 'workers', 'threads'), guessMapping(heads({ __name__: 'queue' }, { __name__: 'service_s' })).certain]).toEqual([
      false,
      false,
    ])
  })
})

describe('the name of a series', () => {
  test.each([
    ['queue_length{stage="encode"}', { __name__: 'queue_length', stage: 'encode' }],
    [' a:b { x = "1" , y="2", } ', { __name__: 'a:b', x: '1', y: '2' }],
    ['{stage="q\\"q\\\\"}', { stage: 'q"q\\' }],
    ['{stage="encode"} 2', { stage: 'encode', __name__: 'series 2' }],
    ['{__name__="a", stage="encode"} 2', { stage: 'encode', __name__: 'a' }],
    ['up{}', { __name__: 'up' }],
    ['{}', {}],
  ])('%s tells its labels', (name, labels) => {
    expect(labelsIn(name)).toEqual(labels)
  })

  test.each([
    'encode queue',
    '',
    'a{stage=encode}',
    'a{stage="x" y="z"}',
    'a{9="x"}',
    'a{stage="x"',
    '1a{stage="x"}',
    'a{b="c"}d',
    'a{stage="x"} 2x',
    'x a{b="c"}',
  ])('%j tells none', (name) => {
    expect(labelsIn(name)).toBeNull()
  })

  test.each([' - ', ': ', ' / ', ' ', '/', ':', '.', '-', '_'])('may be a stage and a measure with %j between them, in either order', (mark) => {
    const cells = ['enc', 'res'].flatMap((stage) => [`${stage}${mark}backlog`, `${stage}${mark}latency`])
    const labels = ['enc', 'res'].flatMap((stage) => [
      { stage, __name__: 'backlog' },
      { stage, __name__: 'latency' },
    ])
    expect(gridLabels(cells)).toEqual(labels)
    expect(gridLabels(cells.map((cell) => cell.split(mark).reverse().join(mark)))).toEqual(labels)
    expect(gridLabels(cells.slice(1))).toBeNull()
    expect(gridLabels([...cells.slice(1), cells[1]])).toBeNull()
  })

  test('tells nothing where its parts are not what they seem', () => {
    expect(gridLabels(['enc size', 'enc colour'])).toBeNull()
    expect(gridLabels([' backlog', ' latency'])).toBeNull()
    expect(gridLabels(['enc backlog', 'latency'])).toBeNull()
    expect(gridLabels(['ab Latency (µs)', 'ab Backlog'])).toEqual([
      { stage: 'ab', __name__: 'latency_us' },
      { stage: 'ab', __name__: 'backlog' },
    ])
  })
})

describe('the headings of a CSV of series', () => {
  test('are a time and names, or a row for each sample', () => {
    const long = (name: number, value: number) => ({ name, value })
    for (const mark of [',', ';', '\t']) {
      expect(seriesLayoutOf(['Time', 'q{a="b"}'].join(mark))).toMatchObject({ mark, time: 0, scale: 0, long: null })
      for (const name of ['Metric', 'series', 'NAME', 'Field'])
        expect(seriesLayoutOf(['time_ms', name, 'Value'].join(mark))).toMatchObject({ mark, time: 0, scale: 1000, long: long(1, 2) })
      expect(seriesLayoutOf(['value', 'metric', 'timestamp'].join(mark))).toMatchObject({ mark, time: 2, long: long(1, 0) })
    }
    for (const line of 'time|time,a|q{a="b"},time|a,b,c|time,metric,value,more|time,metric,values|metric,value,x|time,stage,queue,service_ms'.split('|'))
      expect(seriesLayoutOf(line), line).toBeNull()
  })
})
