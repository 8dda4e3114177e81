import { createStore } from 'zustand/vanilla'
import { readStored, storageKeys, writeStored } from '../../base/browser/browserStorage.ts'
import { part, type Session } from '../../session/session.ts'
import { readShare } from './split.ts'

interface Split {
  /** The share of the canvas that a person has chosen, in percent; null: the usual one. */
  readonly share: number | null
}

export const splitStore = part(() => createStore<Split>(() => ({ share: readShare(readStored(storageKeys.split)) })))

/** Chooses the share of the canvas, for the next visit too; null: the usual one again. */
export function chooseShare(session: Session, share: number | null): void {
  splitStore(session).setState({ share })
  writeStored(storageKeys.split, share === null ? null : String(share))
}
