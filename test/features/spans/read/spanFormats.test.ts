import { describe, expect, test } from 'vitest'
import { spanFormatOf } from '../../../../src/features/spans/read/spanFormats.ts'
import {
  asNumber,
  createSpanWriter,
  errorIn,
  instantOf,
  microsOfNanos,
} from '../../../../src/features/spans/read/spanTable.ts'
import { readSpans } from '../../../../src/features/spans/study/importSpans.ts'
import { NONE } from '../../../../src/pipeline/rows.ts'
import { count } from '../../../../src/views/drawing/format.ts'

/** The parts of a text in bytes, each of this length. */
async function* partsOf(text: string, length = 1_000_000) {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length)
}

/** The spans of a file, each with what it has. */
async function read(file: unknown, length?: number) {
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  const { table, format, notes } = await readSpans(partsOf(text, length))
  const at = (number: number | undefined) => (number === undefined || number === NONE ? null : table.texts[number])
  const spans = table.start.map((start, s) => ({
    ...{
      name: at(table.name[s]),
      start,
      end: table.end[s],
      trace: at(table.trace[s]),
      parent: table.parent[s],
      error: at(table.error[s]),
    },
    attributes: Object.fromEntries(
      [...table.attributes].flatMap(([key, column]) => (at(column[s]) === null ? [] : [[key, at(column[s])]])),
    ),
  }))
  return { format, notes, left: table.left, spans }
}
const spansOf = async (file: unknown) => (await read(file)).spans

describe('the format of spans is recognised by the beginning of a file:', () => {
  const line = JSON.stringify({ level: 30, time: 1, stage: 'A', job: 1, took: 2 })
  test.each<[string, string, ReturnType<typeof spanFormatOf>]>([
    ['OpenTelemetry', ' \n{"resourceSpans" : []', 'otlp'],
    ['OpenTelemetry behind a byte order mark', '\ufeff{"resourceSpans":[]', 'otlp'],
    ['Chrome as an object', '{"traceEvents":[', 'chrome'],
    ['Chrome as a list', '[{"ph": "X","ts":1', 'chrome'],
    ['no phase without a time', '[{"ph":"X"', null],
    ['Jaeger as its page saves it', '{"data":[{"traceID":"1","spans":[', 'jaeger'],
    ['Jaeger with a span a line', '{"traceID":"1","operationName":"A"}', 'jaeger'],
    ['Zipkin by its endpoint', '[{"traceId":"1","id":"2","localEndpoint":{}', 'zipkin'],
    ['Zipkin by a duration in a list', '[{"traceId":"1","id":"2","duration":3}', 'zipkin'],
    ['no Zipkin by a duration in an object', '{"traceId":"1","id":"2","duration":3}', null],
    ['lines of our channel', '{"job":1,"stage":"A","began":1,"ended":2}', 'lines'],
    ['no trace of a run', '{"format":"apportion-trace","job":1,"stage":"A","began":1,"ended":2}', null],
    ['pino', line, 'pino'],
    ['pino after 39 lines that say other things', `${'{"level":30,"time":1,"stage":"A"}\n'.repeat(39)}${line}`, 'pino'],
    ['no pino after 40 of them', `${'{"level":30,"time":1,"stage":"A"}\n'.repeat(40)}${line}`, null],
    ['no pino whose duration is a text', '{"level":30,"time":1,"stage":"A","job":1,"took":"2"}', null],
    ['pino with names in capitals', '{"level":30,"time":1,"stage":"A","JobId":1,"ResponseTime":2}', 'pino'],
    ['no pino without a job', '{"level":30,"time":1,"stage":"A","jobs_done":1,"my_job":2,"took":2}', null],
    ['no pino without a duration', '{"level":30,"time":1,"stage":"A","job":1,"overtook":2,"took_part":3}', null],
    ['no pino whose time is a text', '{"level":30,"time":"1","stage":"A","job":1,"took":2}', null],
    ['no text, whatever it says', 'see "resourceSpans": []', null],
  ])('%s', (_, head, format) => {
    expect(spanFormatOf(head)).toBe(format)
  })
})

