import { read } from './browserStorage.ts'

/** Where the browser keeps what a reader has chosen, and what was on the canvas at the last visit. */
export const kept = { language: 'apportion.language', theme: 'apportion.theme', scenario: 'apportion.scenario' } as const

/** The language of the address, the one that was chosen last, or the first of the reader's own that is among those spoken: 'ru' for 'ru-RU'. */
export function preferredLanguage(spoken: readonly string[]): string {
  const wishes = [urlLanguage(), read(kept.language), ...navigator.languages].map((wish) => (wish ?? '').toLowerCase().split('-')[0])
  return wishes.find((wish) => spoken.includes(wish)) ?? 'en'
}

export function urlLanguage(): string | null {
  return new URLSearchParams(location.search).get('lang')
}

/** The theme that was chosen last; in a frame of another page the one that its address asks for. */
export function chosenTheme(): 'light' | 'dark' | 'auto' {
  const asked = new URLSearchParams(location.search)
  const theme = asked.has('embed') ? asked.get('theme') : read(kept.theme)
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

/** Whether neither the address nor an earlier visit has anything to say of what is on the page. */
export function isFresh(): boolean {
  const asked = [...new URLSearchParams(location.search).keys()]
  return location.hash === '' && asked.every((name) => name === 'lang') && read(kept.scenario) === null
}
