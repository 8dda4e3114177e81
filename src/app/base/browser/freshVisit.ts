import { readStored, storageKeys } from './browserStorage.ts'

/** Returns whether neither the address nor an earlier visit says what to show. */
export function isFresh(): boolean {
  const parameters = [...new URLSearchParams(location.search).keys()]
  return (
    location.hash === '' &&
    parameters.every((name) => name === 'lang') &&
    [readStored(storageKeys.scenario), readStored(storageKeys.room, 'sessionStorage')].every(
      (stored) => stored === null,
    )
  )
}