describe('a span of OpenTelemetry', () => {
  const span = {
    traceId: 't',
    spanId: 's',
    name: 'A',
    startTimeUnixNano: '1790000000000001000',
    endTimeUnixNano: '1790000000000002500',
  }
  const file = (spans: readonly object[], resource?: object) => ({
    resourceSpans: [{ ...(resource && { resource }), scopeSpans: [{ scope: { name: 'x' }, spans }] }],
  })
  const attribute = (key: string, value: object) => ({ key, value })

  test('has its times in microseconds, its trace, its parent and its attributes of each kind', async () => {
    const attributes = [
      attribute('text', { stringValue: 'a' }),
      attribute('whole', { intValue: '7' }),
      attribute('zero', { intValue: 0 }),
      attribute('part', { doubleValue: 0.5 }),
      attribute('yes', { boolValue: false }),
      attribute('list', { arrayValue: {} }),
      { key: 7, value: { stringValue: 'no name' } },
      { key: 'no value' },
    ]
    const child = { ...span, spanId: 'c', parentSpanId: 's', name: 'B' }
    expect(await spansOf(file([child, { ...span, parentSpanId: '', attributes }]))).toEqual([
      {
        name: 'B',
        start: 1_790_000_000_000_001,
        end: 1_790_000_000_000_002.5,
        trace: 't',
        parent: 1,
        error: null,
        attributes: {},
      },
      {
        ...{
          name: 'A',
          start: 1_790_000_000_000_001,
          end: 1_790_000_000_000_002.5,
          trace: 't',
          parent: NONE,
          error: null,
        },
        attributes: { text: 'a', whole: '7', zero: '0', part: '0.5', yes: 'false' },
      },
    ])
  })

  test.each(['', '1.8e18', '-1', 'soon', null, undefined])('is none if its time is %j', async (time) => {
    const { spans, left } = await read(
      file([span, { ...span, startTimeUnixNano: time }, { ...span, endTimeUnixNano: time }]),
    )
    expect([spans.length, left]).toEqual([1, 2])
  })

  test.each<[string, object, string | null]>([
    ['status 2', { status: { code: 2, message: 'no paper' } }, 'no paper'],
    ['status in words', { status: { code: 'STATUS_CODE_ERROR' } }, ''],
    ['status 1, which is fine', { status: { code: 1, message: 'fine' } }, null],
    [
      'an exception of a failed span',
      {
        status: { code: 2 },
        events: [
          {
            attributes: [
              attribute('exception.type', { stringValue: 'E' }),
              attribute('exception.message', { stringValue: 'broke' }),
            ],
          },
        ],
      },
      'broke',
    ],
    [
      'its own words before those of the exception',
      {
        status: { code: 2, message: 'no paper' },
        events: [{ attributes: [attribute('exception.message', { stringValue: 'broke' })] }],
      },
      'no paper',
    ],
    [
      'an exception of a span that did not fail',
      { events: [{ attributes: [attribute('exception.message', { stringValue: 'caught' })] }] },
      null,
    ],
  ])('is an error by %s', async (_, more, error) => {
    expect((await spansOf(file([{ ...span, ...more }])))[0].error).toBe(error)
  })

  test('has the attributes of its resource too, which do not replace its own, and none of another resource', async () => {
    const resource = (name: string) => ({
      attributes: [
        attribute('service.name', { stringValue: name }),
        attribute('own', { stringValue: 'of the resource' }),
      ],
    })
    const [first, second, bare] = [
      file([{ ...span, attributes: [attribute('own', { stringValue: 'of the span' })] }], resource('one'))
        .resourceSpans[0],
      // The resource may come after the spans.
      {
        scopeSpans: [
          {
            spans: [
              { ...span, spanId: 's2' },
              { ...span, spanId: 's4' },
            ],
          },
        ],
        resource: { attributes: [...resource('two').attributes, attribute('region', { stringValue: 'east' })] },
      },
      file([{ ...span, spanId: 's3' }]).resourceSpans[0],
    ]
    expect((await spansOf({ resourceSpans: [first, second, bare] })).map(({ attributes }) => attributes)).toEqual([
      { 'service.name': 'one', own: 'of the span' },
      { 'service.name': 'two', own: 'of the resource', region: 'east' },
      { 'service.name': 'two', own: 'of the resource', region: 'east' },
      {},
    ])
  })
})

