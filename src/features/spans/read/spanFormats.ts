import { NONE } from '../../../pipeline/rows.ts'
import { isObject } from '../../../scenario/model/optionChecks.ts'
import { asNumber, type Described, errorIn, listIn, microsOfNanos, type SpanWriter, textIn } from './spanTable.ts'

export type SpanFormat = 'otlp' | 'chrome' | 'jaeger' | 'zipkin' | 'lines' | 'pino'

/** What formats are called. */
export const formatNames: Readonly<Record<SpanFormat, string>> = {
  otlp: 'OpenTelemetry (OTLP JSON)',
  chrome: 'Chrome Trace Event',
  jaeger: 'Jaeger',
  zipkin: 'Zipkin',
  lines: 'apportion:job',
  pino: 'pino',
}

/** Returns the format of spans that a text begins with; null if it has none. */
export function spanFormatOf(head: string): SpanFormat | null {
  const text = head.replace(/^\ufeff/, '').trimStart()
  if (!/^[[{]/.test(text)) return null
  const has = (...keys: string[]) => keys.every((key) => text.includes(`"${key}"`))
  if (/"resourceSpans"\s*:/.test(text)) return 'otlp'
  if (/"traceEvents"\s*:/.test(text) || (/"ph"\s*:\s*"[A-Za-z]"/.test(text) && has('ts'))) return 'chrome'
  if (has('traceID', 'spans') || has('traceID', 'operationName')) return 'jaeger'
  if (has('traceId', 'id') && (has('localEndpoint') || (text.startsWith('[') && has('duration')))) return 'zipkin'
  if (has('job', 'stage', 'began', 'ended') && !has('apportion-trace')) return 'lines'
  return has('level', 'time', 'stage') && text.split('\n', LINES).some((line) => durationIn(line) !== null)
    ? 'pino'
    : null
}

/** How many lines of pino may say other things before one that says how long a job took. */
const LINES = 40
/** Keys of a job and of how long it took: pino-http writes responseTime, in milliseconds. */
const JOB = /^(job|task|order|item|request|req|message|document|record)_?(id|no|nr|number|key)?$/i
const DURATION = /^(duration|took|elapsed|response_?time|service_?time|service|latency|ms)_?(us|ms|s|sec|seconds)?$/i

/** Returns a line of pino that says when a job ended at a stage and how long that took, with the key of the time; null for another line. */
function durationIn(line: string): readonly [value: Described, key: string] | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? durationOf(value) : null
  } catch {
    return null
  }
}

function durationOf(value: Described): readonly [value: Described, key: string] | null {
  const keys = Object.keys(value)
  const key = keys.find((each) => DURATION.test(each) && typeof value[each] === 'number')
  const isJob =
    typeof value.level === 'number' &&
    typeof value.time === 'number' &&
    typeof value.stage === 'string' &&
    keys.some((each) => JOB.test(each))
  return isJob && key !== undefined ? [value, key] : null
}

/** Where a record stands: its key (that of the list that it is in), and how many lists and objects are around it. */
export type Place = (key: string, depth: number) => boolean

/** A reader of one format. `record` and `context` say which objects it is given; `groupEnd` where a group of spans ends. */
export interface FormatReader {
  readonly isRecord: Place
  readonly isContext: Place
  readonly isGroup: Place
  record(value: Described): void
  context(value: Described): void
  groupEnd(): void
}

const never = (): boolean => false
const nothing = (): void => {}

