import { createStore } from 'zustand/vanilla'
import { type Palette, readPalette } from '../views/palette.ts'

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
  const read = () => themeStore.setState({ palette: readPalette(document.documentElement) })
  setTheme(choice)
  dark.addEventListener('change', read)
  document.fonts.addEventListener('loadingdone', read)
  return () => {
    dark.removeEventListener('change', read)
    document.fonts.removeEventListener('loadingdone', read)
  }
}

/** The person's own choice, which is kept for the next visit. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // A forbidden storage costs the choice at the next visit, nothing more.
  }
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
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'auto'
  } catch {
    return 'auto'
  }
}