describe('a span of Jaeger', () => {
  const span = { traceID: 't', spanID: 's', operationName: 'A', startTime: 1000, duration: 500, processID: 'p1' }
  const file = (spans: readonly object[], processes: object = {}) => ({ data: [{ traceID: 't', spans, processes }] })
  const tag = (key: string, value: unknown) => ({ key, type: 'x', value })

  test('ends its duration after its start, and has the name and the tags of its process', async () => {
    const processes = {
      p1: { serviceName: 'shop', tags: [tag('host', 'h1'), tag('own', 'of the process')] },
      p2: { serviceName: 'mill' },
    }
    const tags = [tag('own', 'of the span'), { value: 'no key' }]
    const one = file(
      [
        { ...span, tags },
        { ...span, spanID: 's2', processID: 'p2' },
      ],
      processes,
    )
    // Another trace knows its own processes, or none.
    const other = { traceID: 't', spans: [{ ...span, spanID: 's3', startTime: '2000', duration: '1' }] }
    const last = file([], { p1: { serviceName: 'late', tags: [tag('late', 1)] }, p2: { tags: [tag('late', 1)] } })
      .data[0]
    expect(await spansOf({ data: [one.data[0], other, last] })).toEqual([
      {
        name: 'A',
        start: 1000,
        end: 1500,
        trace: 't',
        parent: NONE,
        error: null,
        attributes: { 'service.name': 'shop', host: 'h1', own: 'of the span' },
      },
      {
        name: 'A',
        start: 1000,
        end: 1500,
        trace: 't',
        parent: NONE,
        error: null,
        attributes: { 'service.name': 'mill' },
      },
      { name: 'A', start: 2000, end: 2001, trace: 't', parent: NONE, error: null, attributes: {} },
    ])
    // One a line, each with its process.
    const lines = [
      { ...span, process: processes.p1 },
      { ...span, spanID: 's2' },
    ]
      .map((each) => JSON.stringify(each))
      .join('\n')
    expect((await spansOf(lines)).map(({ attributes }) => attributes)).toEqual([
      { 'service.name': 'shop', host: 'h1', own: 'of the process' },
      {},
    ])
  })

  test('belongs to the span that it is a child of, or else to the one that it follows', async () => {
    const reference = (refType: string, spanID: string) => ({ refType, traceID: 't', spanID })
    const references = [
      [],
      [reference('FOLLOWS_FROM', 's0')],
      [reference('FOLLOWS_FROM', 's0'), reference('CHILD_OF', 's1')],
    ]
    const spans = references.map((each, s) => ({ ...span, spanID: `s${s}`, references: each }))
    expect((await spansOf(file(spans))).map(({ parent }) => parent)).toEqual([NONE, 0, 1])
  })

  test.each<[string, readonly object[], string | null]>([
    ['a tag that is true', [tag('error', true)], ''],
    ['a tag in words', [tag('error', 'true')], ''],
    [
      'the status of OpenTelemetry, with its words',
      [tag('otel.status_code', 'ERROR'), tag('otel.status_description', 'no paper')],
      'no paper',
    ],
    [
      'no tag that is false',
      [tag('error', false), tag('otel.status_code', 'OK'), tag('otel.status_description', 'fine')],
      null,
    ],
  ])('is an error by %s', async (_, tags, error) => {
    expect((await spansOf(file([{ ...span, tags }])))[0].error).toBe(error)
  })
})

