/**
 * A message that is written down in English, in a record say, and said in the reader's language where it is shown (`sayKept`). Behind it
 * there may stand a colon, a space and what was found.
 */
export function toSay(message: string): string {
  return message
}
