import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type Catalogue, speak } from '../../../language/translate.ts'
import { write } from '../browser/browserStorage.ts'
import { kept, preferredLanguage, urlLanguage } from '../browser/preferences.ts'

/** Every catalogue is found by its name and fetched when its language is chosen: a language more is a file more. */
const catalogues = import.meta.glob<Catalogue['messages']>('../../../language/*.json', { import: 'default' })
const fileOf = (language: string) => `../../../language/${language}.json`

/** All that the page speaks: English stands in the code. */
export const languages: readonly string[] = ['en', ...Object.keys(catalogues).map((file) => file.slice('../../../language/'.length, -'.json'.length))]

export const languageStore = createStore(() => ({ language: 'en' }))

/** The language that is spoken, for whoever keeps sentences from one drawing to the next: they are made anew when it changes. */
export function useLanguage(): string {
  return useStore(languageStore, (state) => state.language)
}

/** Begins with the language of the address, the one that was chosen last, or the first of the reader's own that the page speaks. */
export async function beginLanguage(): Promise<void> {
  await change(preferredLanguage(languages))
}

/** The reader's choice, kept for the next visit. Nothing but words changes. */
export async function chooseLanguage(language: string): Promise<void> {
  write(kept.language, language)
  if (urlLanguage() !== null) {
    const address = new URL(location.href)
    address.searchParams.set('lang', language)
    history.replaceState(history.state, '', address)
  }
  await change(language)
}

/** What a language calls itself: 'English', 'Русский'. */
export function languageName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

async function change(language: string): Promise<void> {
  try {
    speak(language === 'en' ? undefined : { locale: language, messages: await catalogues[fileOf(language)]() })
  } catch {
    // It could not be fetched: the page goes on in the language it speaks.
    return
  }
  document.documentElement.lang = language
  languageStore.setState({ language })
}