test('a span of Zipkin has its service and its kind, and lasts 0 without a duration', async () => {
  const span = {
    traceId: 't',
    id: 's',
    name: 'a',
    timestamp: 1000,
    localEndpoint: { serviceName: 'shop', ipv4: '1.1.1.1' },
    kind: 'SERVER',
  }
  const spans = [
    span,
    { ...span, id: 'c', parentId: 's', duration: 5, tags: { error: '', x: '1' } },
    { ...span, id: 'd', duration: null },
  ]
  const { spans: found, left } = await read(spans)
  const own = { name: 'a', start: 1000, trace: 't' }
  expect(found).toEqual([
    { ...own, end: 1000, parent: NONE, error: null, attributes: { 'service.name': 'shop', kind: 'SERVER' } },
    { ...own, end: 1005, parent: 0, error: '', attributes: { 'service.name': 'shop', kind: 'SERVER', x: '1' } },
  ])
  expect(left).toBe(1)
  // Lists of spans in a list, as its interface answers for several traces.
  expect(await spansOf([[span], [{ ...span, id: 'e' }]])).toHaveLength(2)
})

test('a line of our channel has all its fields but its times as attributes', async () => {
  const lines = [
    { job: 7, stage: 'A', began: 1, ended: 2, worker: 3, error: null },
    { job: 8, stage: 'A', began: 2, ended: 3, error: { message: 'no paper' } },
  ]
  // One a line, or in a list.
  for (const file of [lines.map((line) => JSON.stringify(line)).join('\n'), lines])
    expect(await spansOf(file)).toEqual([
      {
        name: 'A',
        start: 1,
        end: 2,
        trace: null,
        parent: NONE,
        error: null,
        attributes: { job: '7', stage: 'A', worker: '3' },
      },
      {
        name: 'A',
        start: 2,
        end: 3,
        trace: null,
        parent: NONE,
        error: 'no paper',
        attributes: { job: '8', stage: 'A' },
      },
    ])
})

describe('a line of pino', () => {
  const line = { level: 30, time: 1_790_000_000_000, stage: 'A', job: 7, pid: 9, hostname: 'h', msg: 'done' }

  test.each([
    ['ms', 'took', 1000],
    ['ms', 'responseTime', 1000],
    ['µs', 'duration_us', 1],
    ['ms', 'Duration_MS', 1000],
    ['s', 'elapsedSeconds', 1_000_000],
    ['s', 'latency_S', 1_000_000],
  ])('begins this many %s before its end: %s', async (_, key, scale) => {
    const [span] = await spansOf(JSON.stringify({ ...line, [key]: 4 }))
    expect(span).toEqual({
      ...{
        name: 'A',
        start: 1_790_000_000_000_000 - 4 * scale,
        end: 1_790_000_000_000_000,
        trace: null,
        parent: NONE,
        error: null,
      },
      attributes: { stage: 'A', job: '7', pid: '9' },
    })
  })

  test('is an error from level 50 on, or with err in its words', async () => {
    const of = async (more: object) => (await spansOf(JSON.stringify({ ...line, took: 1, ...more })))[0].error
    const all = [
      { level: 40 },
      { level: 49 },
      { level: 50 },
      { level: 60 },
      { err: { message: 'no ink' } },
      { err: null },
    ]
    expect(await Promise.all(all.map(of))).toEqual([null, null, 'done', 'done', 'no ink', null])
  })
})

