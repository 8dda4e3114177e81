import { readStored, storageKeys } from './browserStorage.ts'

/** Returns the theme chosen last; in a frame of another page, the one of the address. */
export function chosenTheme(): 'light' | 'dark' | 'auto' {
  const parameters = new URLSearchParams(location.search)
  const theme = parameters.has('embed') ? parameters.get('theme') : readStored(storageKeys.theme)
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}
