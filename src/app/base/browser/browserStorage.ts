/** Returns what the browser stores under a key; null: nothing, or storage is forbidden. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text for the next visit; null removes it. If storage is forbidden or full, nothing happens. */
export function write(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // The address still carries the scenario.
  }
}
