import { readStored } from './browserStorage.ts'

/** The storage keys of what a person has chosen, of the canvas, and in the tab that is its host, of the room. */
export const storageKeys = {
  language: 'apportion.language',
  theme: 'apportion.theme',
  scenario: 'apportion.scenario',
  split: 'apportion.split',
  room: 'apportion.room',
} as const

/** Returns the language of the address, else the one chosen last, else the first of the person's own among `spoken`: 'ru' for 'ru-RU'. */
export function preferredLanguage(spoken: readonly string[]): string {
  const wishes = [urlLanguage(), readStored(storageKeys.language), ...navigator.languages].map((wish) => (wish ?? '').toLowerCase().split('-')[0])
  return wishes.find((wish) => spoken.includes(wish)) ?? 'en'
}

export function urlLanguage(): string | null {
  return new URLSearchParams(location.search).get('lang')
}

/** Returns the theme chosen last; in a frame of another page, the one of the address. */
export function chosenTheme(): 'light' | 'dark' | 'auto' {
  const asked = new URLSearchParams(location.search)
  const theme = asked.has('embed') ? asked.get('theme') : readStored(storageKeys.theme)
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

/** Returns whether neither the address nor an earlier visit says what to show. */
export function isFresh(): boolean {
  const asked = [...new URLSearchParams(location.search).keys()]
  return (
    location.hash === '' &&
    asked.every((name) => name === 'lang') &&
    [readStored(storageKeys.scenario), readStored(storageKeys.room, 'sessionStorage')].every((kept) => kept === null)
  )
}
