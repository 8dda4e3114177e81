import { readStored, writeStored } from './browserStorage.ts'

const keyOf = (id: string) => `apportion.open.${id}`

export const isFoldOpen = (id: string): boolean => readStored(keyOf(id)) !== null

/** Stores whether a fold is open, also for a fold that appears later. */
export const keepFold = (id: string, open: boolean): void => writeStored(keyOf(id), open ? 'open' : null)
