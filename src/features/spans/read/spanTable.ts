/** Stands where a span has no such text or parent. */
export const NONE = -1

/** The most attributes that are kept, in the order in which they come. */
const MAX_KEYS = 64
/** Longer values are not kept: they name no job, stage or worker. */
const MAX_VALUE = 200

/** Spans in columns. Times are in microseconds of the file's clock; texts are numbers in `texts`. */
export interface SpanTable {
  readonly start: number[]
  readonly end: number[]
  readonly name: number[]
  /** The trace that a span belongs to, and by number the span around or before it. */
  readonly trace: number[]
  readonly parent: number[]
  /** What went wrong. */
  readonly error: number[]
  /** By name; a column may be shorter than the others. */
  readonly attributes: Map<string, number[]>
  readonly texts: string[]
  /** How many records of the file were no spans with a beginning and an end. */
  left: number
}

/** A span as a format has it. */
export interface SpanRecord {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly trace?: string | undefined
  readonly id?: string | undefined
  readonly parent?: string | undefined
  /** By number, where a format knows it. */
  readonly parentSpan?: number
  readonly error?: string | null
  readonly attributes: Iterable<readonly [key: string, value: unknown]>
}

export type SpanWriter = ReturnType<typeof createSpanWriter>

/** Returns a table and what fills it. */
export function createSpanWriter() {
  const table: SpanTable = { start: [], end: [], name: [], trace: [], parent: [], error: [], attributes: new Map(), texts: [], left: 0 }
  const numbers = new Map<string, number>()
  const spans = new Map<string, number>()
  /** The parents by id, which may come after their children. */
  const wanted: [span: number, id: string][] = []

  function textOf(text: string): number {
    let number = numbers.get(text)
    if (number === undefined) {
      number = table.texts.length
      numbers.set(text, number)
      table.texts.push(text)
    }
    return number
  }

  function setAttribute(span: number, key: string, value: unknown): void {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
    const text = String(value)
    if (text === '' || text.length > MAX_VALUE) return
    let column = table.attributes.get(key)
    if (column === undefined) {
      if (table.attributes.size >= MAX_KEYS) return
      column = []
      table.attributes.set(key, column)
    }
    while (column.length < span) column.push(NONE)
    // What the span itself says comes before what its group says.
    if ((column[span] ?? NONE) === NONE) column[span] = textOf(text)
  }

  return {
    table,
    setAttribute,
    /** Adds a span. Returns its number; NONE if its times are none. */
    add({ name, start, end, trace, id, parent, parentSpan = NONE, error, attributes }: SpanRecord): number {
      if (!(Number.isFinite(start) && end >= start)) {
        table.left++
        return NONE
      }
      const span = table.start.length
      table.start.push(start)
      table.end.push(end)
      table.name.push(textOf(name))
      table.trace.push(trace === undefined ? NONE : textOf(trace))
      table.parent.push(parentSpan)
      table.error.push(error === undefined || error === null ? NONE : textOf(error))
      for (const [key, value] of attributes) setAttribute(span, key, value)
      if (id !== undefined && !spans.has(id)) spans.set(id, span)
      if (parent !== undefined && parent !== '') wanted.push([span, parent])
      return span
    },
    /** Finds the parents. */
    close(): SpanTable {
      for (const [span, id] of wanted.splice(0)) {
        const parent = spans.get(id) ?? NONE
        if (parent !== span) table.parent[span] = parent
      }
      spans.clear()
      numbers.clear()
      return table
    },
  }
}

/** Returns the text of an attribute of a span, as a number; NONE where it has none. */
export function valueAt(column: readonly number[] | undefined, span: number): number {
  return column?.[span] ?? NONE
}
