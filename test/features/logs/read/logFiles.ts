import fc from 'fast-check'
import type { SystemLog } from '../../../../src/features/logs/read/log.ts'
import type { SeriesFile } from '../../../../src/features/logs/read/prometheus.ts'
import { createLogReader, HEAD, type LogRead, logOf } from '../../../../src/features/logs/read/readLog.ts'
import { guessMapping } from '../../../../src/features/logs/read/seriesRoles.ts'

/** A row as plain values: times in microseconds. */
export interface PlainRow {
  readonly time: number
  readonly stage: string
  readonly queue: number
  readonly service: number
  readonly workers: number
}

/** Logs of a few stages, sparse and dense, with names that have to be quoted. */
export const anyRows: fc.Arbitrary<readonly PlainRow[]> = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom('A', 'parse', 'Zwei', 'a b', 'x,y', 'q"q', 'é;ü', '{', '日本'), {
      minLength: 1,
      maxLength: 5,
    }),
    origin: fc.constantFrom(0, 1_000_000, 1_730_000_000_000_000),
    steps: fc.array(
      fc.record({
        gap: fc.constantFrom(1000, 250_000, 1_000_000),
        rows: fc.array(
          fc.record({
            queue: fc.nat(2000),
            service: fc.integer({ min: 1, max: 9_000_000 }),
            workers: fc.nat(12),
            present: fc.boolean(),
          }),
          {
            minLength: 5,
            maxLength: 5,
          },
        ),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ names, origin, steps }) => {
    let time = origin
    return steps.flatMap(({ gap, rows }, k) => {
      time += gap
      return names.flatMap((stage, s) =>
        rows[s].present || (k === 0 && s === 0)
          ? [{ time, stage, queue: rows[s].queue, service: rows[s].service, workers: rows[s].workers }]
          : [],
      )
    })
  })
  .filter((rows) => rows.length > 0)

const quoted = (cell: string) =>
  /[",;\n]/.test(cell) || cell.startsWith('{') ? `"${cell.replaceAll('"', '""')}"` : cell

export function csvOf(rows: readonly PlainRow[], mark = ',', end = '\n'): string {
  const number = (x: number) => (mark === ';' ? String(x).replace('.', ',') : String(x))
  return [
    ['host', 'time_ms', 'Stage', 'queue', 'service_us', 'workers'].join(mark),
    ...rows.map(({ time, stage, queue, service, workers }) =>
      ['h1', number(time / 1000), quoted(stage), queue, number(service), workers].join(mark),
    ),
  ].join(end)
}

export function recordsOf(rows: readonly PlainRow[]): object[] {
  return rows.map(({ time, stage, queue, service, workers }) => ({
    note: { deep: ['}', 1] },
    stage,
    time_us: time,
    queue,
    service_ms: service / 1000,
    workers,
  }))
}

export function linesOf(rows: readonly PlainRow[]): string {
  return recordsOf(rows)
    .map((record) => JSON.stringify(record))
    .join('\n')
}

/** As Prometheus answers: a series for each of a stage's numbers. */
export function rangeQueryOf(rows: readonly PlainRow[]): string {
  const names = [...new Set(rows.map(({ stage }) => stage))]
  const parts = { queue_length: 'queue', service_time_us: 'service', busy_workers: 'workers' } as const
  return JSON.stringify({
    status: 'success',
    data: {
      resultType: 'matrix',
      result: Object.entries(parts).flatMap(([name, part]) =>
        names.map((stage) => ({
          metric: { __name__: name, instance: 'a:1', stage },
          values: rows.filter((row) => row.stage === stage).map((row) => [row.time / 1e6, String(row[part])]),
        })),
      ),
    },
  })
}

/** Space before a text, so that all but its first bytes come after the format is known. */
const AHEAD = HEAD - 250

/** Reads a text whole, and in small parts of which each is taken by itself; both must give the same. With a size only parts of this size are read. */
export function readLog(text: string | Uint8Array, size?: number): LogRead {
  const read = logIn(readParts([text], size ?? 1 << 20))
  if (size === undefined && typeof text === 'string' && text.length < 10_000)
    for (const part of [1, 7]) {
      const late = logIn(readParts(behindSpace(text), part))
      if (plain(late) !== plain(read)) throw new Error(`in parts of ${part}: ${plain(late)}, whole: ${plain(read)}`)
    }
  return read
}

/** The series of an answer of Prometheus. */
export function readSeries(text: string): SeriesFile {
  const read = readParts([text], 1 << 20)
  if (!('series' in read)) throw new Error(JSON.stringify(read.problems))
  return read
}

function logIn(read: LogRead | SeriesFile): LogRead {
  return 'series' in read ? logOf(read, guessMapping(read).mapping) : read
}

/** What was read, in one text. Places in bytes are those of the text without the space. */
function plain(read: LogRead): string {
  return JSON.stringify(read).replace(/byte [\d,]+/g, 'byte')
}

function behindSpace(text: string): string[] {
  const start = text.startsWith('\ufeff') ? 1 : 0
  return [`${text.slice(0, start)}${' '.repeat(AHEAD)}`, text.slice(start)]
}

/** The first of two texts comes at once, the other in parts. */
function readParts(texts: readonly (string | Uint8Array)[], size: number): LogRead | SeriesFile {
  const [first, ...others] = texts.map((text) => (typeof text === 'string' ? new TextEncoder().encode(text) : text))
  const reader = createLogReader()
  const parts = others.length > 0 ? [first, ...others.flatMap((bytes) => cut(bytes, size))] : cut(first, size)
  for (const part of parts) if (!reader.push(part)) break
  return reader.end()
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, k) => bytes.slice(k * size, (k + 1) * size))
}

export function soundLog(text: string, size?: number): SystemLog {
  const read = readLog(text, size)
  if (!('log' in read) || read.bad > 0) throw new Error(JSON.stringify(read.problems))
  return read.log
}

/** Rows as they were written, in the order of the log. */
export function rowsOf({ length, time, stage, stages, queue, service, workers, origin }: SystemLog): PlainRow[] {
  return Array.from({ length }, (_, i) => ({
    time: time[i] + origin,
    stage: stages[stage[i]],
    queue: queue[i],
    service: service[i],
    workers: workers[i],
  }))
}
