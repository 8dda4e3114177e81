/** What the browser keeps under a key from visit to visit; null: nothing, or it is forbidden. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text for the next visit; null: takes away what is kept. Where that is forbidden or full nothing is lost but this: the page goes on with what it has. */
export function write(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // The address still carries the scenario.
  }
}
