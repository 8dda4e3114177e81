/** A piece of a message: text, a value, a number in the format of the language, a choice by number, or a tag with its content. */
export type Piece =
  | string
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'number'; readonly name: string }
  | { readonly kind: 'plural'; readonly name: string; readonly forms: Readonly<Record<string, readonly Piece[]>> }
  | { readonly kind: 'tag'; readonly name: string; readonly inside: readonly Piece[] }

const read = new Map<string, readonly Piece[]>()

/**
 * Returns the pieces of a message in the part of ICU MessageFormat that is used here: `{name}`, `{n, number}`,
 * `{n, plural, =0 {none} one {# job} other {# jobs}}` and `<tag>text</tag>`. Nothing is escaped, so a message has no other brace and no
 * other `<letter`. A complete reader would be many times as large; tests compare with it. Throws a SyntaxError with the place.
 */
export function messagePieces(message: string): readonly Piece[] {
  let pieces = read.get(message)
  if (pieces === undefined) {
    pieces = /[{}<]/.test(message) ? new Reader(message).all() : [message]
    read.set(message, pieces)
  }
  return pieces
}

class Reader {
  private at = 0
  constructor(private readonly text: string) {}

  all(): readonly Piece[] {
    const pieces = this.pieces(null)
    if (this.at < this.text.length) this.wrong('ends too early')
    return pieces
  }

  /** Reads up to a closing brace or tag, or the end. `counted` is the number that `#` stands for. */
  private pieces(counted: string | null): Piece[] {
    const pieces: Piece[] = []
    let text = ''
    const add = (piece: Piece) => {
      if (text !== '') pieces.push(text)
      text = ''
      if (piece !== '') pieces.push(piece)
    }
    while (this.at < this.text.length && this.text[this.at] !== '}' && !this.text.startsWith('</', this.at)) {
      const tag = this.take(/<([a-z]\w*)>/y)
      if (tag !== null) {
        const inside = this.pieces(counted)
        if (this.take(/<\/(\w+)>/y)?.[1] !== tag[1]) this.wrong(`has no </${tag[1]}>`)
        add({ kind: 'tag', name: tag[1], inside })
      } else if (this.text[this.at] === '{') add(this.argument())
      else if (counted !== null && this.text[this.at] === '#') {
        this.at++
        add({ kind: 'number', name: counted })
      } else text += this.text[this.at++]
    }
    add('')
    return pieces
  }

  private argument(): Piece {
    const simple = this.take(/\{\s*(\w+)\s*(,\s*number\s*)?\}/y)
    if (simple !== null)
      return simple[2] === undefined ? { kind: 'value', name: simple[1] } : { kind: 'number', name: simple[1] }
    const plural = this.take(/\{\s*(\w+)\s*,\s*plural\s*,\s*/y)
    if (plural === null) return this.wrong('is neither {name} nor {name, number} nor {name, plural, …}')
    const forms: Record<string, readonly Piece[]> = {}
    for (let form = this.take(/(=\d+|\w+)\s*\{/y); form !== null; form = this.take(/(=\d+|\w+)\s*\{/y)) {
      forms[form[1]] = this.pieces(plural[1])
      if (this.take(/\}\s*/y) === null) this.wrong(`has no } after the form ${form[1]}`)
    }
    if (this.take(/\}/y) === null) this.wrong('has no } after its forms')
    if (forms.other === undefined) this.wrong('lacks the form other')
    return { kind: 'plural', name: plural[1], forms }
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match !== null) this.at += match[0].length
    return match
  }

  private wrong(what: string): never {
    throw new SyntaxError(`The message ${JSON.stringify(this.text)} ${what}, at ${this.at}.`)
  }
}
