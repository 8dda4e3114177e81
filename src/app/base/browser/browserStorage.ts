/** Where the browser stores texts: for a reload of this tab, and for the next visit of any page. */
export const areas = ['sessionStorage', 'localStorage'] as const
type Area = (typeof areas)[number]

/** Returns what the browser stores under a key; null: nothing, or storage is forbidden. */
export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/** Stores a text; null removes it. If storage is forbidden or full, nothing happens. */
export function writeStored(key: string, text: string | null, area: Area = 'localStorage'): void {
  try {
    if (text === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, text)
  } catch {
    // The address still carries the scenario.
  }
}

/** The storage keys of a person's choices, of the canvas, and (in the tab of its host) of the room. */
export const storageKeys = {
  language: 'apportion.language',
  theme: 'apportion.theme',
  scenario: 'apportion.scenario',
  split: 'apportion.split',
  room: 'apportion.room',
} as const

/** Returns the language of the address, else the one chosen last, else the first of the person's own among `spoken`: 'ru' for 'ru-RU'. */
export function preferredLanguage(spoken: readonly string[]): string {
  const preferences = [urlLanguage(), readStored(storageKeys.language), ...navigator.languages].map(
    (preference) => (preference ?? '').toLowerCase().split('-')[0],
  )
  return preferences.find((preference) => spoken.includes(preference)) ?? 'en'
}

export const urlLanguage = (): string | null => new URLSearchParams(location.search).get('lang')

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

const keyOf = (id: string) => `apportion.open.${id}`

export const isFoldOpen = (id: string): boolean => readStored(keyOf(id)) !== null

/** Stores whether a fold is open, also for a fold that appears later. */
export const keepFold = (id: string, open: boolean): void => writeStored(keyOf(id), open ? 'open' : null)
