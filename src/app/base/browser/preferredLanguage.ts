import { readStored, storageKeys } from './browserStorage.ts'

/** Returns the language of the address, else the one chosen last, else the first of the person's own among `spoken`: 'ru' for 'ru-RU'. */
export function preferredLanguage(spoken: readonly string[]): string {
  const preferences = [urlLanguage(), readStored(storageKeys.language), ...navigator.languages].map(
    (preference) => (preference ?? '').toLowerCase().split('-')[0],
  )
  return preferences.find((preference) => spoken.includes(preference)) ?? 'en'
}

export const urlLanguage = (): string | null => new URLSearchParams(location.search).get('lang')
