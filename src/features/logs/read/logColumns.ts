import { t } from '../../../language/translate.ts'
import { fromUtf8, toUtf8 } from '../../../scenario/link/bytes.ts'
import { listed } from '../../../scenario/model/words.ts'

/** The columns of a log, by number. */
export const [TIME, STAGE, QUEUE, SERVICE, WORKERS, COMPLETED, ARRIVALS, BUSY, P95, P99, COLUMNS] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const

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
const scales: Readonly<Record<string, number>> = {
  us: 1,
  microseconds: 1,
  ms: 1000,
  milliseconds: 1000,
  s: 1_000_000,
  seconds: 1_000_000,
}

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

/** Returns a name in the style of Prometheus: `Latency (ms)` and `latencyMs` as `latency_ms`. */
export function plainName(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[µμ]/g, 'u')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Returns the microseconds in the unit that a name ends with; 0 if it names none. */
export function unitIn(name: string): number {
  const unit = /(?:^|_)(us|micro[a-z]*|ms|milli[a-z]*|s|sec[a-z]*)[^a-z]*$/.exec(plainName(name))?.[1] ?? ''
  if (/^(us|micro)/.test(unit)) return 1
  if (/^(ms|milli)/.test(unit)) return 1000
  return unit === '' ? 0 : 1_000_000
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

/** The characters of Windows-1252 from 0x80 to 0x9f. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Returns the text of a cell: UTF-8, or else Windows-1252, as spreadsheets write it. */
export function cellText(bytes: Uint8Array): string {
  const text = fromUtf8(bytes)
  // U+FFFD may be in the text itself: then it is the same bytes again.
  if (!text.includes('\ufffd') || equalBytes(toUtf8(text), bytes, 0, bytes.length)) return text
  return Array.from(bytes, (code) =>
    code >= 0x80 && code < 0xa0 ? WINDOWS_1252[code - 0x80] : String.fromCharCode(code),
  ).join('')
}

/** Matches the first line in which a spreadsheet names the separator of cells. */
export const separatorLine = /^"?sep=.?"?\r?(\n|$)/i

/** Returns the cells of a line, without space at their ends. A cell in quotes may contain the separator, and "" for a quote. */
export function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let i = 0; i < line.length; i++) {
    const character = line[i]
    if (quoted && character === '"' && line[i + 1] === '"') cell += line[++i]
    else if (character === '"' && (quoted || cell === '')) quoted = !quoted
    else if (character === separator && !quoted) {
      cells.push(cell.trim())
      cell = ''
    } else cell += character
  }
  return [...cells, cell.trim()]
}

/** Caches the meanings of up to `max` spellings, so that repeated bytes are decoded once. Of two with the same hash the first is kept. */
export function createSpellings<T>(max: number) {
  const known = new Map<number, { readonly spelled: Uint8Array; readonly meaning: T }>()
  return {
    /** Returns the meaning of the bytes from `from` to `to`; undefined where they are unknown. */
    find(bytes: Uint8Array, from: number, to: number): T | undefined {
      const found = known.get(hashOf(bytes, from, to))
      return found !== undefined && equalBytes(found.spelled, bytes, from, to) ? found.meaning : undefined
    },
    /** Returns `meaning`. */
    remember(bytes: Uint8Array, from: number, to: number, meaning: T): T {
      const hash = hashOf(bytes, from, to)
      if (known.size < max && !known.has(hash)) known.set(hash, { spelled: bytes.slice(from, to), meaning })
      return meaning
    },
  }
}

/** FNV-1a (Fowler, Noll and Vo 1991). */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return hash
}

function equalBytes(spelled: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  return spelled.length === to - from && spelled.every((byte, k) => byte === bytes[from + k])
}
