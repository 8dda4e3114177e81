/** Letters written from right to left, and marks that change the direction of text. */
const turning = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
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
