import { createStore } from 'zustand/vanilla'
import { type Palette, readPalette } from '../../../views/drawing/palette.ts'
import { readStored, storageKeys, writeStored } from '../browser/browserStorage.ts'
import { chosenTheme } from '../browser/chosenTheme.ts'

export type ThemeChoice = 'auto' | 'light' | 'dark'
const PATTERNS = 'apportion.patterns'

export const themeStore = createStore<{ readonly choice: ThemeChoice; readonly palette: Palette | null }>(() => ({
  choice: 'auto',
  palette: null,
}))

/** Sets the theme and follows the system's. Returns an unsubscribe function. */
export function followTheme(): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'].map((query) => matchMedia(query))
  const ended = new AbortController()
  document.documentElement.toggleAttribute('data-patterns', readStored(PATTERNS) === '1')
  setTheme(chosenTheme())
  for (const each of queries) each.addEventListener('change', adoptPalette, ended)
  document.fonts.addEventListener('loadingdone', adoptPalette, ended)
  return () => ended.abort()
}

export function chooseTheme(choice: ThemeChoice): void {
  writeStored(storageKeys.theme, choice)
  setTheme(choice)
}

/** Turns patterns beside the colours of stages on or off, for the next visit too. A system setting may turn them on as well. */
export function choosePatterns(on: boolean): void {
  writeStored(PATTERNS, on ? '1' : '0')
  document.documentElement.toggleAttribute('data-patterns', on)
  adoptPalette()
}

const adoptPalette = (): void => themeStore.setState({ palette: readPalette(document.documentElement) })

/** Sets the theme until another is chosen. */
export function setTheme(choice: ThemeChoice): void {
  if (choice === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  themeStore.setState({ choice, palette: readPalette(document.documentElement) })
}

export const currentPalette = (): Palette => themeStore.getState().palette ?? readPalette(document.documentElement)
