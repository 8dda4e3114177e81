import { type Member, memberOf, type Value } from './outline.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Where in a text the path of a problem leads: an entry with its value where that is a word or a number, the key alone where
 * it is longer. Where the path goes further than the text, the last place that is there.
 */
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
  const long = value !== null && (value.is === 'object' || value.is === 'list')
  if (long) return { from, to: typeof key === 'number' ? from + 1 : to }
  return { from, to: value?.to ?? to }
}

/** The keys of a path as problems write it: `stages[2].fanOut.route["a.b"]`. */
export function keysOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g), ([, index, quoted, word]) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? word : unescaped(quoted)
  })
}

function unescaped(quoted: string): string {
  const plain = quoted.replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => JSON.stringify(String.fromCodePoint(Number.parseInt(code, 16))).slice(1, -1))
  return String(JSON.parse(plain))
}

/** Where the cursor is: in which object or list, and at which of its members, if any. */
export interface Spot {
  /** The values around the cursor, the innermost last. */
  readonly around: readonly Value[]
  /** Leads to the innermost of them. */
  readonly keys: readonly (string | number)[]
  /** What may stand at the cursor. */
  readonly wants: 'key' | 'value' | 'nothing'
  /** The member that the cursor is in. */
  readonly member: Member | null
  /** What is there of it so far. */
  readonly token: Span
}

/** What the cursor at a place of the text is in; null outside of everything. */
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
  const spot = (wants: Spot['wants'], of: Member | null, token: Span): Spot => ({ around, keys, wants, member: of, token })
  if (member === undefined) return spot(inside.is === 'object' ? 'key' : 'value', null, none)
  if (inside.is === 'object' && at <= member.to) return spot('key', member, member)
  const { value } = member
  const plain = value?.is === 'text' || value?.is === 'word'
  if (plain && at <= value.to) return spot('value', member, at < value.from ? none : value)
  const between = text.slice(value?.to ?? member.to, at)
  if (between.includes(',')) return spot(inside.is === 'object' ? 'key' : 'value', null, none)
  return between.includes(':') ? spot('value', member, none) : spot('nothing', null, none)
}

/** Whether a place is between the brackets of an object or a list. */
function holds({ is, from, to }: Value, at: number): boolean {
  return (is === 'object' || is === 'list') && from < at && at < to
}
