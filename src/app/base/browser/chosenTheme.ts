import { readStored, storageKeys } from './browserStorage.ts'

/** Returns the theme chosen last; in a frame of another page, the one of the address. */
export function chosenTheme(): 'light' | 'dark' | 'auto' {
  const asked = new URLSearchParams(location.search)
  const theme = asked.has('embed') ? asked.get('theme') : readStored(storageKeys.theme)
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}
