import { createStore } from 'zustand/vanilla'
import { type Palette, readPalette } from '../views/palette.ts'
import { read, write } from './browserStorage.ts'

export type ThemeChoice = 'auto' | 'light' | 'dark'
const KEY = 'apportion.theme'

interface ThemeState {
  readonly choice: ThemeChoice
  readonly palette: Palette | null
}

export const themeStore = createStore<ThemeState>(() => ({ choice: 'auto', palette: null }))

/** Begins to follow a choice, if none is given the person's own, and the system's; returns what ends it. */
export function followTheme(choice: ThemeChoice = storedChoice()): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const adopt = () => themeStore.setState({ palette: readPalette(document.documentElement) })
  setTheme(choice)
  dark.addEventListener('change', adopt)
  document.fonts.addEventListener('loadingdone', adopt)
  return () => {
    dark.removeEventListener('change', adopt)
    document.fonts.removeEventListener('loadingdone', adopt)
  }
}

/** The person's own choice, which is kept for the next visit. */
export function chooseTheme(choice: ThemeChoice): void {
  write(KEY, choice)
  setTheme(choice)
}

/** For as long as nobody chooses another. */
export function setTheme(choice: ThemeChoice): void {
  if (choice === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  themeStore.setState({ choice, palette: readPalette(document.documentElement) })
}

/** The palette of the present theme, read from the style sheet. */
export function currentPalette(): Palette {
  return themeStore.getState().palette ?? readPalette(document.documentElement)
}

function storedChoice(): ThemeChoice {
  const stored = read(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'auto'
}
