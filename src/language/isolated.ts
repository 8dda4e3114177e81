/** Letters that are written from right to left, and the marks that turn the direction of a text. */
const turning = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Begins an isolate in the direction of its first letter, and ends one. */
const BEGIN = '\u2068'
const END = '\u2069'

/**
 * A text as it may stand within another: what is written from right to left in it takes nothing along that stands beside it, and what
 * it begins, an override say, ends with it. A text from left to right is left as it is.
 */
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

/** Without what `isolated` has put around it: for what is kept, as a name of which nobody sees more than its letters. */
export function bare(text: string): string {
  return text.replaceAll(BEGIN, '').replaceAll(END, '')
}
