import { t } from '../../../language/translate.ts'
import { isObject } from '../../../scenario/model/optionChecks.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { countText } from '../../../scenario/model/words.ts'
import { writeTraceJson } from '../../../trace/formats/traceJson.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import {
  createFormatReader,
  type FormatReader,
  formatNames,
  isWrapped,
  type SpanFormat,
  spanFormatOf,
} from '../read/spanFormats.ts'
import type { SpanChoice } from '../read/spanJobs.ts'
import { type SpanRun, spanRunOf } from '../read/spanRun.ts'
import { createSpanWriter, type Described, type SpanTable } from '../read/spanTable.ts'

/** How many bytes are read to recognise a file. */
const SNIFF_BYTES = 16_384
/** The most spans of a file. */
export const MAX_SPANS = 1_000_000
/** The size of the largest file, in bytes, packed or not. */
export const MAX_SPAN_FILE = 2_000_000_000

export interface ReadSpans {
  readonly table: SpanTable
  readonly format: SpanFormat
  readonly notes: readonly string[]
}

/** Returns the bytes of a stream, unpacked if they are gzip. */
export async function* unpacked(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const source = parts[Symbol.asyncIterator]()
  const first = await source.next()
  const all = async function* () {
    if (first.done) return
    yield first.value
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  }
  if (first.done || first.value[0] !== 0x1f || first.value[1] !== 0x8b) return yield* all()
  const rest = all()
  const stream = new ReadableStream<BufferSource>({
    async pull(controller) {
      const { value, done } = await rest.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
  })
  const reader = stream.pipeThrough(new DecompressionStream('gzip')).getReader()
  for (;;) {
    const { value, done } = await reader.read().catch(() => {
      throw new Refusal('', t('the file is compressed (gzip), and damaged or incomplete'))
    })
    if (done) return
    yield value
  }
}

/** Returns the format of the spans of a file; null if it holds none. */
export async function spanFormatIn(file: Blob): Promise<SpanFormat | null> {
  const head = await file
    .slice(0, SNIFF_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  const bytes: Uint8Array[] = []
  try {
    for await (const part of unpacked(once(new Uint8Array(head)))) bytes.push(part)
  } catch {
    // A packed head ends too early; what came before is enough.
  }
  return spanFormatOf(new TextDecoder().decode(await new Blob(bytes as BlobPart[]).slice(0, SNIFF_BYTES).arrayBuffer()))
}

async function* once(part: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield part
}

/** Reads the spans of a file. Throws a Refusal where it holds none, or too many. Calls `progress` with the bytes that it has read. */
export async function readSpans(parts: AsyncIterable<Uint8Array>): Promise<ReadSpans> {
  const writer = createSpanWriter()
  let head = new Uint8Array(0)
  let format: SpanFormat | null = null
  let splitter: ReturnType<typeof createRecordSplitter> | null = null
  let size = 0

  function begin(): void {
    const text = new TextDecoder().decode(head)
    if (head.length === 0) throw new Refusal('', t('the file is empty'))
    if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
      throw new Refusal('', t('the file is {format}; allowed: CSV or JSON, in UTF-8', { format: 'UTF-16' }))
    format = spanFormatOf(text)
    if (text.includes('"apportion-trace"')) throw new Refusal('', t('is a trace; open it as a trace'))
    if (format === null)
      throw new Refusal('', t('has no spans; allowed: {formats}', { formats: Object.values(formatNames).join(', ') }))
    splitter = createRecordSplitter(createFormatReader(format, writer, isWrapped(text)))
    splitter.push(head)
  }

  for await (const part of unpacked(parts)) {
    size += part.length
    if (size > 2 * MAX_SPAN_FILE) throw new Refusal('', t('the file is too large'))
    if (splitter !== null) (splitter as ReturnType<typeof createRecordSplitter>).push(part)
    else {
      const joined = new Uint8Array(head.length + part.length)
      joined.set(head)
      joined.set(part, head.length)
      head = joined
      if (head.length >= SNIFF_BYTES) begin()
    }
    const spans = writer.table.start.length
    if (spans > MAX_SPANS) throw new Refusal('', t('more than {max}', { max: MAX_SPANS }))
  }
  if (splitter === null) begin()
  const { cut } = (splitter as unknown as ReturnType<typeof createRecordSplitter>).end()
  const table = writer.close()
  const notes = cut ? [t('The file breaks off; its last record is left out.')] : []
  if (table.left > 0) notes.push(t('Records without a beginning or an end are left out: {left}.', { left: table.left }))
  return { table, format: format as unknown as SpanFormat, notes }
}

/** Spans as the page and the terminal show them, or why they cannot be read. */
export type SpanFileRead =
  | { readonly problems: readonly Problem[] }
  | (Omit<SpanRun, 'trace'> & {
      readonly file: Blob
      readonly format: string
      readonly jobs: number
      readonly stages: readonly string[]
    })

/** Keeps the spans of a file, so that another choice reads nothing again. */
export function createSpanReading() {
  let read: ReadSpans | null = null
  let title = ''

  function choose(choice: SpanChoice): SpanFileRead {
    return settled(() => {
      if (read === null) throw new Refusal('', t('the file has no span with a beginning and an end'))
      const { trace, notes, ...run } = spanRunOf(read.table, choice, title)
      const file = new Blob([...writeTraceJson(trace)], { type: 'application/json' })
      const stages = trace.scenario.stages.map(({ name }) => name)
      return {
        ...run,
        file,
        format: formatNames[read.format],
        notes: [...read.notes, ...notes],
        jobs: trace.topology.stages === 0 ? 0 : arrivedIn(trace),
        stages,
      }
    })
  }

  return {
    choose,
    async open(file: Blob, name: string, choice: SpanChoice, progress: (share: number) => void): Promise<SpanFileRead> {
      title = name
      try {
        if (file.size > MAX_SPAN_FILE) throw new Refusal('', t('the file is too large'))
        read = await readSpans(partsOf(file, progress))
      } catch (error) {
        return { problems: problemsOf(error) }
      }
      return choose(choice)
    },
  }
}

async function* partsOf(file: Blob, progress: (share: number) => void): AsyncGenerator<Uint8Array, void, undefined> {
  const PART = 1 << 22
  for (let from = 0; from < file.size; from += PART) {
    progress(from / file.size)
    yield new Uint8Array(await file.slice(from, from + PART).arrayBuffer())
  }
  progress(1)
}

const arrivedIn = (trace: SpanRun['trace']): number =>
  trace.chunks.reduce((sum, { kind, length }) => sum + kind.subarray(0, length).filter((each) => each === 4).length, 0)

function settled(read: () => SpanFileRead): SpanFileRead {
  try {
    return read()
  } catch (error) {
    return { problems: problemsOf(error) }
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof Refusal) return [{ path: error.path, message: error.message }]
  return [
    {
      path: '',
      message: t('cannot be read: {why}', { why: error instanceof Error ? error.message : String(error) }),
    },
  ]
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN = 123
const CLOSE = 125

/** The longest record, in bytes. */
const LONGEST = 32_000_000

/**
 * Splits JSON that comes in parts into records, which the platform's own parser reads: a file of a gigabyte never becomes one tree. Everything
 * around the records is only counted through.
 */
function createRecordSplitter(reader: FormatReader) {
  const decoder = new TextDecoder()
  let bytes = new Uint8Array(0)
  let before = 0
  let at = 0
  /** Where the object begins that is being taken, how deep it is, and what takes it. */
  let from = -1
  let fromDepth = 0
  let take: ((value: Described) => void) | null = null
  /** The keys of the lists and objects that are open, and the key that was read last. */
  const keys: string[] = []
  const lists: boolean[] = []
  let key = ''
  let text = ''
  let taken = 0

  function parsed(to: number): Described {
    const part = decoder.decode(bytes.subarray(from, to))
    try {
      const value: unknown = JSON.parse(part)
      if (isObject(value)) return value
    } catch {
      // Its place says more than the words of the platform.
    }
    throw new Refusal(
      '',
      t('what begins at {json} is not JSON', { json: t('byte {x}', { x: countText(before + from + 1) }) }),
    )
  }

  /** Returns the place behind the text that begins here; -1 if its end is missing yet. */
  function behindText(): number {
    for (let end = bytes.indexOf(QUOTE, at + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
      let slashes = 0
      while (bytes[end - 1 - slashes] === BACKSLASH) slashes++
      if (slashes % 2 === 0) return end + 1
    }
    return -1
  }

  function open(isList: boolean): void {
    const own = lists.at(-1) ? (keys.at(-1) ?? '') : key
    if (!isList && from < 0) {
      take = reader.isRecord(own, keys.length)
        ? reader.record
        : reader.isContext(own, keys.length)
          ? reader.context
          : null
      if (take !== null) {
        from = at
        fromDepth = keys.length
      }
    }
    keys.push(own)
    lists.push(isList)
    key = ''
  }

  function close(): void {
    const own = keys.pop() ?? ''
    const isList = lists.pop() ?? false
    if (from >= 0 && keys.length === fromDepth) {
      take?.(parsed(at + 1))
      taken++
      from = -1
    }
    // An object in the list of groups, or a group that stands alone.
    if (from < 0 && !isList && (reader.isGroup(own, keys.length) || keys.length === 0)) reader.groupEnd()
  }

  function scan(): void {
    const { length } = bytes
    while (at < length) {
      const code = bytes[at]
      if (code === QUOTE) {
        const end = behindText()
        if (end < 0) return
        if (from < 0) text = end - at < 100 ? decoder.decode(bytes.subarray(at + 1, end - 1)) : ''
        at = end
        continue
      }
      if (code === OPEN || code === OPEN_LIST) open(code === OPEN_LIST)
      else if (code === CLOSE || code === CLOSE_LIST) close()
      else if (code === COLON && from < 0) key = text
      else if (code === COMMA && from < 0) key = ''
      at++
    }
  }

  return {
    push(part: Uint8Array): void {
      const keep = from >= 0 ? from : at
      const rest = bytes.subarray(Math.min(keep, bytes.length))
      if (rest.length > LONGEST) throw new Refusal('', t('is longer than {n} bytes', { n: countText(LONGEST) }))
      const joined = new Uint8Array(rest.length + part.length)
      joined.set(rest)
      joined.set(part, rest.length)
      before += keep
      at -= keep
      if (from >= 0) from = 0
      bytes = joined
      scan()
    },
    /** Ends the file. Returns how many records it had, and whether it broke off. */
    end(): { readonly records: number; readonly cut: boolean } {
      // Some programs never close their list.
      const cut = from >= 0 || at < bytes.length || keys.length > (lists[0] ? 1 : 0)
      reader.groupEnd()
      return { records: taken, cut }
    },
  }
}
