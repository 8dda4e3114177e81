// What inputs and outputs are on their way through a broker: JSON, and behind it the bytes of buffers. It does not depend on the version of
// Node, and works where the pipeline runs in a browser.
//
//   a plain object, an array, a string, a finite number, true, false, null: as in JSON
//   all else: { "": [letter, ...] }; an object that is met again: its number in the order of reading

const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

const viewKinds = [
  DataView,
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
] as const
type MakeView = new (buffer: ArrayBuffer) => ArrayBufferView
const views: ReadonlyMap<string, MakeView> = new Map(viewKinds.map((kind) => [kind.name, kind as MakeView]))
const errorKinds = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
const errors: ReadonlyMap<string, ErrorConstructor> = new Map(errorKinds.map((kind) => [kind.name, kind]))

/** Returns the bytes of a value: what structured clone copies, but for things of a browser or of Node, such as a Blob. Throws TypeError in words. */
export const packValue = (value: unknown): Uint8Array<ArrayBuffer> => packed(value, false)

/** Returns bytes that are the same for equal values: the fields of an object are in one order, and an error has no stack, which names places on its machine. */
export const comparable = (value: unknown): Uint8Array<ArrayBuffer> => packed(value, true)

function packed(value: unknown, canonical: boolean): Uint8Array<ArrayBuffer> {
  const buffers: Uint8Array[] = []
  const met = new Map<object, number>()
  const tree = encode(value)
  const json = encoder.encode(JSON.stringify([tree, buffers.map(({ length }) => length)]))
  const bytes = new Uint8Array(4 + json.length + buffers.reduce((sum, { length }) => sum + length, 0))
  new DataView(bytes.buffer).setUint32(0, json.length, true)
  bytes.set(json, 4)
  let at = 4 + json.length
  for (const buffer of buffers) {
    bytes.set(buffer, at)
    at += buffer.length
  }
  return bytes

  function encode(one: unknown): unknown {
    switch (typeof one) {
      case 'string':
      case 'boolean':
        return one
      case 'number':
        return Number.isFinite(one) && !Object.is(one, -0) ? one : special('n', Object.is(one, -0) ? '-0' : String(one))
      case 'undefined':
        return special('u')
      case 'bigint':
        return special('b', String(one))
      case 'object':
        return one === null ? null : encodeObject(one)
      default:
        throw new TypeError(`a ${typeof one} cannot be sent to another machine`)
    }
  }

  function encodeObject(one: object): unknown {
    const known = met.get(one)
    if (known !== undefined) return special('r', known)
    met.set(one, met.size)
    if (Array.isArray(one)) return Array.from(one, encode)
    if (ArrayBuffer.isView(one))
      return special('v', kindOf(one), kept(new Uint8Array(one.buffer, one.byteOffset, one.byteLength)))
    if (one instanceof Error)
      return special(
        'e',
        one.name,
        one.message,
        canonical ? '' : (one.stack ?? ''),
        ...('cause' in one ? [encode(one.cause)] : []),
      )
    switch (kindOf(one)) {
      case 'Object':
        return encodeFields(one)
      case 'Map':
        return special(
          'm',
          [...(one as Map<unknown, unknown>)].flatMap(([key, value]) => [encode(key), encode(value)]),
        )
      case 'Set':
        return special('s', Array.from(one as Set<unknown>, encode))
      case 'Date':
        return special('d', (one as Date).getTime())
      case 'RegExp':
        return special('x', (one as RegExp).source, (one as RegExp).flags)
      case 'ArrayBuffer':
        return special('a', kept(new Uint8Array(one as ArrayBuffer)))
      default:
        throw new TypeError(`a ${kindOf(one)} cannot be sent to another machine`)
    }
  }

  function encodeFields(one: object): unknown {
    const keys = canonical ? Object.keys(one).sort() : Object.keys(one)
    const field = (key: string) => encode((one as Record<string, unknown>)[key])
    if (keys.includes('')) return special('o', ...keys.flatMap((key) => [key, field(key)]))
    const fields: Record<string, unknown> = Object.create(null)
    for (const key of keys) fields[key] = field(key)
    return fields
  }

  function kept(buffer: Uint8Array): number {
    buffers.push(buffer)
    return buffers.length - 1
  }
}

function special(...parts: readonly [letter: string, ...unknown[]]): unknown {
  return { '': parts }
}

/** Returns the kind of an object, whichever realm it is from: a Buffer is a Uint8Array. */
function kindOf(one: object): string {
  return Object.prototype.toString.call(one).slice(8, -1)
}

/** Returns the value in the bytes. Throws if they hold none. */
export function unpackValue(bytes: Uint8Array): unknown {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  const [tree, lengths] = JSON.parse(decoder.decode(bytes.subarray(4, 4 + length))) as [unknown, number[]]
  let at = 4 + length
  const buffers = lengths.map((size) => {
    // Copied: who gets the value may send it on, and a view would take all of the message with it.
    const buffer = bytes.slice(at, at + size).buffer
    if (buffer.byteLength !== size) throw new RangeError('bytes are missing')
    at += size
    return buffer
  })
  const met: unknown[] = []
  return decode(tree)

  function decode(one: unknown): unknown {
    if (typeof one !== 'object' || one === null) return one
    if (Array.isArray(one)) {
      met.push(one)
      for (let k = 0; k < one.length; k++) one[k] = decode(one[k])
      return one
    }
    const fields = one as Record<string, unknown>
    if (Object.hasOwn(fields, '')) return decodeSpecial(fields[''] as [string, ...never[]])
    met.push(fields)
    // Each is a field of its own already, so that even one named "__proto__" stays one.
    for (const key of Object.keys(fields)) fields[key] = decode(fields[key])
    return fields
  }

  function decodeSpecial([letter, ...parts]: [string, ...never[]]): unknown {
    const [first, second, third] = parts as [never, never, never]
    switch (letter) {
      case 'n':
        return Number(first)
      case 'u':
        return undefined
      case 'b':
        return BigInt(first)
      case 'r':
        if (first >= met.length) throw new RangeError('there is no such object')
        return met[first]
      case 'd':
        return noted(new Date(first ?? Number.NaN))
      case 'x':
        return noted(new RegExp(first, second))
      case 'a':
        return noted(buffers[first])
      case 'v':
        return noted(new (views.get(first) as MakeView)(buffers[second]))
      case 'm': {
        const map = noted(new Map())
        for (let k = 0; k < (first as unknown[]).length; k += 2) map.set(decode(first[k]), decode(first[k + 1]))
        return map
      }
      case 's': {
        const set = noted(new Set())
        for (const each of first as unknown[]) set.add(decode(each))
        return set
      }
      case 'o': {
        const fields = noted({})
        for (let k = 0; k < parts.length; k += 2)
          Object.defineProperty(fields, parts[k], {
            value: decode(parts[k + 1]),
            writable: true,
            enumerable: true,
            configurable: true,
          })
        return fields
      }
      case 'e': {
        const error = noted(new (errors.get(first) ?? Error)(second))
        if (error.name !== first) error.name = first
        error.stack = third
        if (parts.length > 3) error.cause = decode(parts[3])
        return error
      }
      default:
        throw new TypeError('there is no such kind of value')
    }
  }

  function noted<T>(one: T): T {
    met.push(one)
    return one
  }
}
