import { createStore } from 'zustand/vanilla'
import { type Palette, readPalette } from '../../../views/drawing/palette.ts'
import { read, write } from '../browser/browserStorage.ts'
import { chosenTheme, kept } from '../browser/preferences.ts'

export type ThemeChoice = 'auto' | 'light' | 'dark'
const PATTERNS = 'apportion.patterns'

interface ThemeState {
  readonly choice: ThemeChoice
  readonly palette: Palette | null
}

export const themeStore = createStore<ThemeState>(() => ({ choice: 'auto', palette: null }))

/** Sets the theme and follows the system's. Returns what ends it. */
export function followTheme(choice: ThemeChoice = chosenTheme()): () => void {
  const wishes = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'].map((query) => matchMedia(query))
  const adopt = () => themeStore.setState({ palette: readPalette(document.documentElement) })
  if (read(PATTERNS) === '1') document.documentElement.dataset.patterns = ''
  setTheme(choice)
  for (const wish of wishes) wish.addEventListener('change', adopt)
  document.fonts.addEventListener('loadingdone', adopt)
  return () => {
    for (const wish of wishes) wish.removeEventListener('change', adopt)
    document.fonts.removeEventListener('loadingdone', adopt)
  }
}

/** Chooses a theme, for the next visit too. */
export function chooseTheme(choice: ThemeChoice): void {
  write(kept.theme, choice)
  setTheme(choice)
}

/** Turns patterns beside the colours of stages on or off, for the next visit too. A system setting may turn them on as well. */
export function choosePatterns(on: boolean): void {
  write(PATTERNS, on ? '1' : '0')
  if (on) document.documentElement.dataset.patterns = ''
  else delete document.documentElement.dataset.patterns
  themeStore.setState({ palette: readPalette(document.documentElement) })
}

/** Sets the theme until another is chosen. */
export function setTheme(choice: ThemeChoice): void {
  if (choice === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  themeStore.setState({ choice, palette: readPalette(document.documentElement) })
}

/** Returns the palette of the present theme, read from the style sheet. */
export function currentPalette(): Palette {
  return themeStore.getState().palette ?? readPalette(document.documentElement)
}