describe('an event of Chrome', () => {
  const event = { pid: 1, tid: 2, name: 'A', cat: 'work', ts: 10 }
  const chrome = (...events: readonly object[]) =>
    spansOf({ traceEvents: events.map((each) => ({ ...event, ...each })) })
  const brief = (spans: Awaited<ReturnType<typeof spansOf>>) => spans.map(({ name, start, end }) => [name, start, end])

  test('that is complete has its thread; without a duration it was cut off', async () => {
    const { spans, left } = await read({
      traceEvents: [
        { ...event, ph: 'X', dur: 5 },
        { ...event, ph: 'X' },
        { ...event, ph: 'X', dur: 0 },
      ],
    })
    const whole = {
      name: 'A',
      start: 10,
      trace: null,
      parent: NONE,
      error: null,
      attributes: { thread: '1/2', pid: '1' },
    }
    expect(spans).toEqual([
      { ...whole, end: 15 },
      { ...whole, end: 10 },
    ])
    expect(left).toBe(1)
  })

  test('that begins on a thread ends with the next end there, the last begun first', async () => {
    expect(
      brief(
        await chrome(
          { ph: 'B', name: 'outer' },
          { ph: 'B', name: 'other', pid: 2, ts: 11 },
          { ph: 'B', name: 'inner', ts: 12 },
          { ph: 'E', ts: 13 },
          { ph: 'E', ts: 14 },
          // Nothing is open on this thread any more.
          { ph: 'E', ts: 15 },
          { ph: 'E', pid: 2, ts: 16 },
        ),
      ),
    ).toEqual([
      ['inner', 12, 13],
      ['outer', 10, 14],
      ['other', 11, 16],
    ])
  })

  test('that is asynchronous ends with the one of its category, id and name, and has no thread', async () => {
    const spans = await chrome(
      { ph: 'b', id: 1 },
      { ph: 'b', id: 2, ts: 11 },
      // An instant ends nothing.
      { ph: 'n', id: 1, ts: 12 },
      { ph: 'i', id: 2, ts: 12 },
      { ph: 'b', id: 1, cat: 'rest', ts: 12 },
      { ph: 'b', id: 1, name: 'B', ts: 13 },
      { ph: 'b', id2: { local: '1' }, ts: 14 },
      { ph: 'b', id2: { local: '2' }, ts: 15 },
      { ph: 'B', ts: 16 },
      { ph: 'e', id2: { local: '1' }, ts: 20 },
      { ph: 'e', id: 1, ts: 21 },
      { ph: 'e', id: 1, cat: 'rest', ts: 22 },
      { ph: 'e', id: 2, ts: 23 },
      { ph: 'e', id: 1, name: 'B', ts: 24 },
      { ph: 'e', id2: { local: '2' }, ts: 25 },
      { ph: 'e', id: 3, ts: 26 },
    )
    expect(spans.map(({ start, end }) => [start, end])).toEqual([
      [14, 20],
      [10, 21],
      [12, 22],
      [11, 23],
      [13, 24],
      [15, 25],
    ])
    expect(spans[0].attributes).toEqual({ pid: '1' })
  })

  test('has the arguments of its beginning and its end: the end says what holds', async () => {
    const [span] = await chrome({ ph: 'B', args: { job: 1, x: 'first' } }, { ph: 'E', ts: 11, args: { x: 'last' } })
    expect(span.attributes).toEqual({ thread: '1/2', pid: '1', job: '1', x: 'last' })
  })

  test.each<[string, object, object, string | null]>([
    ['a category of its beginning', { cat: 'work, Failed' }, {}, ''],
    ['a category of its end', {}, { cat: 'x,thrown away' }, ''],
    ['no category that has the word in it', { cat: 'error handling,unfailed' }, {}, null],
    ['its status', { args: { status: 'ERROR' } }, {}, ''],
    ['the status of its end', {}, { args: { status: 'ERROR' } }, ''],
    ['no status that is fine', { args: { status: 'ok', error: false } }, {}, null],
    ['its error in words', { args: { error: 'no paper' } }, {}, 'no paper'],
    ['its err with a message', { args: { err: { message: 'no paper' } } }, {}, 'no paper'],
  ])('is an error by %s', async (_, begin, end, error) => {
    expect((await chrome({ ph: 'B', ...begin }, { ph: 'E', ts: 11, ...end }))[0].error).toBe(error)
  })

  test('has numbers that its categories name, such as "job 7"', async () => {
    const [span] = await chrome({ ph: 'X', dur: 1, cat: 'work, job 7,worker 3 of 4' })
    expect(span.attributes).toEqual({ thread: '1/2', pid: '1', job: '7' })
  })

  test('may be in a list, and then nothing inside of an event is one', async () => {
    const inner = { ...event, ph: 'X', dur: 1, name: 'inside' }
    expect(brief(await spansOf([{ ...event, ph: 'X', dur: 2, args: { inner, list: [inner] } }]))).toEqual([
      ['A', 10, 12],
    ])
    // In an object only the list of events has some.
    expect(
      brief(await spansOf({ metadata: inner, other: [inner], traceEvents: [{ ...event, ph: 'X', dur: 2 }] })),
    ).toEqual([['A', 10, 12]])
  })
})

