/** A growable column of numbers: whole numbers in 32 bits each, or doubles as soon as one does not fit. */
export type Column = Uint32Array | Float64Array

/** Whether the number fits in 32 bits. Times in microseconds fit up to 71 minutes and 35 seconds. */
export function fitsIn32Bits(value: number): boolean {
  return value >>> 0 === value
}

export function widened(column: Column): Float64Array {
  return column instanceof Float64Array ? column : Float64Array.from(column)
}

/** A column of stages or workers: in 8 bits each, or 16 as soon as one does not fit. */
export type Ids = Int8Array | Int16Array

/** The highest number that fits in 8 bits beside NONE. */
export const MAX_SMALL_ID = 127

export function widenedIds(ids: Ids): Int16Array {
  return ids instanceof Int16Array ? ids : Int16Array.from(ids)
}

type AnyColumn = Uint8Array | Uint16Array | Ids | Int32Array | Column

/** Returns the same numbers with room for `length`. Numbers beyond that are cut off. */
export function resized<T extends AnyColumn>(column: T, length: number): T {
  const copy = new (column.constructor as new (length: number) => T)(length)
  copy.set(column.length > length ? column.subarray(0, length) : column)
  return copy
}

/** Returns the same numbers with room for `needed` and half as many again. The new places hold `filler`. */
export function grown<T extends AnyColumn>(column: T, needed: number, filler = 0): T {
  return resized(column, Math.ceil(needed * 1.5) + 64).fill(filler, column.length) as T
}
