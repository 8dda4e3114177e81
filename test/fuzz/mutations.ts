import type { Chance } from '../fixtures/chance.ts'

/** Unexpected values: other kinds, limits of the number range, keys of prototypes, texts that act if they are not escaped. */
const strangers: readonly unknown[] = [
  ...[
    null,
    true,
    -1,
    0,
    0.1,
    1e308,
    -1e-308,
    2 ** 53,
    4_294_967_296,
    '',
    '0',
    '__proto__',
    'constructor',
    '\u202e\u0000\ud800',
  ],
  ...['<img src=x onerror=alert(1)>', 'a\u0301'.repeat(300), [], {}, [[[[[[[[]]]]]]]]],
  JSON.parse('{"__proto__":{"workers":3},"constructor":{"prototype":1},"toString":1}'),
  Array.from({ length: 300 }, (_, i) => i),
]
const keys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
  '',
  'kind',
  'version',
  'stages',
  'x'.repeat(200),
  '\u202e',
]
const letters = [...'"{}[],:\\\u0000\n\r\ufeff\ud800\u202e%&#=;-e.90n ']

type Plain = Record<string, unknown>
const isTree = (value: unknown): value is Plain | unknown[] => typeof value === 'object' && value !== null

/** A copy of a JSON value with one to four random edits: another value, or a key or an item added, removed, doubled or moved. */
export function mutatedValue(value: unknown, chance: Chance): unknown {
  // The root is in a list of one, so that it can be replaced too.
  const root: unknown[] = [structuredClone(value)]
  for (let edits = chance.between(1, 4); edits > 0; edits--) edit(root, chance)
  return root[0]
}

function edit(root: unknown[], chance: Chance): void {
  let tree: Plain | unknown[] = root
  let key: string | number = 0
  while (true) {
    const inner: unknown = (tree as Plain)[key]
    if (!isTree(inner) || Object.keys(inner).length === 0 || chance.percent(15)) break
    tree = inner
    key = Array.isArray(tree) ? chance.below(tree.length) : chance.pick(Object.keys(tree))
  }
  const now = (tree as Plain)[key]
  switch (chance.below(7)) {
    case 0:
      if (Array.isArray(tree)) tree.splice(Number(key), 1)
      else delete tree[key]
      break
    case 1:
      if (Array.isArray(tree)) tree.splice(Number(key), 0, structuredClone(now))
      else put(tree, chance.pick(keys), structuredClone(now))
      break
    case 2:
      if (isTree(now) && !Array.isArray(now)) put(now, chance.pick(keys), structuredClone(chance.pick(strangers)))
      else put(tree, key, structuredClone(chance.pick(strangers)))
      break
    case 3:
      if (typeof now === 'number') put(tree, key, chance.pick([-now, now + 0.5, now * 1e9, now - 1, now + 1]))
      else if (typeof now === 'string') put(tree, key, mutatedText(now, chance))
      else put(tree, key, [now])
      break
    case 4: {
      const others = Object.keys(tree)
      const other = chance.pick(others)
      const moved = (tree as Plain)[other]
      put(tree, other, now)
      put(tree, key, moved)
      break
    }
    default:
      put(tree, key, structuredClone(chance.pick(strangers)))
  }
}

/** Does the same as JSON.parse: `__proto__` is a key like any other. */
function put(tree: Plain | unknown[], key: string | number, value: unknown): void {
  Object.defineProperty(tree, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A text with one to four edits: a part removed, doubled, moved or cut off, a special character inserted or replaced. */
export function mutatedText(text: string, chance: Chance): string {
  let out = text
  for (let edits = chance.between(1, 4); edits > 0; edits--) {
    const from = chance.below(out.length + 1)
    const to = Math.min(out.length, from + chance.between(1, chance.pick([1, 2, 8, 64])))
    switch (chance.below(5)) {
      case 0:
        out = out.slice(0, from) + out.slice(to)
        break
      case 1:
        out = out.slice(0, to) + out.slice(from)
        break
      case 2:
        out = out.slice(0, from) + chance.pick(letters) + out.slice(from)
        break
      case 3:
        out = out.slice(0, from) + chance.pick(letters) + out.slice(to)
        break
      default:
        out = chance.percent(20) ? out.slice(0, from) : out.slice(from, to) + out.slice(0, from) + out.slice(to)
    }
  }
  return out
}

/** Bytes with one to four edits. */
export function mutatedBytes(bytes: Uint8Array, chance: Chance): Uint8Array {
  const out = [...bytes]
  for (let edits = chance.between(1, 4); edits > 0; edits--) {
    const at = chance.below(out.length + 1)
    if (chance.percent(30)) out.splice(at, chance.between(1, 6))
    else if (chance.percent(50)) out.splice(at, 0, ...out.slice(at, at + chance.between(1, 40)))
    else out[at] = chance.below(256)
  }
  return Uint8Array.from(out)
}
