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
