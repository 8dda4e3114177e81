import { messagePieces, type Piece } from './message.ts'

/** A language: a translation of each English message. */
export interface Catalogue {
  /** BCP 47. It decides how numbers are written and which plural is used. */
  readonly locale: string
  readonly messages: Readonly<Record<string, string>>
}

export type Values = Readonly<Record<string, string | number>>

const english: Catalogue = { locale: 'en', messages: {} }
let spoken = english
let rules = { plurals: new Intl.PluralRules('en'), numbers: new Intl.NumberFormat('en') }
const rulesOf = new Map([['en', rules]])

/** Sets the language of this thread; without a catalogue, English. */
export function speak(catalogue: Catalogue = english): void {
  spoken = catalogue
  rules = rulesOf.get(catalogue.locale) ?? {
    plurals: new Intl.PluralRules(catalogue.locale),
    numbers: new Intl.NumberFormat(catalogue.locale),
  }
  rulesOf.set(catalogue.locale, rules)
}

/** Returns what `make` returns in English, for files that other programs read. */
export function inEnglish<T>(make: () => T): T {
  const present = spoken
  if (present !== english) speak()
  try {
    return make()
  } finally {
    if (present !== english) speak(present)
  }
}

/** Returns the current language, to pass it to another thread. */
export const catalogue = (): Catalogue => spoken

/**
 * Returns a message in the current language, with its values. The English message is the key of the catalogues and must be a literal, so
 * that tests find it: `t('{n, plural, one {# job} other {# jobs}} of {name}', { n, name })`. Missing translations appear in English.
 */
export function t(message: string, values: Values = {}): string {
  const pieces = piecesIn(message)
  // Most messages are plain text, and painters need some in every frame.
  return pieces.length === 1 && typeof pieces[0] === 'string'
    ? pieces[0]
    : fill(pieces, values, (inside) => inside.join('')).join('')
}

/** Translates a message stored in English by `msg`. Other text stays as it is. */
export function tStored(text: string): string {
  const colon = text.indexOf(': ')
  for (const end of colon < 0 ? [text.length] : [text.length, colon]) {
    const message = text.slice(0, end)
    if (Object.hasOwn(spoken.messages, message)) return spoken.messages[message] + text.slice(end)
  }
  return text
}

/** Returns the pieces of a message in the current language. */
export function piecesIn(message: string): readonly Piece[] {
  return messagePieces(spoken.messages[message] ?? message)
}

/** Fills pieces with values; `wrap` makes the content of tags. Missing values are left out. */
export function fill<T>(
  pieces: readonly Piece[],
  values: Values,
  wrap: (inside: (string | T)[], tag: string) => T,
): (string | T)[] {
  return pieces.flatMap((piece): (string | T)[] => {
    if (typeof piece === 'string') return [piece]
    if (piece.kind === 'tag') return [wrap(fill(piece.inside, values, wrap), piece.name)]
    const value = values[piece.name] ?? ''
    if (piece.kind === 'value') return [typeof value === 'string' ? isolated(value) : String(value)]
    if (piece.kind === 'number') return [rules.numbers.format(Number(value))]
    return fill(
      piece.forms[`=${value}`] ?? piece.forms[rules.plurals.select(Number(value))] ?? piece.forms.other,
      values,
      wrap,
    )
  })
}

/** Returns a function that writes numbers in the current language. Formats are kept for each language, since making one is slow. */
export function numbersOf(options: Intl.NumberFormatOptions): (x: number) => string {
  let spoken = ''
  let format = new Intl.NumberFormat('en', options)
  return (x) => {
    const { locale } = catalogue()
    if (locale !== spoken) {
      spoken = locale
      format = new Intl.NumberFormat(locale, options)
    }
    return format.format(x)
  }
}

/** Letters written from right to left, and marks that change the direction of text. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Begins an isolate in the direction of its first letter, and ends one. */
const BEGIN = '\u2068'
const END = '\u2069'

/** Returns a text for use inside another, which its right-to-left letters and open direction marks do not affect. */
export function isolated(text: string): string {
  if (!turning.test(text)) return text
  let open = 0
  const inside = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => {
    if (mark === BEGIN) open++
    else if (mark === END && open > 0) open--
    else return ''
    return mark
  })
  return BEGIN + inside + END.repeat(open + 1)
}

/** Removes what `isolated` added, for names that are stored. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(BEGIN, '').replaceAll(END, '')
}