test('spans are read alike, however the file is cut into parts', async () => {
  const file = {
    other: ['\\"', '{', ']'],
    traceEvents: [1, 2, 3].map((n) => ({
      ph: 'X',
      pid: 1,
      tid: n,
      ts: n,
      dur: 1,
      name: `ü"${n}\\`,
      args: { job: n, text: '}{' },
    })),
  }
  // The file is recognised before its first record.
  const text = JSON.stringify(file).replace('[{"ph"', `[${' '.repeat(17_000)}{"ph"`)
  const whole = await read(text)
  expect(whole.spans.map(({ name }) => name)).toEqual(['ü"1\\', 'ü"2\\', 'ü"3\\'])
  for (const length of [1, 7, 16_384]) expect(await read(text, length)).toEqual(whole)
  const broken = text.replace('"ts":3', '"ts":}')
  const at = broken.lastIndexOf('{"ph"')
  // Two letters before it take two bytes each.
  for (const length of [1, 7, 1_000_000])
    await expect(read(broken, length)).rejects.toThrow(`what begins at byte ${count(at + 3)} is not JSON`)
})

test('a file is recognised by its first 16,384 bytes', async () => {
  const file = (before: number) => ({
    about: 'x'.repeat(before),
    traceEvents: [{ ph: 'X', pid: 1, tid: 1, ts: 1, dur: 1, name: 'A' }],
  })
  const text = JSON.stringify(file(16_000)).padEnd(40_000)
  expect((await read(text, 1000)).spans).toHaveLength(1)
  await expect(read(JSON.stringify(file(17_000)).padEnd(40_000), 1000)).rejects.toThrow('has no spans')
})

describe('a file of spans that is not whole', () => {
  const event = (n: number) => JSON.stringify({ ph: 'X', pid: 1, tid: 1, ts: n, dur: 1, name: 'A' })

  test('says that it breaks off, and how many records are no spans', async () => {
    const cut = 'The file breaks off; its last record is left out.'
    const left = (n: number) => `Records without a beginning or an end are left out: ${n}.`
    const notesOf = async (text: string) => (await read(text)).notes
    expect(await notesOf(`[${event(1)}]`)).toEqual([])
    expect(await notesOf(`{"traceEvents":[${event(1)}]}`)).toEqual([])
    // Some programs never close their list.
    expect(await notesOf(`[${event(1)},`)).toEqual([])
    expect(await notesOf(`[${event(1)},${event(2).slice(0, -5)}`)).toEqual([cut])
    expect(await notesOf(`{"traceEvents":[${event(1)}`)).toEqual([cut])
    expect(await notesOf(`[${event(1)},"a text without an end`)).toEqual([cut])
    expect(await notesOf(`[${event(1)},{"ph":"X","ts":1}]`)).toEqual([left(1)])
    expect(await notesOf(`{"traceEvents":[${event(1)},{"ph":"X","ts":1},{"ph":"X","ts":1}`)).toEqual([cut, left(2)])
  })

  test.each([
    ['nothing', '', /the file is empty/],
    ['a trace of a run', '{"format":"apportion-trace"}', /is a trace; open it/],
    ['UTF-16', '\ufeff', /has no spans/],
    ['no spans', '[1]', /has no spans; allowed: OpenTelemetry \(OTLP JSON\), Chrome/],
    ['a record that is no JSON', `[${event(1)},{"ph":"X","ts":}]`, /what begins at byte 55 is not JSON/],
  ])('is refused with a reason if it has %s', async (_, text, words) => {
    await expect(read(text)).rejects.toThrow(words)
  })
})

