import { isolated } from './isolated.ts'
import { messagePieces, type Piece } from './message.ts'

/** What a language says: for each English message its own. */
export interface Catalogue {
  /** BCP 47: by it numbers are written and plurals chosen. */
  readonly locale: string
  readonly messages: Readonly<Record<string, string>>
}

export type Values = Readonly<Record<string, string | number>>

const english: Catalogue = { locale: 'en', messages: {} }
let spoken = english
let rules = { plurals: new Intl.PluralRules('en'), numbers: new Intl.NumberFormat('en') }
const rulesOf = new Map([['en', rules]])

/** From now on this thread speaks that language; none: English. */
export function speak(catalogue: Catalogue = english): void {
  spoken = catalogue
  rules = rulesOf.get(catalogue.locale) ?? { plurals: new Intl.PluralRules(catalogue.locale), numbers: new Intl.NumberFormat(catalogue.locale) }
  rulesOf.set(catalogue.locale, rules)
}

/** What `make` says, in English whatever is spoken: for files that other programs read. */
export function inEnglish<T>(make: () => T): T {
  const present = spoken
  if (present !== english) speak()
  try {
    return make()
  } finally {
    if (present !== english) speak(present)
  }
}

/** The language that is spoken, for threads that are to speak it too. */
export const catalogue = (): Catalogue => spoken

/**
 * An English message in the language that is spoken, filled in. The message is its own key in the catalogues, and must stand in the code
 * as it is, so that the tests find it: `say('{n, plural, one {# job} other {# jobs}} of {name}', { n, name })`. A message that a
 * catalogue lacks is said in English.
 */
export function t(message: string, values: Values = {}): string {
  const pieces = piecesIn(message)
  // Most messages are plain, and painters say some of them in every frame.
  return pieces.length === 1 && typeof pieces[0] === 'string' ? pieces[0] : fill(pieces, values, (inside) => inside.join('')).join('')
}

/** In the language that is spoken what was written down in English by `msg`; what else was written down stays as it is. */
export function tStored(text: string): string {
  const colon = text.indexOf(': ')
  for (const end of colon < 0 ? [text.length] : [text.length, colon]) {
    const message = text.slice(0, end)
    if (Object.hasOwn(spoken.messages, message)) return spoken.messages[message] + text.slice(end)
  }
  return text
}

/** The pieces of a message in the language that is spoken. */
export function piecesIn(message: string): readonly Piece[] {
  return messagePieces(spoken.messages[message] ?? message)
}

/** The pieces with their values, and what `wrap` makes of each tag and what stands in it. A value that is missing is left out. */
export function fill<T>(pieces: readonly Piece[], values: Values, wrap: (inside: (string | T)[], tag: string) => T): (string | T)[] {
  return pieces.flatMap((piece): (string | T)[] => {
    if (typeof piece === 'string') return [piece]
    if (piece.kind === 'tag') return [wrap(fill(piece.inside, values, wrap), piece.name)]
    const value = values[piece.name] ?? ''
    if (piece.kind === 'value') return [typeof value === 'string' ? isolated(value) : String(value)]
    if (piece.kind === 'number') return [rules.numbers.format(Number(value))]
    return fill(piece.forms[`=${value}`] ?? piece.forms[rules.plurals.select(Number(value))] ?? piece.forms.other, values, wrap)
  })
}
