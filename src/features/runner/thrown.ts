/** What a function threw, in a form that a structured clone carries whole. A cloned error has only message, stack and first cause on Node 20. */
export type Packed =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'list'; readonly items: readonly Packed[] }
  | {
      readonly kind: 'error'
      readonly type: string
      readonly name: string
      readonly message: string
      readonly stack: unknown
      /** Other properties of its own. Whether each is enumerable is kept. */
      readonly properties: [key: string, value: Packed, enumerable: boolean][]
    }

const constructors: Readonly<Record<string, (message: string, name: string) => Error>> = {
  AggregateError: (message) => new AggregateError([], message),
  RangeError: (message) => new RangeError(message),
  TypeError: (message) => new TypeError(message),
  SyntaxError: (message) => new SyntaxError(message),
  ReferenceError: (message) => new ReferenceError(message),
  DOMException: (message, name) => new DOMException(message, name),
  Error: (message) => new Error(message),
}

/** Deeper causes are left out: a structured clone would overflow the stack. */
const MAX_DEPTH = 1000

/** Returns what was thrown, packed. Properties of an error that cannot be cloned are left out; any other such value becomes its words. */
export function packThrown(thrown: unknown): Packed {
  return packOnce(thrown, new Map(), 0) ?? { kind: 'value', value: wordsOf(thrown) }
}

/** Returns null if the value cannot be cloned. An error may be its own cause. */
function packOnce(value: unknown, packed: Map<unknown, Packed>, depth: number): Packed | null {
  const known = packed.get(value)
  if (known !== undefined) return known
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) {
    const items: Packed[] = []
    packed.set(value, { kind: 'list', items })
    for (const item of value) {
      const one = packOnce(item, packed, depth + 1)
      if (one !== null) items.push(one)
    }
    return { kind: 'list', items }
  }
  if (!isError(value)) return cloneProblem(value) === null ? { kind: 'value', value } : null
  const properties: [string, Packed, boolean][] = []
  const error: Packed = {
    kind: 'error',
    type: Object.keys(constructors).find((type) => value instanceof globalThis[type as 'Error']) ?? 'Error',
    name: String(value.name),
    message: String(value.message),
    stack: String(value.stack),
    properties,
  }
  packed.set(value, error)
  for (const [key, own] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    if (!('value' in own) || key === 'name' || key === 'message' || key === 'stack') continue
    const property = packOnce(own.value, packed, depth + 1)
    if (property !== null) properties.push([key, property, own.enumerable === true])
  }
  return error
}

/** Returns what was thrown where it was packed, as errors of this thread. */
export function unpackThrown(packed: Packed, unpacked = new Map<Packed, unknown>()): unknown {
  if (packed.kind === 'value') return packed.value
  if (packed.kind === 'list') return packed.items.map((item) => unpackThrown(item, unpacked))
  if (unpacked.has(packed)) return unpacked.get(packed)
  const { type, name, message, stack, properties } = packed
  const error = constructors[type](message, name)
  unpacked.set(packed, error)
  const define = (key: string, value: unknown, enumerable: boolean) =>
    Object.defineProperty(error, key, { value, enumerable, configurable: true, writable: true })
  if (error.name !== name) define('name', name, false)
  define('stack', stack, false)
  for (const [key, value, enumerable] of properties) define(key, unpackThrown(value, unpacked), enumerable)
  return error
}

/** Returns what was thrown in words. */
export function wordsOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  const { message } = thrown as { readonly message?: unknown }
  if (typeof message === 'string') return message
  try {
    return JSON.stringify(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}

/** Errors of other realms, such as those of `node:vm`, are errors too. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}

/** Returns why a value cannot be sent to another thread, or null. */
export function cloneProblem(value: unknown): string | null {
  try {
    structuredClone(value)
    return null
  } catch (error) {
    return wordsOf(error)
  }
}