/** Returns whether the records stand in an object with other keys, and are not themselves the list or the lines. */
export function isWrapped(head: string): boolean {
  return /^\ufeff?\s*\{/.test(head) && /"(traceEvents|spans|resourceSpans|data)"\s*:/.test(head)
}

/** Returns the reader of a format, which adds its spans to a writer. */
export function createFormatReader(format: SpanFormat, writer: SpanWriter, wrapped: boolean): FormatReader {
  switch (format) {
    case 'otlp':
      return otlp(writer)
    case 'jaeger':
      return jaeger(writer, wrapped)
    case 'chrome':
      return { ...plain(chrome(writer)), isRecord: (key, depth) => key === 'traceEvents' || (!wrapped && depth <= 1) }
    case 'zipkin':
      return { ...plain((value) => zipkin(writer, value)), isRecord: (_, depth) => depth <= 2 }
    case 'lines':
      return { ...plain((value) => jobLine(writer, value)), isRecord: (_, depth) => depth <= 1 }
    case 'pino':
      return { ...plain((value) => pinoLine(writer, value)), isRecord: (_, depth) => depth <= 1 }
  }
}

function plain(record: (value: Described) => void) {
  return { isContext: never, isGroup: never, record, context: nothing, groupEnd: nothing }
}

function* otlpAttributes(list: unknown): Generator<[string, unknown]> {
  for (const item of listIn(list)) {
    const value = item.value
    if (typeof item.key === 'string' && isObject(value))
      yield [item.key, value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue]
  }
}

function otlp(writer: SpanWriter): FormatReader {
  const inGroup = createGroup(writer)
  return {
    isRecord: (key) => key === 'spans',
    isContext: (key) => key === 'resource',
    isGroup: (key) => key === 'resourceSpans',
    record(span) {
      const status = isObject(span.status) ? span.status : {}
      const failed = status.code === 2 || status.code === 'STATUS_CODE_ERROR'
      const thrown = listIn(span.events).flatMap((event) =>
        [...otlpAttributes(event.attributes)].filter(([key]) => key === 'exception.message'),
      )
      inGroup.add({
        name: textIn(span.name) ?? '',
        start: microsOfNanos(span.startTimeUnixNano),
        end: microsOfNanos(span.endTimeUnixNano),
        trace: textIn(span.traceId),
        id: textIn(span.spanId),
        parent: textIn(span.parentSpanId),
        error: failed ? (textIn(status.message) ?? textIn(thrown[0]?.[1]) ?? '') : null,
        attributes: otlpAttributes(span.attributes),
      })
    },
    context: (resource) => inGroup.tell([...otlpAttributes(resource.attributes)]),
    groupEnd: inGroup.end,
  }
}

/** Spans of a group have its attributes too, which may come after them. */
function createGroup(writer: SpanWriter) {
  let from = writer.table.start.length
  let told: readonly (readonly [string, unknown])[] = []
  return {
    add: writer.add,
    tell: (attributes: readonly (readonly [string, unknown])[]) => {
      told = attributes
    },
    end(): void {
      for (let span = from; span < writer.table.start.length; span++)
        for (const [key, value] of told) writer.setAttribute(span, key, value)
      from = writer.table.start.length
      told = []
    },
  }
}

const tagsOf = (tags: unknown): [string, unknown][] =>
  listIn(tags).flatMap(({ key, value }) => (typeof key === 'string' ? [[key, value]] : []))

function jaeger(writer: SpanWriter, wrapped: boolean): FormatReader {
  let from = 0
  let processes: Described = {}
  const processOf: string[] = []
  const namesOf = (process: unknown): [string, unknown][] =>
    isObject(process) ? [['service.name', process.serviceName], ...tagsOf(process.tags)] : []
  return {
    isRecord: (key, depth) => key === 'spans' || (!wrapped && depth === 0),
    isContext: (key) => key === 'processes',
    isGroup: (key) => key === 'data',
    record(span) {
      const tags = new Map(tagsOf(span.tags))
      const failed =
        tags.get('error') === true || tags.get('error') === 'true' || tags.get('otel.status_code') === 'ERROR'
      const parent = listIn(span.references).find(({ refType }) => refType === 'CHILD_OF') ?? listIn(span.references)[0]
      const start = asNumber(span.startTime)
      const added = writer.add({
        name: textIn(span.operationName) ?? '',
        start,
        end: start + asNumber(span.duration),
        trace: textIn(span.traceID),
        id: textIn(span.spanID),
        parent: textIn(parent?.spanID),
        error: failed ? (textIn(tags.get('otel.status_description')) ?? '') : null,
        attributes: [...tags, ...namesOf(span.process)],
      })
      if (added !== NONE) processOf[added] = textIn(span.processID) ?? ''
    },
    context(value) {
      processes = value
    },
    groupEnd() {
      const { length } = writer.table.start
      for (let span = from; span < length; span++)
        for (const [key, value] of namesOf(processes[processOf[span] ?? ''])) writer.setAttribute(span, key, value)
      from = length
      processes = {}
    },
  }
}

function zipkin(writer: SpanWriter, span: Described): void {
  const start = asNumber(span.timestamp)
  const tags = isObject(span.tags) ? span.tags : {}
  const here = isObject(span.localEndpoint) ? span.localEndpoint : {}
  writer.add({
    name: textIn(span.name) ?? '',
    start,
    // Zipkin leaves out a duration of 0.
    end: start + (span.duration === undefined ? 0 : asNumber(span.duration)),
    trace: textIn(span.traceId),
    id: textIn(span.id),
    parent: textIn(span.parentId),
    error: tags.error === undefined ? null : String(tags.error),
    attributes: [...Object.entries(tags), ['service.name', here.serviceName], ['kind', span.kind]],
  })
}

/** A line of Node's channel `apportion:job`. */
function jobLine(writer: SpanWriter, line: Described): void {
  writer.add({
    name: textIn(line.stage) ?? '',
    start: asNumber(line.began),
    end: asNumber(line.ended),
    error: errorIn(line.error),
    attributes: Object.entries(line).filter(([key]) => key !== 'began' && key !== 'ended'),
  })
}

/** The level of errors; higher ones are fatal. */
const PINO_ERROR = 50

/** A line of pino: its time, in milliseconds, is when the service ended. Lines that say other things are no services. */
function pinoLine(writer: SpanWriter, line: Described): void {
  const found = durationOf(line)
  if (found === null) return
  const [, key] = found
  const [, , unit = 'ms'] = DURATION.exec(key.toLowerCase()) ?? []
  const end = asNumber(line.time) * 1000
  const scale = unit === 'us' ? 1 : unit === 'ms' ? 1000 : 1_000_000
  writer.add({
    name: textIn(line.stage) ?? '',
    start: end - asNumber(line[key]) * scale,
    end,
    error: errorIn(line.err) ?? (asNumber(line.level) >= PINO_ERROR ? (textIn(line.msg) ?? '') : null),
    attributes: Object.entries(line).filter(
      ([each]) => ![key, 'level', 'time', 'hostname', 'msg', 'err'].includes(each),
    ),
  })
}

interface Open {
  readonly name: string
  readonly start: number
  readonly event: Described
}

/** What Chrome's events have as a category or a status if something went wrong; this page writes `thrown away`. */
const isFailed = (word: unknown): boolean =>
  typeof word === 'string' && /^(error|failed|failure|thrown away)$/i.test(word)

/** Complete events, pairs of begin and end on a thread, and asynchronous pairs. Nesting on a thread makes parents later. */
function chrome(writer: SpanWriter): (event: Described) => void {
  const stacks = new Map<string, Open[]>()
  const pairs = new Map<string, Open[]>()
  const threadOf = ({ pid, tid }: Described) => `${textIn(pid) ?? ''}/${textIn(tid) ?? ''}`

  function add({ name, start, event }: Open, end: number, last: Described, isSync: boolean): void {
    const args = { ...(isObject(event.args) ? event.args : {}), ...(isObject(last.args) ? last.args : {}) }
    const words = [event.cat, last.cat].flatMap((cat) => (textIn(cat) ?? '').split(',')).map((word) => word.trim())
    // Such as "job 7", as this page writes it.
    const named = words.flatMap((word): [string, string][] =>
      [...word.matchAll(/^(\w+) (\d+)$/g)].map(([, key, value]) => [key, value]),
    )
    writer.add({
      name,
      start,
      end,
      error: errorIn(args.error) ?? errorIn(args.err) ?? (words.some(isFailed) || isFailed(args.status) ? '' : null),
      attributes: [
        ...(isSync ? [['thread', threadOf(event)] as const] : []),
        ['pid', event.pid],
        ...named,
        ...Object.entries(args),
      ],
    })
  }

  return (event) => {
    const name = textIn(event.name) ?? ''
    const time = asNumber(event.ts)
    if (event.ph === 'X') {
      // Without a duration it was cut off.
      add({ name, start: time, event }, event.dur === undefined ? Number.NaN : time + asNumber(event.dur), event, true)
      return
    }
    const isSync = event.ph === 'B' || event.ph === 'E'
    if (!isSync && event.ph !== 'b' && event.ph !== 'e') return
    const key = isSync ? threadOf(event) : [event.cat, event.id ?? JSON.stringify(event.id2), name].join('|')
    const open = isSync ? stacks : pairs
    const stack = open.get(key) ?? []
    open.set(key, stack)
    if (event.ph === 'B' || event.ph === 'b') stack.push({ name, start: time, event })
    else {
      const begun = stack.pop()
      if (begun !== undefined) add(begun, time, event, isSync)
    }
    if (stack.length === 0) open.delete(key)
  }
}
