import { t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'

/** The columns of a log, by number. */
export const [TIME, STAGE, QUEUE, SERVICE, WORKERS, COMPLETED, ARRIVALS, BUSY, P95, P99, COLUMNS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** The meaning of a heading or key. */
export interface Heading {
  readonly column: number
  /** Microseconds in one unit; 0 if no unit is named, 1 for a column without units. */
  readonly scale: number
}

/** The columns that a log must have. */
export const needed = [TIME, STAGE, QUEUE, SERVICE]

const names: readonly (readonly string[])[] = [
  ['time', 'timestamp'],
  ['stage'],
  ['queue', 'queue_length', 'waiting'],
  ['service', 'service_time', 'mean_service'],
  ['workers'],
  ['completed'],
  ['arrivals'],
  ['busy', 'busy_workers', 'in_service'],
  ['p95', 'service_p95', 'service_time_p95', 'p95_service'],
  ['p99', 'service_p99', 'service_time_p99', 'p99_service'],
]
/** The columns whose unit is one of time. */
export const timed: readonly number[] = [TIME, SERVICE, P95, P99]
/** Microseconds of a day. Times in days start like those of spreadsheets. */
export const DAY = 86_400_000_000
const scales: Readonly<Record<string, number>> = { us: 1, microseconds: 1, ms: 1000, milliseconds: 1000, s: 1_000_000, seconds: 1_000_000 }

/** Returns the names of each column, for messages. */
export function allowedNames(): readonly string[] {
  const or = (name: string, others: string) => t('{name} (or {others})', { name, others })
  return [
    or('time', 'time_s, time_ms, time_us, time_days'),
    'stage',
    or('queue', 'queue_length, waiting'),
    listed(['service_us', 'service_ms', 'service_s'], 'or'),
    'workers',
  ]
}

/** Returns a name in the style of Prometheus: `Latency (ms)` as `latency_ms`. */
export function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[µμ]/g, 'u')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Returns the meaning of a heading such as `time`, `Queue length`, `service_ms` or `Service (ms)`; null where it is unknown. */
export function headingOf(text: string): Heading | null {
  const plain = plainName(text)
  const [, stem = plain, unit = ''] = /^(.+)_([a-z]+)$/.exec(plain) ?? []
  for (let column = 0; column < COLUMNS; column++) {
    const isTimed = timed.includes(column)
    if (names[column].includes(plain)) return { column, scale: isTimed ? 0 : 1 }
    if (isTimed && names[column].includes(stem) && Object.hasOwn(scales, unit)) return { column, scale: scales[unit] }
    if (column === TIME && names[column].includes(stem) && unit === 'days') return { column, scale: DAY }
  }
  return null
}
