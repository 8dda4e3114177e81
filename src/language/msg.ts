/** Marks a message that is stored in English and translated by `tStored` when it is shown. A colon, a space and a value may follow it. */
export function msg(message: string): string {
  return message
}
