/** The address of a page and the history of its window. A session gets it from outside, so it can run in a page or in a test. */
export interface Address {
  read(): URL
  /** Replaces the address by a whole one or a fragment, or adds it as a step, so that Back returns. `state` is kept with the entry. */
  write(to: string, how: 'replace' | 'push', state?: unknown): void
  /** Returns the state of this entry of the history; null if it has none. */
  state(): unknown
  go(by: number): void
  /** Calls `listener` when a link was followed within the page, or Back or Forward pressed. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void
  /** Calls `listener` when the page is left or reloaded. Returns an unsubscribe function. */
  onLeave(listener: () => void): () => void
  /** Returns whether a pointer button is pressed. */
  pressed(): boolean
}

/** The address where there is no window: nothing is written, and no listener is called. */
export const noAddress: Address = {
  read: () => new URL('about:blank'),
  write() {},
  state: () => null,
  go() {},
  onChange: () => () => {},
  onLeave: () => () => {},
  pressed: () => false,
}

/** Returns the link that opens a fragment in this page, without the query of the address. */
export function linkTo(address: Address, fragment: string): string {
  const { origin, pathname } = address.read()
  return origin + pathname + fragment
}

/** Removes an option such as `?lesson=` from the address. */
export function dropOption(address: Address, name: string): void {
  const url = address.read()
  url.searchParams.delete(name)
  address.write(url.href, 'replace')
}
