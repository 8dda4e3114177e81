/** Values of a JSON text by offset, also while it is being typed: missing commas, quotes and brackets are skipped. */
export interface Value {
  readonly from: number
  /** The end of the text if a bracket is not closed yet. */
  to: number
  readonly is: 'object' | 'list' | 'text' | 'word'
  readonly members: Member[]
}

/** An entry of an object or an item of a list. */
interface Member {
  readonly key: string | number
  /** The start of the key or item. */
  readonly from: number
  readonly to: number
  value: Value | null
}

const tokens = /"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** Returns the outermost value of a text, or null if there is none yet. */
export function outline(text: string): Value | null {
  const open: Value[] = []
  let root: Value | null = null
  let waiting: Member | null = null
  const place = (value: Value) => {
    const inside = open.at(-1)
    root ??= value
    if (inside?.is === 'list')
      inside.members.push({ key: inside.members.length, from: value.from, to: value.to, value })
    else if (waiting !== null) waiting.value = value
    waiting = null
  }
  for (const { 0: token, index: from } of text.matchAll(tokens)) {
    const to = from + token.length
    if (token === '{' || token === '[') {
      const value: Value = { from, to: text.length + 1, is: token === '{' ? 'object' : 'list', members: [] }
      place(value)
      open.push(value)
    } else if (token === '}' || token === ']') {
      const closed = open.pop()
      if (closed !== undefined) closed.to = to
      waiting = null
    } else if (token === ',') waiting = null
    else if (token === ':') continue
    else if (open.at(-1)?.is === 'object' && waiting === null) {
      waiting = { key: unquoted(token), from, to, value: null }
      open.at(-1)?.members.push(waiting)
    } else place({ from, to, is: token[0] === '"' ? 'text' : 'word', members: [] })
  }
  return root
}

/** Returns the string in a token, or the token itself if it is no JSON yet. */
function unquoted(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token.replace(/^"|"$/g, '')
  }
}

/** Returns the text of a member, such as the id of a stage; undefined while there is none. */
export function textOf(text: string, value: Value | null, key: string): string | undefined {
  const found = memberOf(value, key)?.value
  return found == null ? undefined : unquoted(text.slice(found.from, found.to))
}

/** Returns the member with a key; of several the last one, as JSON does. */
export function memberOf(value: Value | null, key: string | number): Member | undefined {
  return value?.members.filter((member) => member.key === key).at(-1)
}

export type Span = Pick<Value, 'from'> & { readonly to: number }

/** Returns the place of a path: a key, with its value if that is a word or number. If the text lacks a part of the path: the last existing place. */
export function spanOf(root: Value | null, path: string): Span {
  let place: Span = { from: root?.from ?? 0, to: (root?.from ?? 0) + 1 }
  let value = root
  for (const key of keysOf(path)) {
    const member = memberOf(value, key)
    if (member === undefined) break
    place = spanOfMember(member)
    value = member.value
  }
  return place
}

function spanOfMember({ from, to, value, key }: Member): Span {
  if (value?.is === 'object' || value?.is === 'list') return { from, to: typeof key === 'number' ? from + 1 : to }
  return { from, to: value?.to ?? to }
}

/** Returns the keys of a path as problems write it: `stages[2].fanOut.route["a.b"]`. */
export function keysOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g), ([, index, quoted, word]) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? word : unescaped(quoted)
  })
}

function unescaped(quoted: string): string {
  const plain = quoted.replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) =>
    JSON.stringify(String.fromCodePoint(Number.parseInt(code, 16))).slice(1, -1),
  )
  return String(JSON.parse(plain))
}

/** The object or list that the cursor is in, and its member, if any. */
export interface Spot {
  /** The values around the cursor, the innermost last. */
  readonly around: readonly Value[]
  /** The keys that lead to the innermost. */
  readonly keys: readonly (string | number)[]
  /** What can be inserted at the cursor. */
  readonly wants: 'key' | 'value' | 'nothing'
  /** The member that the cursor is in. */
  readonly member: Member | null
  /** The typed part of the member. */
  readonly token: Span
}

/** Returns what surrounds the cursor; null outside of everything. */
export function spotOf(text: string, root: Value | null, at: number): Spot | null {
  if (root === null || !holds(root, at)) return null
  const around = [root]
  const keys: (string | number)[] = []
  for (;;) {
    const inner = around[around.length - 1].members.find(({ value }) => value !== null && holds(value, at))
    if (inner === undefined || inner.value === null) break
    around.push(inner.value)
    keys.push(inner.key)
  }
  const inside = around[around.length - 1]
  const none = { from: at, to: at }
  const member = inside.members.filter(({ from }) => from <= at).at(-1)
  const spot = (wants: Spot['wants'], of: Member | null, token: Span): Spot => ({
    around,
    keys,
    wants,
    member: of,
    token,
  })
  if (member === undefined) return spot(inside.is === 'object' ? 'key' : 'value', null, none)
  if (inside.is === 'object' && at <= member.to) return spot('key', member, member)
  const { value } = member
  const plain = value?.is === 'text' || value?.is === 'word'
  if (plain && at <= value.to) return spot('value', member, at < value.from ? none : value)
  const between = text.slice(value?.to ?? member.to, at)
  if (between.includes(',')) return spot(inside.is === 'object' ? 'key' : 'value', null, none)
  return between.includes(':') ? spot('value', member, none) : spot('nothing', null, none)
}

/** Returns whether a place is between the brackets of an object or list. */
function holds({ is, from, to }: Value, at: number): boolean {
  return (is === 'object' || is === 'list') && from < at && at < to
}
