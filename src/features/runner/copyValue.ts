import { movedWith, transfer } from './protocol.ts'

/** Larger objects and lists are left to `structuredClone`, which is faster there. */
const MAX_KEYS = 100

/**
 * Returns a value as it is now, as a structured clone of it would be, since its maker may use its objects again. Marked buffers are moved into
 * the copy; of a buffer that a view shows in part only that part is copied. Throws if the value cannot be cloned.
 */
export function copyValue(value: unknown): unknown {
  if (!isReference(value)) return value
  const buffers = movedWith(value)
  if (buffers.length > 0) {
    const [copy, moved] = structuredClone([value, buffers] as const, { transfer: [...buffers] })
    return transfer(copy, moved)
  }
  return copyPlain(value, new Map()) ?? structuredClone(value)
}

/** Returns whether a value can change, so that it has to be copied. */
export function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Returns a copy of lists, plain objects and views of buffers, many times faster than a clone; null if there is anything else in them. */
function copyPlain(value: object, copies: Map<object, object>): object | null {
  const known = copies.get(value)
  if (known !== undefined) return known
  if (ArrayBuffer.isView(value)) return copyView(value, copies)
  const keys = Object.keys(value)
  // A list with holes or with further properties has other keys.
  const isPlain = Array.isArray(value)
    ? keys.length === value.length && (keys.length === 0 || keys[keys.length - 1] === String(keys.length - 1))
    : Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, '__proto__')
  if (!isPlain || keys.length > MAX_KEYS) return null
  const copy: Record<string, unknown> = Array.isArray(value) ? ([] as object as Record<string, unknown>) : {}
  copies.set(value, copy)
  for (const key of keys) {
    const field = (value as Record<string, unknown>)[key]
    const fieldCopy = isReference(field) ? copyPlain(field, copies) : field
    if (fieldCopy === null ? field !== null : typeof fieldCopy === 'symbol') return null
    copy[key] = fieldCopy
  }
  return copy
}

/** Returns null for a view of shared memory, and for a second view of one buffer, which have to stay together. */
function copyView(view: ArrayBufferView, copies: Map<object, object>): object | null {
  const { buffer, byteOffset, byteLength } = view
  if (!(buffer instanceof ArrayBuffer) || copies.has(buffer)) return null
  // A Buffer of Node arrives as a Uint8Array.
  const type = Object.prototype.toString.call(view).slice('[object '.length, -1) as 'Uint8Array'
  const copy = new globalThis[type](buffer.slice(byteOffset, byteOffset + byteLength))
  copies.set(buffer, copy)
  copies.set(view, copy)
  return copy
}
