import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type Catalogue, speak } from '../../../language/translate.ts'
import { storageKeys, writeStored } from '../browser/browserStorage.ts'
import { preferredLanguage, urlLanguage } from '../browser/preferredLanguage.ts'

/** The catalogues by file name, each fetched when its language is chosen. A new language is a new file. */
const catalogues = import.meta.glob<Catalogue['messages']>('../../../language/*.json', { import: 'default' })
const fileOf = (language: string) => `../../../language/${language}.json`

/** The languages of the page. English has no catalogue: its texts are in the code. */
export const languages: readonly string[] = [
  'en',
  ...Object.keys(catalogues).map((file) => file.slice('../../../language/'.length, -'.json'.length)),
]

export const languageStore = createStore(() => ({ language: 'en' }))

/** Returns the language of the page and renders the component again when it changes. */
export const useLanguage = (): string => useStore(languageStore, (state) => state.language)

/** Sets the language: of the address, else the one chosen last, else the first language of the browser that the page has. */
export async function beginLanguage(): Promise<void> {
  await change(preferredLanguage(languages))
}

/** Chooses a language, for the next visit too. */
export async function chooseLanguage(language: string): Promise<void> {
  writeStored(storageKeys.language, language)
  if (urlLanguage() !== null) {
    const address = new URL(location.href)
    address.searchParams.set('lang', language)
    history.replaceState(history.state, '', address)
  }
  await change(language)
}

/** Returns the name of a language in that language: 'English', 'Русский'. */
export function languageName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

async function change(language: string): Promise<void> {
  try {
    speak(language === 'en' ? undefined : { locale: language, messages: await catalogues[fileOf(language)]() })
  } catch {
    // The catalogue could not be fetched. The language stays.
    return
  }
  document.documentElement.lang = language
  languageStore.setState({ language })
}
