/**
 * Values of a JSON text and where they stand, also while it is being typed: missing commas, quotes and brackets are skipped. Places are
 * offsets into the text.
 */
export interface Value {
  readonly from: number
  /** The end of the text if a bracket is not closed yet. */
  to: number
  readonly is: 'object' | 'list' | 'text' | 'word'
  readonly members: Member[]
}

/** An entry of an object or an item of a list. */
export interface Member {
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
    if (inside?.is === 'list') inside.members.push({ key: inside.members.length, from: value.from, to: value.to, value })
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
export function unquoted(token: string): string {
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
