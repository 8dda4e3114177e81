/** Numbers of a message that are sent as they lie in memory. */
export type FrameColumn = Uint8Array | Float32Array | Float64Array
/** The columns of a message to send. A list of numbers becomes a column of doubles. */
export type ColumnsToSend = readonly (FrameColumn | readonly number[])[]

export type MessageFrame = { readonly head: unknown; readonly columns: readonly FrameColumn[] }

/** The longest message in bytes, for the broker too. The largest tile of a picture is far shorter. */
export const MAX_MESSAGE = 4_000_000
const MAX_COLUMNS = 20_000

const kinds = [Uint8Array, Float32Array, Float64Array] as const
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON of small messages is written here first, which is faster than allocating. */
const small = new Uint8Array(16_384)

/**
 * Returns the bytes of a message: the length of the JSON (4 bytes), the JSON `[head, [kind, length, kind, length, ...]]`, then the columns,
 * each at a multiple of 8, so that it is read in place. Numbers are little-endian.
 */
export function packFrame(head: unknown, columns: ColumnsToSend = []): Uint8Array<ArrayBuffer> {
  const shape = columns.flatMap((column) => [kindOf(column), column.length])
  const size = columns.reduce(
    (sum, column) => sum + aligned(column.length * kinds[kindOf(column)].BYTES_PER_ELEMENT),
    0,
  )
  const json = encoded(JSON.stringify([head, shape]))
  let at = aligned(4 + json.length)
  const bytes = new Uint8Array(at + size)
  new DataView(bytes.buffer).setUint32(0, json.length, true)
  bytes.set(json, 4)
  for (const column of columns) {
    const copy = new kinds[kindOf(column)](bytes.buffer, at, column.length)
    copy.set(column)
    at += aligned(copy.byteLength)
  }
  return bytes
}

function kindOf(column: ColumnsToSend[number]): 0 | 1 | 2 {
  return column instanceof Uint8Array ? 0 : column instanceof Float32Array ? 1 : 2
}

/** Returns the message in the bytes; null if they are not exactly one message. Never throws. Columns share the memory of the bytes. */
export function unpackFrame(given: Uint8Array): MessageFrame | null {
  if (given.length < 4 || given.length > MAX_MESSAGE) return null
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice()
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const json = jsonIn(bytes.subarray(4, 4 + length))
  if (!Array.isArray(json) || json.length !== 2 || !Array.isArray(json[1]) || json[1].length > 2 * MAX_COLUMNS)
    return null
  const [head, shape] = json as [unknown, unknown[]]
  const columns: FrameColumn[] = []
  let at = aligned(4 + length)
  for (let i = 0; i < shape.length; i += 2) {
    const kind = shape[i]
    const make = isCount(kind) ? kinds[kind] : undefined
    const count = shape[i + 1]
    if (make === undefined || !isCount(count) || at + count * make.BYTES_PER_ELEMENT > bytes.length) return null
    columns.push(new make(bytes.buffer as ArrayBuffer, bytes.byteOffset + at, count))
    at += aligned(count * make.BYTES_PER_ELEMENT)
  }
  return at === bytes.length ? { head, columns } : null
}

/** Returns the text as UTF-8, until the next call. */
function encoded(text: string): Uint8Array {
  // A code unit takes at most three bytes.
  return 3 * text.length <= small.length
    ? small.subarray(0, encoder.encodeInto(text, small).written)
    : encoder.encode(text)
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return null
  }
}

const isCount = (x: unknown): x is number => Number.isInteger(x) && (x as number) >= 0

const aligned = (length: number): number => Math.ceil(length / 8) * 8
