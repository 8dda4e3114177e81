import { readStored, writeStored } from '../browser/browserStorage.ts'

const keyOf = (id: string) => `apportion.open.${id}`

/** Whether the browser remembers that a fold is open. */
export function isFoldOpen(id: string): boolean {
  return readStored(keyOf(id)) !== null
}

/** Lets the browser remember whether a fold is open. One that is not shown now will be so when it is. */
export function keepFold(id: string, open: boolean): void {
  writeStored(keyOf(id), open ? 'open' : null)
}
