import { isTile, type Json, type Payload } from '../../../engine/work/kernels.ts'
import type { Tile } from '../../../engine/work/mandelbrot.ts'

/**
 * A value as it goes to the code of a stage and comes from it: JSON, and the bytes of the typed arrays in it, each of which stands in the text as
 * `{"\u0000": [kind, first byte, length]}`. The conductor keeps the text as it is: it reads nothing that code of a stage has made up.
 */
export interface Wire {
  readonly text: string
  readonly bytes: Uint8Array<ArrayBuffer> | null
}

export const MARK = '\u0000'

const kinds = {
  ...{
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  },
} as const
type View = InstanceType<(typeof kinds)[keyof typeof kinds]>

export function wireOf(payload: Payload): Wire {
  if (typeof payload === 'string') return { text: JSON.stringify(payload), bytes: null }
  if (payload instanceof Uint8Array) return withViews(payload)
  return isTile(payload) ? withViews({ ...payload }) : { text: JSON.stringify(payload.record), bytes: null }
}

function withViews(value: unknown): Wire {
  const views: Uint8Array[] = []
  let length = 0
  const text = JSON.stringify(value, (_, each: unknown) => {
    if (!ArrayBuffer.isView(each)) return each
    const view = each as View
    const at = length
    views.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
    length += view.byteLength
    return { [MARK]: [view.constructor.name, at, view.length] }
  })
  const bytes = new Uint8Array(length)
  let at = 0
  for (const view of views) {
    bytes.set(view, at)
    at += view.length
  }
  return { text, bytes: length === 0 ? null : bytes }
}

/** Returns the value with its typed arrays. Throws a RangeError if it is none. */
export function wireValue({ text, bytes }: Wire): unknown {
  if (bytes === null) return JSON.parse(text)
  return JSON.parse(text, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || !Object.hasOwn(each, MARK)) return each
    const [kind, at, length] = (each as { readonly [MARK]: readonly [keyof typeof kinds, number, number] })[MARK]
    if (!Object.hasOwn(kinds, kind) || !isCount(at) || !isCount(length)) throw new RangeError('this is no typed array')
    const Kind = kinds[kind]
    const end = at + length * Kind.BYTES_PER_ELEMENT
    if (end > bytes.length) throw new RangeError('this typed array is longer than its bytes')
    return new Kind(bytes.slice(at, end).buffer)
  })
}

const isCount = (n: unknown) => Number.isSafeInteger(n) && (n as number) >= 0

/** Returns the payload of a kernel, to which typed arrays are lists of numbers, except the bytes and the tiles that it knows. */
export function payloadOf(wire: Wire): Payload {
  const value = wireValue(wire)
  if (typeof value === 'string' || value instanceof Uint8Array) return value
  const tile = tileInValue(value)
  return tile ?? { record: (wire.bytes === null ? value : JSON.parse(plainTextOf(wire))) as Json }
}

/** Returns the JSON of a value in which typed arrays are lists of numbers. */
export function plainTextOf(wire: Wire): string {
  if (wire.bytes === null) return wire.text
  return JSON.stringify(wireValue(wire), (_, each: unknown) =>
    ArrayBuffer.isView(each) ? Array.from(each as Uint8Array, Number) : each,
  )
}

/** Returns the tile that a value is: its size and, if it is coloured, its pixels. Null for other values. */
export function tileInValue(value: unknown): Tile | null {
  if (typeof value !== 'object' || value === null) return null
  const { width, height, x, y, step, iterations, counts, pixels } = value as Partial<Record<keyof Tile, unknown>>
  if (!isCount(width) || !isCount(height)) return null
  const area = (width as number) * (height as number)
  const coloured = pixels instanceof Uint8Array || pixels instanceof Uint8ClampedArray
  if (coloured ? pixels.length !== 4 * area : pixels !== null && pixels !== undefined) return null
  const counted = counts instanceof Float32Array && counts.length === 2 * area
  if (!coloured && !counted && typeof iterations !== 'number') return null
  return {
    width: width as number,
    height: height as number,
    x: Number(x),
    y: Number(y),
    step: Number(step),
    iterations: Number(iterations),
    counts: counted ? counts : null,
    pixels: coloured ? new Uint8Array(pixels.buffer as ArrayBuffer, pixels.byteOffset, pixels.length) : null,
  }
}

/** Returns the value of a join: the parts by the id of the stage that each left. */
export function joinedWires(parts: readonly (readonly [id: string, part: Wire])[]): Wire {
  if (parts.length === 1) return parts[0][1]
  if (parts.every(([, { bytes }]) => bytes === null))
    return { text: `{${parts.map(([id, { text }]) => `${JSON.stringify(id)}:${text}`).join(',')}}`, bytes: null }
  return withViews(Object.fromEntries(parts.map(([id, part]) => [id, wireValue(part)])))
}
