import { strFromU8, strToU8 } from 'fflate'
import { MAX_ITEMS } from '../model/limits.ts'

/** A shape writes and reads one kind of plain JSON without keys and brackets. Reading throws RangeError on other bytes or too many values. */
export type ByteShape = { write(bytes: number[], value: unknown): void; read(reader: Reader): unknown }

export interface Reader {
  readonly bytes: Uint8Array
  at: number
  /** How many list items may still be read: a few bytes can ask for very many. */
  items: number
}

export function createReader(bytes: Uint8Array): Reader {
  return { bytes, at: 0, items: 4 * MAX_ITEMS }
}

const LAST_UNIT = 562_949_953_421_312

/** Whole numbers from 0 to 2^53-1, seven bits a byte, the lowest first. */
export const varint = {
  write(bytes: number[], value: number): void {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  },
  read(reader: Reader): number {
    let value = 0
    for (let unit = 1; unit <= LAST_UNIT; unit *= 128) {
      if (reader.at >= reader.bytes.length) break
      const byte = reader.bytes[reader.at++]
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
    throw new RangeError('no number')
  },
}

export function toUtf8(text: string): Uint8Array {
  return strToU8(text)
}

export function fromUtf8(bytes: Uint8Array): string {
  // Decoders drop a byte order mark at the beginning, but here it is a character of the text.
  let marks = 0
  while (bytes[3 * marks] === 0xef && bytes[3 * marks + 1] === 0xbb && bytes[3 * marks + 2] === 0xbf) marks++
  return '\ufeff'.repeat(marks) + strFromU8(bytes.subarray(3 * marks))
}

export const text: ByteShape = {
  write(bytes, value) {
    const encoded = toUtf8(String(value))
    varint.write(bytes, encoded.length)
    for (const byte of encoded) bytes.push(byte)
  },
  read(reader) {
    const length = varint.read(reader)
    if (length > reader.bytes.length - reader.at) throw new RangeError('no text')
    reader.at += length
    return fromUtf8(reader.bytes.subarray(reader.at - length, reader.at))
  },
}

/** A number is digits x 10^exponent, the exponent's index in the lowest three bits: 12000 is 12 x 10^3, one byte. Others are text (index 7). */
const exponents = [0, 1, 2, 3, 6, -1, -2]
export const number: ByteShape = {
  write(bytes, value) {
    const decimal = String(value)
    let best = Number.POSITIVE_INFINITY
    if (/^\d+(\.\d+)?$/.test(decimal))
      for (const [index, exponent] of exponents.entries()) {
        const digits = Number(`${decimal}e${-exponent}`)
        const code = digits * 8 + index
        if (
          Number.isSafeInteger(digits) &&
          Number.isSafeInteger(code) &&
          code < best &&
          Number(`${digits}e${exponent}`) === value
        )
          best = code
      }
    if (best < Number.POSITIVE_INFINITY) return varint.write(bytes, best)
    varint.write(bytes, 7)
    text.write(bytes, decimal)
  },
  read(reader) {
    const code = varint.read(reader)
    const index = code % 8
    return index === 7 ? Number(text.read(reader)) : Number(`${(code - index) / 8}e${exponents[index]}`)
  },
}

export const flag: ByteShape = {
  write: (bytes, value) => varint.write(bytes, value === true ? 1 : 0),
  read: (reader) => varint.read(reader) === 1,
}

/** One of a few words, by its place. New words go to the end. */
export function word(words: readonly string[]): ByteShape {
  return {
    write: (bytes, value) => varint.write(bytes, words.indexOf(String(value))),
    read: (reader) => known(words[varint.read(reader)]),
  }
}

export function listBytes(item: ByteShape): ByteShape {
  return {
    write(bytes, value) {
      const items = value as readonly unknown[]
      varint.write(bytes, items.length)
      for (const each of items) item.write(bytes, each)
    },
    read(reader) {
      const length = varint.read(reader)
      reader.items -= length
      if (reader.items < 0 || length > reader.bytes.length - reader.at) throw new RangeError('no list')
      return Array.from({ length }, () => item.read(reader))
    },
  }
}

export function pairBytes(first: ByteShape, second: ByteShape): ByteShape {
  return {
    write(bytes, value) {
      const [a, b] = value as readonly [unknown, unknown]
      first.write(bytes, a)
      second.write(bytes, b)
    },
    read: (reader) => [first.read(reader), second.read(reader)],
  }
}

/** An object: a bit for each key, frequent keys first, then the values. At most 30 keys. New keys go to the end. */
export function recordBytes(fields: Readonly<Record<string, ByteShape>>): ByteShape {
  const entries = Object.entries(fields)
  return {
    write(bytes, value) {
      const given = value as Readonly<Record<string, unknown>>
      const present = entries.filter(([key]) => given[key] !== undefined)
      varint.write(
        bytes,
        entries.reduce((mask, [key], i) => mask | (given[key] === undefined ? 0 : 1 << i), 0),
      )
      for (const [key, shape] of present) shape.write(bytes, given[key])
    },
    read(reader) {
      const mask = varint.read(reader)
      if (mask >= 1 << entries.length) throw new RangeError('no record')
      const present = entries.filter((_, i) => (mask & (1 << i)) !== 0)
      return Object.fromEntries(present.map(([key, shape]) => [key, shape.read(reader)]))
    },
  }
}

/** An object of one of several kinds: the place of the kind, then the other keys. New kinds go to the end. */
export function kindBytes(kinds: Readonly<Record<string, ByteShape>>): ByteShape {
  const names = Object.keys(kinds)
  const kind = word(names)
  return {
    write(bytes, value) {
      const name = String((value as { readonly kind: unknown }).kind)
      kind.write(bytes, name)
      kinds[name].write(bytes, value)
    },
    read(reader) {
      const name = kind.read(reader) as string
      return { kind: name, ...(kinds[name].read(reader) as object) }
    },
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('no such word')
  return value
}
