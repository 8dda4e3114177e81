import { readStored, storageKeys } from './browserStorage.ts'

/** Returns whether neither the address nor an earlier visit says what to show. */
export function isFresh(): boolean {
  const asked = [...new URLSearchParams(location.search).keys()]
  return (
    location.hash === '' &&
    asked.every((name) => name === 'lang') &&
    [readStored(storageKeys.scenario), readStored(storageKeys.room, 'sessionStorage')].every((kept) => kept === null)
  )
}
