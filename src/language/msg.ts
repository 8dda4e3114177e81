/**
 * A message that is written down in English, in a record say, and said in the reader's language where it is shown (`tStored`). Behind it
 * there may stand a colon, a space and what was found.
 */
export function msg(message: string): string {
  return message
}
