/**
 * What a function threw, in a form that a structured clone carries whole: a cloned error has only message, stack and first cause on Node 20.
 * The first node is what was thrown. Nodes name others by their index, so causes may be deep, or their own.
 */
export type Packed = readonly PackedNode[]

type PackedNode =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'list'; readonly items: number[] }
  | {
      readonly kind: 'error'
      readonly type: string
      readonly name: string
      readonly message: string
      readonly stack: string
      /** Its other properties. */
      readonly properties: [key: string, node: number, enumerable: boolean][]
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

/** Returns what was thrown, packed. Properties of an error that cannot be cloned are left out; any other such value becomes its words. */
export function packThrown(thrown: unknown): Packed {
  try {
    return packAll(thrown)
  } catch {
    // Some of its properties cannot be read.
    return [{ kind: 'value', value: wordsOf(thrown) }]
  }
}

function packAll(thrown: unknown): Packed {
  const nodes: PackedNode[] = []
  const indices = new Map<unknown, number>()
  /** Each fills a node. They run one after the other, since a deep recursion would overflow the stack. */
  const fillers: (() => void)[] = []

  function add(of: unknown, node: PackedNode, fill: () => void): number {
    fillers.push(fill)
    indices.set(of, nodes.push(node) - 1)
    return nodes.length - 1
  }

  /** Returns the index of the value's node; null if the value cannot be cloned. */
  function indexOf(value: unknown): number | null {
    const known = indices.get(value)
    if (known !== undefined) return known
    if (Array.isArray(value)) {
      const items: number[] = []
      return add(value, { kind: 'list', items }, () => items.push(...value.flatMap((item) => indexOf(item) ?? [])))
    }
    if (isError(value)) {
      const error = packError(value)
      return add(value, error, () => {
        for (const [key, own] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
          const hasField = key === 'name' || key === 'message' || key === 'stack'
          const index = hasField || !('value' in own) ? null : indexOf(own.value)
          if (index !== null) error.properties.push([key, index, own.enumerable === true])
        }
      })
    }
    return cloneProblem(value) === null ? nodes.push({ kind: 'value', value }) - 1 : null
  }

  if (indexOf(thrown) === null) nodes.push({ kind: 'value', value: wordsOf(thrown) })
  for (let fill = fillers.pop(); fill !== undefined; fill = fillers.pop()) fill()
  return nodes
}

function packError(error: Error) {
  const type = Object.keys(constructors).find((type) => error instanceof globalThis[type as 'Error']) ?? 'Error'
  const { name, message, stack } = error
  return {
    kind: 'error' as const,
    type,
    name: String(name),
    message: String(message),
    stack: String(stack),
    properties: [] as [string, number, boolean][],
  }
}

/** Returns what was thrown where it was packed, as errors of this thread. */
export function unpackThrown(nodes: Packed): unknown {
  const values = nodes.map((node) => {
    if (node.kind === 'value') return node.value
    return node.kind === 'list' ? ([] as unknown[]) : constructors[node.type](node.message, node.name)
  })
  for (const [k, node] of nodes.entries()) {
    if (node.kind === 'list') (values[k] as unknown[]).push(...node.items.map((index) => values[index]))
    if (node.kind !== 'error') continue
    const error = values[k] as Error
    const define = (key: string, value: unknown, enumerable: boolean) =>
      Object.defineProperty(error, key, { value, enumerable, configurable: true, writable: true })
    if (error.name !== node.name) define('name', node.name, false)
    define('stack', node.stack, false)
    for (const [key, index, enumerable] of node.properties) define(key, values[index], enumerable)
  }
  return values[0]
}

/** Returns what was thrown in words. */
export function wordsOf(thrown: unknown): string {
  try {
    const { message } = Object(thrown) as { readonly message?: unknown }
    if (typeof message === 'string') return message
    return typeof thrown === 'object' ? JSON.stringify(thrown) : String(thrown)
  } catch {
    return 'something that cannot be read was thrown'
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
