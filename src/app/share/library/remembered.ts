import { checkedText, checkStored } from '../../../scenario/parse/checked.ts'
import { type CheckedBy, checkText, wholeNumber } from '../../../scenario/parse/shape.ts'
import { areas, readStored, writeStored } from '../../base/browser/browserStorage.ts'
import { REMEMBERED } from './libraryStore.ts'

/** The scenario of the library that was on the canvas, its revision, and a checksum of the canvas. */
const remembered = checkStored({ id: checkText(), revision: wholeNumber, sum: checkText() })
type Remembered = CheckedBy<typeof remembered>

/** If storage is forbidden or full, the user opens it from the library at the next visit. */
export function remember(entry: Remembered | null): void {
  for (const area of areas) writeStored(REMEMBERED, entry && JSON.stringify(entry), area)
}

/** Returns what was remembered of a canvas with that checksum; null if it was another. */
export function recall(sum: string): Remembered | null {
  for (const area of areas) {
    const entry = checkedText(remembered, readStored(REMEMBERED, area))
    if (entry?.sum === sum) return entry
  }
  return null
}