describe('what a span has', () => {
  const writer = () => createSpanWriter()
  const plain = { name: 'A', start: 1, end: 2, attributes: [] }

  test('are at most 64 attributes, the first that come, each with at most 200 characters', () => {
    const { add, table } = writer()
    add({ ...plain, attributes: Array.from({ length: 70 }, (_, k) => [`k${k}`, k] as const) })
    expect([...table.attributes.keys()]).toEqual(Array.from({ length: 64 }, (_, k) => `k${k}`))
    const texts = writer()
    texts.add({
      ...plain,
      attributes: [
        ['a', 'x'.repeat(200)],
        ['b', 'x'.repeat(201)],
        ['c', ''],
        ['d', null],
        ['e', {}],
        ['f', Number.NaN],
        ['g', true],
      ],
    })
    expect([...texts.table.attributes.keys()]).toEqual(['a', 'f', 'g'])
  })

  test('are times in order; a record without them is counted, and no span', () => {
    const { add, table } = writer()
    for (const [start, end] of [
      [2, 1],
      [Number.NaN, 1],
      [1, Number.NaN],
      [Infinity, Infinity],
    ])
      expect(add({ ...plain, start, end })).toBe(NONE)
    expect([add({ ...plain, start: 3, end: 3 }), table.start, table.left]).toEqual([0, [3], 4])
  })

  test('is a parent by id, which may come later: the first one of that id, and never the span itself', () => {
    const { add, close } = writer()
    add({ ...plain, id: 'a', parent: 'b' })
    add({ ...plain, id: 'b', parent: 'b' })
    add({ ...plain, id: 'b', parent: '' })
    add({ ...plain, id: 'c', parent: 'z', parentSpan: 0 })
    add({ ...plain, parentSpan: 2 })
    expect(close().parent).toEqual([1, NONE, NONE, NONE, 2])
  })
})

test('values of other programs are read as what they mean, and as nothing else', () => {
  expect([1, '2', ' 3 ', '', ' ', 'x', null, true, [4]].map(asNumber)).toEqual([1, 2, 3, ...Array(6).fill(Number.NaN)])
  expect([undefined, false, '', true, 'a', 0, {}, { message: 'b' }, { message: 5 }, ['c']].map(errorIn)).toEqual([
    null,
    null,
    null,
    '',
    'a',
    '0',
    '',
    'b',
    '5',
    'c',
  ])
  expect(['1790000000123456789', '1500', '999', '7', 2500, '', '1.5', '-1', null].map(microsOfNanos)).toEqual([
    ...[1_790_000_000_123_456 + 0.75, 1.5, 0.999, 0.007, 2.5],
    ...Array(4).fill(Number.NaN),
  ])
})

test('a time of an attribute has the unit that puts it within a day of the file, or is a date', () => {
  const near = 1_790_000_000_000_000
  const of = (text: string) => instantOf(text, near)
  expect([of('1790000000000001'), of('1790000000001'), of('1790000001'), of('1790000000000002000')]).toEqual([
    near + 1,
    near + 1000,
    near + 1_000_000,
    near + 2,
  ])
  expect([of(`${near + 86_399_999_999}`), of(`${near + 86_400_000_000}`), of('7'), of('soon'), of('')]).toEqual([
    near + 86_399_999_999,
    ...Array(4).fill(Number.NaN),
  ])
  const dates = [
    '2026-03-02T09:05:05.25Z',
    '2026-03-02 09:05',
    '2024-02-29T23:59:59+05:30',
    '2024-02-29T23:59:59-0530',
    '2000-02-29T00:00:00Z',
    '1900-03-01T00:00:00Z',
    '2100-12-31T12:00:00Z',
    '2025-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
  ]
  for (const date of dates) {
    const plain = date
      .replace(' ', 'T')
      .replace(/(\d\d)(\d\d)$/, (whole, h, m) => (/[+-]\d{4}$/.test(date) ? `${h}:${m}` : whole))
    expect(of(date), date).toBe(Date.parse(/Z|[+-]\d\d:\d\d$/.test(plain) ? plain : `${plain}Z`) * 1000)
  }
  for (const odd of [
    '2026-03-02',
    '2026-3-2T09:05:05Z',
    '2026-03-02T09:05:05',
    'x2026-03-02T09:05:05Z',
    '2026-03-02T09:05:05Zx',
  ])
    expect(Number.isNaN(of(odd)), odd).toBe(odd !== '2026-03-02T09:05:05')
})
