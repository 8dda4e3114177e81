import { describe, expect, test } from 'vitest'
import { gridLabels, labelsIn, seriesLayoutOf, tableIn } from '../../../../src/features/logs/read/csvTable.ts'
import { headingOf, plainName } from '../../../../src/features/logs/read/logColumns.ts'
import {
  guessMapping,
  isCounter,
  type Role,
  seriesGroups,
  stageLabelsOf,
} from '../../../../src/features/logs/read/seriesRoles.ts'
import { formattedValue } from '../../../../src/features/logs/read/seriesTable.ts'

const heads = (...labels: Readonly<Record<string, string>>[]) => ({ series: labels.map((each) => ({ labels: each })) })

describe('a heading', () => {
  const names = [
    'time timestamp',
    'stage',
    'queue queue_length waiting',
    'service service_time mean_service',
    'workers',
    'completed',
    'arrivals',
  ]
  const columns = names.flatMap((each, column) => each.split(' ').map((name) => [name, column] as const))
  const units = { us: 1, microseconds: 1, ms: 1000, milliseconds: 1000, s: 1e6, seconds: 1e6 }

  test.each([
    ['queueLength', 'queue_length'],
    ['serviceTimeMs', 'service_time_ms'],
    ['Latency (ms)', 'latency_ms'],
    ['latencyMs', 'latency_ms'],
    ['HTTPTime', 'httptime'],
    ['Dauer [µs]', 'dauer_us'],
    ['μs per job', 'us_per_job'],
    ['  p95--of  all ', 'p95_of_all'],
    ['_queue_', 'queue'],
    ['***', ''],
  ])('%j has the plain name %s', (text, plain) => {
    expect(plainName(text)).toBe(plain)
  })

  test('means a column, and of times the unit behind its name, however it is written', () => {
    for (const [name, column] of columns) {
      const timed = column === 0 || column === 3
      const plain = { column, scale: timed ? 0 : 1 }
      for (const text of [name, name.toUpperCase(), ` ${name.replaceAll('_', ' ')} `, `(${name.replaceAll('_', '-')})`])
        expect(headingOf(text), text).toEqual(plain)
      for (const [unit, scale] of Object.entries(units))
        for (const text of [`${name}_${unit}`, `${name} (${unit})`, `${name} / ${unit.toUpperCase()}`])
          expect(headingOf(text), text).toEqual(timed ? { column, scale } : null)
      expect(headingOf(`${name}_days`)).toEqual(column === 0 ? { column, scale: 86_400_000_000 } : null)
      for (const text of [`${name}x`, `my_${name}`, `${name}_`.repeat(2), `${name}_toString`, `${name}_h`])
        expect(headingOf(text), text).toBeNull()
    }
    expect([headingOf('service_µs'), headingOf('service_μs')]).toEqual([
      { column: 3, scale: 1 },
      { column: 3, scale: 1 },
    ])
    expect(headingOf('')).toBeNull()
  })
})

