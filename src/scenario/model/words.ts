import { isolated, numbersOf, t } from '../../language/translate.ts'

export function problemAt(path: string, message: string): { readonly path: string; readonly message: string }[] {
  return [{ path, message }]
}

/** `found 3.5; allowed: a whole number from 1 to 256`. */
export function foundText(value: unknown, allowed: string): string {
  return t('found {value}; allowed: {allowed}', { value: valueText(value), allowed })
}

/** `allowed: a number from 0 to 1`, under a field. */
export function allowedText(allowed: string): string {
  return t('allowed: {allowed}', { allowed })
}

/** `a number from 0 to 1`. */
export function numberText(least: number, most: number, unit = ''): string {
  return t('a number{unit} from {least} to {most}', { unit, least: countText(least), most: countText(most) })
}

export function unknownStage(id: string): string {
  return t('{id} is not a stage', { id: quoted(id) })
}

/** `ids`: one for a stage, two for a link. */
export function listedTwice(...ids: readonly string[]): string {
  return t('{id} is listed twice', { id: ids.map(quoted).join(' → ') })
}

/** What is found, and what is allowed where another key has its value: `found 2; allowed: 1, beside shard`. */
export function foundBeside(value: unknown, allowed: string, key: string): string {
  return t('{allowed}, beside {key}', { allowed: foundText(value, allowed), key })
}

/** The problem of a text that is too long. */
export function lengthText(length: number, most: number): string {
  return t('found a text of {n} characters; allowed: {most}', { n: countText(length), most: countText(most) })
}

/** What an object looks like, as far as its first keys: `an object { from, service }`. */
export function objectText(keys: readonly string[]): string {
  return t('an object {form}', { form: `{ ${[...keys.slice(0, 4), ...(keys.length > 4 ? ['...'] : [])].join(', ')} }` })
}

/** A value in a few words: numbers and short texts as they are, the size of lists and objects. */
export function valueText(value: unknown): string {
  if (value === undefined) return t('nothing')
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? t('an empty list') : listText(value.length)
  return typeof value === 'object' ? t('an object') : `a ${typeof value}`
}

export function listText(length: number): string {
  return t('a list of {length}', { length: countText(length) })
}

/** The text in quotes, cut at 40 code points. Invisible characters become escapes, and then it is cut earlier. */
export function quoted(text: string): string {
  const points = Array.from(text.slice(0, 82))
  let words = ''
  let n = 0
  for (; n < Math.min(40, points.length) && words.length < LONGEST_QUOTE; n++)
    words += JSON.stringify(points[n]).slice(1, -1).replace(unseen, escaped)
  return `"${words}${n < points.length || text.length > 82 ? '...' : ''}"`
}

const LONGEST_QUOTE = 120
const LONGEST_PATH = 80

/** The path of a file in quotes. Of a long one the end is kept, since the name is there. */
export function quotedPath(path: string): string {
  const points = Array.from(path, (point) => point.replace(unseen, escaped))
  return points.length <= LONGEST_PATH ? `"${points.join('')}"` : `"...${points.slice(-LONGEST_PATH).join('')}"`
}

const unseen = /[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]/gu
function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

const whole = numbersOf({ maximumFractionDigits: 0 })

/** 1000000 as `1,000,000`, or as the current language writes it; fractions as they are. */
export function countText(value: number): string {
  return Number.isInteger(value) ? whole(value + 0) : String(value)
}

/** `1 job`, `1,000 jobs`. */
export function counted(n: number, noun: string): string {
  return `${countText(n)} ${noun}${n === 1 ? '' : 's'}`
}

/** `a, b and c`; `a, b or c`. */
export function listed(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  const all = words.map(isolated)
  return all.length < 2
    ? all.join('')
    : all.slice(0, -1).join(', ') + (last === 'and' ? t(' and ') : t(' or ')) + all[all.length - 1]
}

/** Returns problems as text, each behind its path if it has one. */
export function problemsText(
  problems: readonly { readonly path: string; readonly message: string }[],
  between = '\n',
): string {
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join(between)
}

/** Returns the known words, those first that take the fewest edits from `word`: letters changed, added or left out (Levenshtein 1966). Case is ignored. */
export function nearestFirst<W extends string>(
  word: string,
  known: readonly W[],
): { readonly word: W; readonly edits: number }[] {
  return known
    .map((other) => ({ word: other, edits: editsBetween(word.toLowerCase(), other.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]
}

/** `stages[2].service.mean`. Keys that are no plain words are put in quotes and brackets. */
export function pathOf(keys: readonly unknown[]): string {
  let path = ''
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`
    else if (typeof key === 'string' && /^[A-Za-z_$][\w$-]{0,39}$/.test(key)) path += path === '' ? key : `.${key}`
    else path += `[${quoted(String(key))}]`
  }
  return path
}