describe('a column of another name', () => {
  const scaleOf = (name: string) =>
    tableIn(new TextEncoder().encode(`step,backlog,${name}\nA,3,1.5\nB,2,2.5\n`), true)?.headings[2]

  test.each([
    ['latency', 1e6],
    ['latency_us', 1],
    ['latency (µs)', 1],
    ['latency_ms', 1000],
    ['latency [millis]', 1000],
    ['latency sec', 1e6],
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
})

describe('a value with a unit', () => {
  test.each([
    ['12', 12],
    [' -1.5e-2 ', -0.015],
    ['+.5', 0.5],
    ['1.2 K', 1200],
    ['3k', 3000],
    ['1.5 Mil', 1.5e6],
    ['2 Bil', 2e9],
    ['NaN', Number.NaN],
    ['null', Number.NaN],
    ['-', Number.NaN],
  ])('%s is the number %d', (cell, value) => {
    expect(formattedValue(cell, false)).toEqual({ value, isTime: false })
  })

  test.each([
    ['ns', 0.001],
    ['µs μs us', 1],
    ['ms', 1000],
    ['s sec secs second seconds', 1e6],
    ['min mins minute minutes', 6e7],
    ['hour hours', 3.6e9],
  ])('of a time may be called %s', (names, micros) => {
    for (const name of names.split(' '))
      expect(formattedValue(`1.5 ${name}`, false)).toEqual({ value: (1.5 * micros) / 1e6, isTime: true })
  })

  test('has one mark before decimals, and a unit that is known', () => {
    expect(formattedValue('1,5 ms', true)).toEqual({ value: 0.0015, isTime: true })
    expect(formattedValue('1.5', true)).toBeNull()
    for (const cell of ['1,5', '3 m', '3 parsecs', '3 toString', 'x3', '3 ms x', '--', '', 'e3'])
      expect(formattedValue(cell, false), cell).toBeNull()
  })
})

describe('series', () => {
  const roleOf = (name: string, labels = {}): Role | undefined =>
    guessMapping(heads({ __name__: name, stage: 'A', ...labels })).mapping.roles[0]
  const summed = (name: string): readonly Role[] =>
    guessMapping(heads({ __name__: `${name}_sum`, stage: 'A' }, { __name__: `${name}_count`, stage: 'A' })).mapping
      .roles

  test.each<readonly [Role, string]>([
    [
      'queue',
      'queue queue_length Queue_Size jobs_waiting backlog depth pending consumer_lag queue_count jobs_queued_count jobs_count_pending_count backlog_count depth_count waiting_count',
    ],
    ['workers', 'workers worker_pool replicas threads seats concurrency worker_time'],
    ['service_s', 'service duration latency work_seconds time_per_job service_seconds processing_time'],
    ['service_ms', 'service_ms latency_milliseconds duration_millis'],
    ['service_us', 'service_us latency_microseconds'],
    ['completed', 'jobs_done_count work_seconds_count jobs_completed_total stage_processed_total completed'],
    ['arrivals', 'jobs_arrived_total arrivals queue_received_total jobs_enqueued_total'],
    [
      'nothing',
      'queue_total work_seconds_total work_seconds_sum work_seconds_bucket work_seconds_created wait_seconds queue_wait_seconds queue_wait_seconds_count queue_capacity worker_limit lagging feature_flag heap_size_used_bytes heap_used nodejs_heap_size_used_bytes nodejs_eventloop_lag_seconds nodejs_gc_duration_seconds scrape_duration_seconds process_cpu_seconds process_start_time_seconds memory_used uptime_seconds go_threads temperature workers_total workers_count',
    ],
  ])('that measure %s are known by names such as %s', (role, names) => {
    for (const name of names.split(' ')) expect(roleOf(name), name).toBe(role)
  })

  test('have units by whole words', () => {
    expect(['work_seconds_used', 'latency_bus', 'latencyMs', 'latency_us_used'].map((name) => roleOf(name))).toEqual([
      'service_s',
      'service_s',
      'service_ms',
      'service_us',
    ])
  })

  test('of sums and counts are services only if they are times', () => {
    expect(['work_seconds', 'work_ms', 'work_us', 'latency'].map(summed)).toEqual([
      ['service_s'],
      ['service_ms'],
      ['service_us'],
      ['service_s'],
    ])
    expect(['queue_length', 'workers', 'wait_seconds', 'size'].map(summed)).toEqual([
      ['nothing'],
      ['nothing'],
      ['nothing'],
      ['nothing'],
    ])
    expect([roleOf('work_seconds', { le: '1' }), roleOf('work_seconds', { quantile: '0.5' })]).toEqual([
      'nothing',
      'nothing',
    ])
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
      { name: 'a_sum', series: [0, 4], counts: [3, 2], parts: [[], []] },
      { name: 'q', series: [1], counts: null, parts: [] },
      { name: 'b_sum', series: [5], counts: null, parts: [] },
      { name: 'b_count', series: [6], counts: null, parts: [] },
      { name: '{kind="k", measure="m"}', series: [7, 8], counts: null, parts: [] },
    ])
    expect(groups.map((group) => isCounter(group, file))).toEqual([false, false, true, true, false])
  })

  test('name their stage by the likeliest label that all have and that differs', () => {
    const labels = (...all: Readonly<Record<string, string>>[]) => stageLabelsOf(heads(...all))
    expect(
      labels({ __name__: 'q', pod: '1', zone: 'a', stage: 'x' }, { __name__: 's', pod: '2', zone: 'a', stage: 'x' }),
    ).toEqual(['stage', 'zone', 'pod'])
    expect(
      labels({ stage: 'x', zone: 'a', service: 'u', topic: 't' }, { stage: 'x', zone: 'b', service: 'v', topic: 't' }),
    ).toEqual(['service', 'zone', 'stage', 'topic'])
    expect(labels({ stage: 'x', only: '1' }, { stage: 'y' })).toEqual(['stage'])
    const order =
      'stage step queue topic task pool job service other instance pod container host hostname node replica'.split(' ')
    expect(labels(Object.fromEntries(order.map((label) => [label, '1'])))).toEqual(order)
  })

  test('name their stage by a label that only they have, among those of their process', () => {
    const job = { job: 'etl', instance: 'host:9100' }
    const own = [
      'queue_length',
      'work_seconds_sum',
      'work_seconds_count',
      'workers',
      'workers_busy',
      'jobs_completed_total',
    ]
    const file = heads(
      ...['up', 'scrape_duration_seconds', 'nodejs_heap_size_used_bytes', 'process_cpu_seconds_total'].map((name) => ({
        __name__: name,
        ...job,
      })),
      { __name__: 'nodejs_gc_duration_seconds_sum', ...job, kind: 'minor' },
      { __name__: 'nodejs_gc_duration_seconds_count', ...job, kind: 'minor' },
      { __name__: 'nodejs_gc_duration_seconds_sum', ...job, kind: 'major' },
      { __name__: 'nodejs_gc_duration_seconds_count', ...job, kind: 'major' },
      ...own.flatMap((name) => ['fetch', 'store'].map((stage) => ({ __name__: name, ...job, stage }))),
    )
    const { mapping, certain } = guessMapping(file)
    const roles = Object.fromEntries(seriesGroups(file, 'stage').map(({ name }, g) => [name, mapping.roles[g]]))
    expect([mapping.stageLabel, certain]).toEqual(['stage', true])
    expect(Object.entries(roles).filter(([, role]) => role !== 'nothing')).toEqual([
      ['queue_length', 'queue'],
      ['work_seconds_sum', 'service_s'],
      ['workers', 'workers'],
      ['jobs_completed_total', 'completed'],
    ])
    // The form offers the labels of the series that are chosen there.
    expect(stageLabelsOf(file)).toEqual(['stage', 'job', 'instance'])
    expect(stageLabelsOf(file, [4, 6])).toContain('kind')
  })

  test('make a log for certain with one queue, one service and at most one group of workers', () => {
    const certain = (...names: string[]) =>
      guessMapping(heads(...names.map((name) => ({ __name__: name, stage: 'A' })))).certain
    for (const names of ['queue service_s', 'queue service_s workers', 'queue service_s other'])
      expect(certain(...names.split(' ')), names).toBe(true)
    for (const names of [
      'queue',
      'service_s',
      'queue backlog service_s',
      'queue service_s latency',
      'queue service_s workers threads',
    ])
      expect(certain(...names.split(' ')), names).toBe(false)
    expect(guessMapping(heads({ __name__: 'queue' }, { __name__: 'service_s' })).certain).toBe(false)
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
    'a{b="c"}d',
    'a{stage="x"} 2x',
  ])('%j tells none', (name) => {
    expect(labelsIn(name)).toBeNull()
  })

  test.each([' - ', ': ', ' / ', ' ', '/', ':', '.', '-', '_'])(
    'may be a stage and a measure with %j between them, in either order',
    (mark) => {
      const cells = ['enc', 'res'].flatMap((stage) => [`${stage}${mark}backlog`, `${stage}${mark}latency`])
      const labels = ['enc', 'res'].flatMap((stage) => [
        { stage, __name__: 'backlog' },
        { stage, __name__: 'latency' },
      ])
      expect(gridLabels(cells)).toEqual(labels)
      expect(gridLabels(cells.map((cell) => cell.split(mark).reverse().join(mark)))).toEqual(labels)
      expect(gridLabels(cells.slice(1))).toBeNull()
      expect(gridLabels([...cells.slice(1), cells[1]])).toBeNull()
    },
  )

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
        expect(seriesLayoutOf(['time_ms', name, 'Value'].join(mark))).toMatchObject({
          mark,
          time: 0,
          scale: 1000,
          long: long(1, 2),
        })
      expect(seriesLayoutOf(['value', 'metric', 'timestamp'].join(mark))).toMatchObject({
        mark,
        time: 2,
        long: long(1, 0),
      })
    }
    for (const line of 'time|time,a|q{a="b"},time|a,b,c|time,metric,value,more|time,metric,values|metric,value,x|time,stage,queue,service_ms'.split(
      '|',
    ))
      expect(seriesLayoutOf(line), line).toBeNull()
  })
})
